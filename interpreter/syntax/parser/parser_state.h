// The parser: recursive descent over the tokens, one function for each rule of the grammar.
// Shared by the parser's translation units; the door is parser.h.
#pragma once

#include <string>
#include <vector>

#include "interpreter/syntax/interner.h"
#include "interpreter/syntax/lexer/lexer.h"
#include "interpreter/syntax/lexer/literals.h"
#include "interpreter/syntax/parser/parser.h"
#include "interpreter/syntax/tree/ast.h"

namespace strider::syntax {

using ExprBuilder = SequenceBuilder<Expr*>;

// How an expression is called in messages, e.g. "function call".
std::string describe_expression(const Expr* node);
// Whether an expression can start with the token.
bool starts_expression(TokenKind kind);

class Parser {
 public:
  Parser(Tree& tree, Mode mode);
  Module* parse_module();

 private:
  enum class Use : uint8_t { kAssign, kDelete, kFor };

  // Counts nesting while it lives; too much is an error rather than a stack overflow.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > kMaxDepth) parser_.fail_nesting();
    }
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };
  static constexpr int kMaxDepth = 700;

  // A place to go back to.
  struct Mark {
    size_t index;
    uint32_t previous_end;
    int bracket_depth;
  };

  class Embedding;

  // What a compound statement calls itself in messages, and where it starts.
  struct BlockOwner {
    const char* what;
    uint32_t begin;
  };

  // Signature pieces under construction.
  struct ParameterList {
    SequenceBuilder<Arg*> posonlyargs, args, kwonlyargs;
    ExprBuilder defaults, kw_defaults;
    Arg* vararg = nullptr;
    Arg* kwarg = nullptr;
    bool star_seen = false;
    bool slash_seen = false;
  };

  // Call arguments under construction.
  struct ArgumentList {
    ExprBuilder args;
    SequenceBuilder<Keyword*, 4> keywords;
    bool mapping_seen = false;
  };

  // Pieces of an f-string under construction (parser_strings.cpp).
  struct JoinedPieces {
    ExprBuilder values;
    std::string literal;
    bool formatted = false;
  };

  // --- Tokens and nodes (parser.cpp) ---
  const Token& token(size_t ahead = 0) const {
    size_t last = tokens_.size() - 1;
    return tokens_[index_ + ahead < last ? index_ + ahead : last];
  }
  TokenKind kind() const { return tokens_[index_].kind; }
  bool at(TokenKind wanted) const { return kind() == wanted; }
  uint32_t begin() const { return tokens_[index_].span.begin; }
  std::string_view text(Span span) const { return tree_.source->text(span); }
  void advance();
  bool take(TokenKind wanted);
  void expect(TokenKind wanted);
  void expect_forced(TokenKind wanted);
  bool at_word(std::string_view word, size_t ahead = 0) const;
  Identifier take_name();
  Mark mark() const { return {index_, previous_end_, bracket_depth_}; }
  void rewind(const Mark& mark);
  Span from(uint32_t begin) const { return {begin, previous_end_}; }
  int line_of(uint32_t offset) const { return tree_.source->line_of(offset); }

  template <class T>
  T* make(uint32_t begin) {
    return make_at<T>(from(begin));
  }
  template <class T>
  T* make_at(Span span) {
    T* node = tree_.arena.make<T>();
    node->span = span;
    node->has_walrus_or_yield = last_effect_end_ > span.begin;
    return node;
  }
  template <class T, size_t N>
  Sequence<T> finish(const SequenceBuilder<T, N>& builder) {
    return builder.finish(tree_.arena);
  }
  void note_effect() { last_effect_end_ = previous_end_; }

  // --- Errors (parser_errors.cpp) ---
  [[noreturn]] void fail(const std::string& message, Span span);
  [[noreturn]] void fail_indentation(const std::string& message, Span span, bool incomplete);
  [[noreturn]] void fail_invalid_syntax();
  [[noreturn]] void fail_nesting();
  void report_missing_comma();
  void report_assignment_in_expression(Expr* left, uint32_t first);
  void report_assignment_to_value(Expr* value, uint32_t first);
  [[noreturn]] void reject_annotation_of(const Expr* target);
  void report_legacy_print();
  template <class Parse>
  bool try_parse(Parse parse, uint32_t& end);
  SyntaxError prefer_lexer_error(const SyntaxError& error) const;

  // --- Statements (parser_statements.cpp) ---
  Body parse_file();
  Body parse_interactive();
  Body parse_eval();
  void parse_statement(SequenceBuilder<Stmt*>& body);
  void parse_simple_statements(SequenceBuilder<Stmt*>& body);
  Stmt* parse_simple_statement();
  Stmt* parse_expression_statement();
  Stmt* parse_assignment(uint32_t begin, Expr* first);
  Stmt* parse_augmented_assignment(uint32_t begin, Expr* target, BinaryOperator op);
  Stmt* parse_annotated_assignment(uint32_t begin, Expr* target);
  Expr* parse_assigned_value();
  Stmt* parse_return();
  Stmt* parse_raise();
  Stmt* parse_delete();
  Stmt* parse_assert();
  template <class T>
  Stmt* parse_name_declaration();
  template <class T>
  Stmt* parse_bare_statement();

  // --- Imports (parser_imports.cpp) ---
  Stmt* parse_import();
  Stmt* parse_import_from();
  int parse_import_dots();
  Alias* parse_alias(bool dotted);
  Identifier parse_dotted_name();
  Sequence<Alias*> parse_imported_names();

  // --- Compound statements (parser_compound.cpp, parser_definitions.cpp) ---
  Stmt* parse_compound_statement();
  Body parse_block(BlockOwner owner);
  void expect_block_colon();
  Stmt* parse_if();
  If* parse_if_branch(const char* what);
  Body parse_else();
  Stmt* parse_while();
  Stmt* parse_for();
  Stmt* parse_with();
  bool parse_parenthesized_with_items(SequenceBuilder<WithItem*, 4>& items);
  WithItem* parse_with_item();
  Stmt* parse_try();
  ExceptHandler* parse_handler();
  Stmt* parse_decorated();
  Stmt* parse_function(Sequence<Expr*> decorators, bool is_async = false);
  Stmt* parse_class(Sequence<Expr*> decorators);

  // --- Asynchronous functions, `except*` (parser_async.cpp) ---
  template <class T>
  T* make_hidden(uint32_t start);
  Name* hidden_name(std::string_view text, ExprContext context);
  Name* hidden_variable();
  Name* read(const Name* variable);
  Expr* call_hidden(uint32_t start, std::string_view helper,
                    std::initializer_list<Expr*> arguments);
  Expr* suspended(uint32_t start, Expr* iterated);
  Stmt* hidden_assignment(uint32_t start, Expr* target, Expr* value);
  Stmt* expression_statement(uint32_t start, Expr* value);
  Body joined(std::initializer_list<Stmt*> first, Body rest);
  Stmt* group(uint32_t start, Body statements, bool runs);
  void require_async(const char* what, Span span);
  Expr* parse_await();
  Stmt* parse_async(Sequence<Expr*> decorators);
  Stmt* parse_async_function(uint32_t start, Sequence<Expr*> decorators);
  Stmt* finish_async_for(uint32_t start, For* loop);
  Stmt* finish_async_with(uint32_t start, Sequence<WithItem*> items, size_t first, Body body);
  Stmt* make_raise(uint32_t start);
  void push_removal(SequenceBuilder<Stmt*>& steps, uint32_t start, std::string_view name);
  Expr* make_none(uint32_t start);
  Sequence<ExceptHandler*> catch_everything(uint32_t start, const Name* caught, Body body);
  Sequence<ExceptHandler*> finish_star_handlers(uint32_t start,
                                                const SequenceBuilder<ExceptHandler*, 4>& handlers);

  // --- Parameters (parser_parameters.cpp) ---
  Arguments* parse_parameters(TokenKind closing);
  void parse_parameter(ParameterList& list, TokenKind closing);
  void parse_star_parameter(ParameterList& list, TokenKind closing);
  void parse_mapping_parameter(ParameterList& list, TokenKind closing);
  void parse_slash(ParameterList& list);
  Arg* parse_argument(TokenKind closing, bool star_annotation);
  Expr* parse_default(TokenKind closing);

  // --- Match statement (parser_patterns.cpp) ---
  bool at_match_statement() const;
  Stmt* parse_match();
  MatchCase* parse_case();
  Pattern* parse_top_pattern();
  Pattern* parse_pattern();
  Pattern* parse_or_pattern();
  Pattern* parse_closed_pattern();
  Pattern* parse_star_pattern();
  Pattern* parse_sequence_element();
  Pattern* parse_name_pattern();
  Pattern* parse_literal_pattern();
  Pattern* parse_bracket_pattern(TokenKind closing);
  Pattern* parse_mapping_pattern();
  Pattern* parse_class_pattern(uint32_t begin, Expr* cls);
  Expr* parse_dotted_value();
  Expr* parse_pattern_number();
  Expr* parse_signed_number();
  Expr* parse_mapping_key();

  // --- Expressions (parser_expressions.cpp) ---
  Expr* parse_star_expressions();
  Expr* parse_star_expression();
  Expr* parse_yield_or_star_expressions();
  Expr* parse_star_named_expression();
  Expr* parse_named_expression();
  Expr* parse_walrus_or_expression();
  Expr* parse_expression();
  Expr* parse_disjunction();
  Expr* parse_conjunction();
  Expr* parse_inversion();
  Expr* parse_comparison();
  bool take_compare_operator(CompareOperator& op);
  Expr* parse_binary(int least_precedence);
  Expr* parse_unary();
  Expr* parse_power();
  Expr* parse_lambda();
  Expr* parse_yield();
  Expr* parse_starred();
  Expr* finish_bool_op(uint32_t begin, BoolOperator op, Expr* first);
  template <class ParseElement>
  Expr* parse_tuple_tail(uint32_t begin, Expr* first, ParseElement parse_element);

  // --- Primaries (parser_primaries.cpp) ---
  Expr* parse_primary();
  Expr* parse_attribute(uint32_t begin, Expr* value);
  Expr* parse_subscript(uint32_t begin, Expr* value);
  Expr* parse_slices();
  Expr* parse_slice();
  Expr* parse_call(uint32_t begin, Expr* func);
  void parse_call_argument(ArgumentList& list, uint32_t open);
  void parse_keyword_argument(ArgumentList& list);
  void parse_mapping_argument(ArgumentList& list);
  void parse_positional_argument(ArgumentList& list, uint32_t open);

  // --- Atoms and displays (parser_atoms.cpp) ---
  Expr* parse_atom();
  Expr* parse_constant(ConstantType type);
  Expr* parse_number();
  Expr* parse_parenthesized();
  Expr* parse_group_content(uint32_t begin, TokenKind closing);
  Expr* parse_list();
  Expr* parse_braces();
  Expr* parse_dict(uint32_t begin, Expr* first_key);
  void parse_dict_item(ExprBuilder& items, Expr* key);
  Expr* parse_set(uint32_t begin, Expr* first);
  void open_bracket(TokenKind opening);
  void close_bracket(TokenKind closing);
  bool at_comprehension() const;
  Sequence<Comprehension*> parse_comprehension_clauses();
  Comprehension* parse_comprehension_clause();
  Comprehension* make_clause(uint32_t start, Expr* target, Expr* iter);
  Expr* parse_clause_target();

  // --- Generator expressions (parser_generators.cpp) ---
  Expr* parse_generator(uint32_t start, Expr* element, int waits_before);
  Expr* asynchronous_generator(uint32_t start, bool is_async, GeneratorExp* generator);
  void reject_unparenthesized_target(Expr* element);

  // --- Strings (parser_strings.cpp) ---
  Expr* parse_strings();
  Constant* make_string(Span span, std::string_view value);
  void parse_formatted(JoinedPieces& pieces, const StringParts& parts, Span token);
  Span behind_strings() const;
  uint32_t escape_width(Span rest) const;
  uint32_t parse_format_pieces(JoinedPieces& pieces, const StringParts& parts, Span range,
                               Span token, int level);
  uint32_t parse_replacement(JoinedPieces& pieces, const StringParts& parts, Span range, Span token,
                             int level);
  Expr* parse_embedded(Span range);
  int read_conversion(uint32_t& position, Span range) const;
  Expr* parse_format_spec(uint32_t& position, const StringParts& parts, Span range, Span token,
                          int level);
  void flush_literal(JoinedPieces& pieces, Span token);
  Expr* finish_joined(JoinedPieces& pieces, Span span);

  // --- Targets (parser_targets.cpp) ---
  void set_context(Expr* target, ExprContext context);
  void require_target(Expr* target, Use use);
  Expr* find_invalid_target(Expr* target, Use use) const;
  Expr* parse_target_list();
  Expr* parse_target();

  Tree& tree_;
  Mode mode_;
  TokenList lexed_;
  std::vector<Token> tokens_;
  size_t index_ = 0;
  uint32_t previous_end_ = 0;     // end of the last token that is no line end or indentation
  uint32_t last_effect_end_ = 0;  // end of the last `:=` or `yield` seen
  int depth_ = 0;
  int bracket_depth_ = 0;
  int formatted_depth_ = 0;     // f-strings around the current tokens
  int hidden_count_ = 0;        // variables that no program can name
  int waits_ = 0;               // how often the frame waits so far
  bool in_function_ = false;    // directly inside a function
  bool in_async_ = false;       // which is an `async def`
  bool yields_ = false;         // which yields
  Span valued_return_;          // where the function first returns a value; empty: nowhere
  bool trying_ = false;         // speculating: errors are cheap and never shown
  Expr* operand_ = nullptr;     // the last operand parsed where an expression starts
  uint32_t operand_begin_ = 0;  // where its text begins
  uint32_t operand_end_ = 0;    // where its text ends
};

// Reads the rest of a tuple after its first element, or gives the element back.
template <class ParseElement>
Expr* Parser::parse_tuple_tail(uint32_t begin, Expr* first, ParseElement parse_element) {
  if (!at(TokenKind::kComma)) return first;
  ExprBuilder elements;
  elements.push(first);
  while (take(TokenKind::kComma)) {
    if (!starts_expression(kind()) && !at(TokenKind::kStar)) break;
    elements.push((this->*parse_element)());
  }
  auto* tuple = make<Tuple>(begin);
  tuple->elts = finish(elements);
  return tuple;
}

}  // namespace strider::syntax
