// The resolver's walk over the tree: which block assigns and uses which names, and the rules of
// flow and of names that need no more than that. Shared by the resolver's translation units.
#pragma once

#include <string>
#include <vector>

#include "interpreter/syntax/error.h"
#include "interpreter/syntax/resolver/scope_table.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::syntax {

class Resolver {
 public:
  explicit Resolver(Tree& tree) : tree_(tree), table_(tree) {}
  void run();

 private:
  // What the walk knows about the code around; saved while it is inside something else.
  struct Context {
    Block* block = nullptr;
    std::string_view class_name;          // mangles private names; empty outside classes
    int loops = 0;                        // loops of this frame around
    int iterables = 0;                    // iterable expressions of comprehensions around
    const char* comprehension = nullptr;  // what the innermost comprehension is called
  };
  // Restores the context when it goes.
  class Inside {
   public:
    explicit Inside(Resolver& resolver) : resolver_(resolver), saved_(resolver.context_) {}
    ~Inside() { resolver_.context_ = saved_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Resolver& resolver_;
    Context saved_;
  };

  // --- Names (resolver.cpp) ---
  [[noreturn]] void fail(const std::string& message, Span span) const;
  Identifier mangle(Identifier name);
  Symbol* symbol(Identifier name) { return table_.symbol(context_.block, mangle(name)); }
  void assign(Identifier name, Binding& binding, Span span,
              ExprContext context = ExprContext::kStore);
  void use(Name* name);
  void check_assignable(Identifier name, Span span,
                        ExprContext context = ExprContext::kStore) const;
  void declare_global(Global* statement);
  void declare_nonlocal(Nonlocal* statement);
  std::string clash_of(const Symbol* symbol, const char* declaration) const;

  // --- Statements (resolver.cpp) ---
  void visit_body(Body body);
  void visit(Stmt* statement);
  void visit_if(If* statement);
  void visit_loop_body(Body body, Body orelse);
  void visit_for(For* statement);
  void visit_with(With* statement);
  void visit_try(Try* statement);
  void visit_handler(ExceptHandler* handler);
  void visit_return(Return* statement);
  void visit_assign(Assign* statement);
  void visit_augmented(AugAssign* statement);
  void visit_annotated(AnnAssign* statement);
  void visit_import(Import* statement);
  void visit_import_from(ImportFrom* statement);
  void check_future_import(ImportFrom* statement) const;
  void check_future_imports() const;

  // --- Definitions (resolver_definitions.cpp) ---
  void visit_function(FunctionDef* function);
  void visit_class(ClassDef* definition);
  void visit_lambda(Lambda* lambda);
  void visit_defaults(const Arguments* args);
  void visit_annotations(const Arguments* args);
  void visit_annotation(const Arg* arg);
  void add_parameters(const Arguments* args);
  void add_parameter(Arg* arg);
  Block* enter_block(BlockType type, std::string_view name);
  void visit_generator(GeneratorExp* generator);
  template <class T>
  void visit_comprehension(T* comprehension, const char* what);
  void visit_clauses(Sequence<Comprehension*> clauses);
  void mark_iteration(Expr* target);
  void visit_iterable(Expr* iterable);

  // --- Expressions (resolver_expressions.cpp) ---
  void visit(Expr* expression);
  void visit_optional(Expr* expression) {
    if (expression) visit(expression);
  }
  void visit_leaf(Expr* expression);
  void visit_rest(Expr* expression);
  void visit_call_rest(Call* call);
  void visit_keywords(Sequence<Keyword*> keywords);
  void visit_elements(Sequence<Expr*> elements);
  void visit_element(Expr* element);
  void visit_targets(Sequence<Expr*> elements);
  void visit_target_elements(Sequence<Expr*> elements);
  void visit_target(Expr* target);
  void visit_named(NamedExpr* named);
  void assign_from_comprehension(Name* target);
  void visit_yield(Expr* expression, Expr* value);
  void visit_await(YieldFrom* expression);

  // --- Patterns (resolver_patterns.cpp) ---
  using NameSet = std::vector<Identifier>;
  void visit_match(Match* statement);
  void visit_pattern(Pattern* pattern, NameSet& names);
  void visit_patterns(Sequence<Pattern*> patterns, NameSet& names);
  void visit_alternatives(MatchOr* pattern, NameSet& names);
  void visit_mapping(MatchMapping* pattern, NameSet& names);
  void visit_class_pattern(MatchClass* pattern, NameSet& names);
  void visit_sequence(MatchSequence* pattern, NameSet& names);
  void bind_pattern(Identifier name, Binding& binding, Span span, NameSet& names);

  Tree& tree_;
  ScopeTable table_;
  Context context_;
};

}  // namespace strider::syntax
