// The state of lowering one scope. Private to the lower_*.cpp files.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "interpreter/evaluator/lowering/lower.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/call/recursion.h"

namespace strider::lang {

// Whether an expression can be evaluated in parts, between which it yields.
bool can_settle(const syntax::Expr* node);

class Lowering {
 public:
  Lowering(std::shared_ptr<const syntax::Source> source, LoweringMode mode, bool in_namespace)
      : code(std::make_shared<Code>()),
        source_(std::move(source)),
        mode_(mode),
        in_namespace_(in_namespace) {}

  // The layout of the frame, from the resolver's scope.
  void take_scope(const syntax::Scope& scope, std::string_view name);

  // The statements of a module.
  void lower_body(const syntax::Body& body);
  // lower_statements.cpp
  Block block(syntax::Body body);
  Statement* statement(const syntax::Stmt* node);
  // lower_expressions.cpp
  Node* expression(const syntax::Expr* node);
  Node* optional(const syntax::Expr* node) { return node ? expression(node) : nullptr; }
  Nodes expressions(syntax::Sequence<syntax::Expr*> nodes);
  // lower_names.cpp
  Node* load(const syntax::Binding& binding, Span span);
  Target* store(const syntax::Binding& binding, Span span);
  Target* target(const syntax::Expr* node);
  // lower_definitions.cpp
  Node* function(const syntax::Scope& scope, std::string_view name,
                 const syntax::Arguments& arguments, const syntax::Body* body,
                 const syntax::Expr* value, const syntax::Expr* returns, Span span,
                 syntax::Sequence<syntax::Expr*> decorators = {});
  Node* class_definition(const syntax::ClassDef* node);
  Node* decorated(syntax::Sequence<syntax::Expr*> decorators, Node* value);
  Node* generator_expression(const syntax::GeneratorExp* node);
  std::vector<CallArgument> call_arguments(syntax::Sequence<syntax::Expr*> args,
                                           syntax::Sequence<syntax::Keyword*> keywords);
  // lower_patterns.cpp
  PatternNode* pattern(const syntax::Pattern* node);

  // lower_warnings.cpp
  void check_call(const syntax::Call* node) const;
  void check_subscript(const syntax::Subscript* node) const;
  void check_comparison(const syntax::Compare* node) const;
  void check_assertion(const syntax::Assert* node) const;
  void check_end_of_number(const syntax::Constant* node) const;

  // lower_resumable.cpp
  bool lower_resumable(syntax::Body body);  // false: the body needs a stack of its own

  std::shared_ptr<Code> code;

 private:
  friend std::shared_ptr<const Code> lower_module(const syntax::Tree&, LoweringMode, bool);

  void warn(Span span, const std::string& message) const;
  std::unique_ptr<Lowering> inner(const syntax::Scope& scope, std::string_view name);
  Node* expression_inside(const syntax::Expr* node);
  Node* call(const syntax::Call* node);
  Span attribute_place(const syntax::Attribute* attribute, Span span) const;
  Node* zero_argument_super(const syntax::Call* node, Node* callee);
  Node* comparison(const syntax::Compare* node);
  Node* binary_chain(const syntax::BinOp* node);
  Node* comprehension(const syntax::Expr* node);
  ComprehensionParts comprehension_parts(syntax::Sequence<syntax::Comprehension*> generators,
                                         const syntax::ComprehensionSlots& slots);
  std::vector<ComprehensionClause> clauses(syntax::Sequence<syntax::Comprehension*> generators);
  std::vector<DisplayItem> display_items(syntax::Sequence<syntax::Expr*> elements);
  Node* tuple(const syntax::Tuple* node);
  Node* set_display(const syntax::Set* node);
  Node* walked(const syntax::Expr* iterable);
  Node* slice(const syntax::Slice* node);
  Value constant(const syntax::ConstantValue& value);
  Statement* assignment(const syntax::Assign* node);
  Statement* augmented(const syntax::AugAssign* node);
  Statement* annotated(const syntax::AnnAssign* node);
  Statement* branches(const syntax::If* node);
  Statement* try_statement(const syntax::Try* node);
  Statement* import(const syntax::Import* node);
  Statement* import_from(const syntax::ImportFrom* node);
  Statement* match(const syntax::Match* node);
  Statement* sequence(std::vector<Statement*> statements, Span span);
  void take_parameters(const syntax::Arguments& arguments);
  void take_docstring(const syntax::Body& body);
  bool shows_value(const syntax::Stmt* node) const;
  Span definition_span(const syntax::Body& body, Span name) const;
  Statement* resumable_block(syntax::Body body);
  Statement* resumable(const syntax::Stmt* node);
  Statement* resumable_return(const syntax::Return* node);
  Statement* resumable_while(const syntax::While* node);
  Statement* resumable_try(const syntax::Try* node);
  Statement* resumable_with(const syntax::With* node, std::size_t first);
  Statement* yield_statement(const syntax::Expr* yielding, Target* place, Span span);
  Statement* settled_rest(const syntax::Stmt* node);
  // lower_settled.cpp
  void settle(const syntax::Expr* node, bool kept, std::vector<Statement*>& before);
  Statement* settled_statement(const syntax::Stmt* node, const syntax::Expr* value);
  Statement* settled_while(const syntax::While* node);
  Statement* resumable_clauses(std::vector<ComprehensionClause> loops, Node* element, Span span);

  std::shared_ptr<const syntax::Source> source_;
  int nesting_ = 0;                                         // of expressions being lowered
  std::unordered_map<const syntax::Expr*, Node*> settled_;  // what was evaluated before a yield
  const syntax::Scope* scope_ = nullptr;
  LoweringMode mode_;
  const syntax::Stmt* last_of_cell_ = nullptr;
  bool in_namespace_;
};

}  // namespace strider::lang
