// Simple statements, and lines of them.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

namespace {

// The tokens from `+=` to `|=` come in the order of the operators.
bool augmented_operator(TokenKind token, BinaryOperator& op) {
  static_assert(static_cast<int>(TokenKind::kBitOrAssign) -
                    static_cast<int>(TokenKind::kAddAssign) ==
                static_cast<int>(BinaryOperator::kBitOr));
  if (token < TokenKind::kAddAssign || token > TokenKind::kBitOrAssign) return false;
  int index = static_cast<int>(token) - static_cast<int>(TokenKind::kAddAssign);
  op = static_cast<BinaryOperator>(index);
  return true;
}

bool is_single_target(const Expr* target) {
  return target->kind == Kind::kName || target->kind == Kind::kAttribute ||
         target->kind == Kind::kSubscript;
}

}  // namespace

Body Parser::parse_file() {
  SequenceBuilder<Stmt*> body;
  while (!at(TokenKind::kEndMarker)) parse_statement(body);
  return finish(body);
}

Body Parser::parse_interactive() {
  SequenceBuilder<Stmt*> body;
  if (!at(TokenKind::kEndMarker)) parse_statement(body);
  if (!at(TokenKind::kEndMarker)) {
    if (at(TokenKind::kError)) fail_invalid_syntax();
    fail("multiple statements found while compiling a single statement", token().span);
  }
  return finish(body);
}

Body Parser::parse_eval() {
  uint32_t start = begin();
  std::string_view before = tree_.source->text().substr(0, start);
  if (before.ends_with(' ') || before.ends_with('\t')) {
    std::size_t line = before.rfind('\n') + 1;  // 0 where there is none
    if (before.find_first_not_of(" \t\f", line) == before.npos)
      fail_indentation("unexpected indent", {start - 1, start - 1}, false);
  }
  Expr* value = parse_star_expressions();
  auto* statement = make<ExprStmt>(start);
  statement->value = value;
  while (take(TokenKind::kNewline)) {
  }
  expect(TokenKind::kEndMarker);
  SequenceBuilder<Stmt*> body;
  body.push(statement);
  return finish(body);
}

void Parser::parse_statement(SequenceBuilder<Stmt*>& body) {
  if (Stmt* compound = parse_compound_statement()) {
    body.push(compound);
  } else {
    parse_simple_statements(body);
  }
}

// Simple statements up to the end of the line.
void Parser::parse_simple_statements(SequenceBuilder<Stmt*>& body) {
  do {
    body.push(parse_simple_statement());
  } while (take(TokenKind::kSemicolon) && !at(TokenKind::kNewline));
  expect(TokenKind::kNewline);
}

template <class T>
Stmt* Parser::parse_bare_statement() {
  uint32_t start = begin();
  advance();
  return make<T>(start);
}

Stmt* Parser::parse_simple_statement() {
  switch (kind()) {
    case TokenKind::kPass:
      return parse_bare_statement<Pass>();
    case TokenKind::kBreak:
      return parse_bare_statement<Break>();
    case TokenKind::kContinue:
      return parse_bare_statement<Continue>();
    case TokenKind::kReturn:
      return parse_return();
    case TokenKind::kRaise:
      return parse_raise();
    case TokenKind::kDel:
      return parse_delete();
    case TokenKind::kAssert:
      return parse_assert();
    case TokenKind::kImport:
      return parse_import();
    case TokenKind::kFrom:
      return parse_import_from();
    case TokenKind::kGlobal:
      return parse_name_declaration<Global>();
    case TokenKind::kNonlocal:
      return parse_name_declaration<Nonlocal>();
    default:
      return parse_expression_statement();
  }
}

Stmt* Parser::parse_expression_statement() {
  uint32_t start = begin();
  report_legacy_print();
  Expr* value = parse_yield_or_star_expressions();
  BinaryOperator op;
  if (at(TokenKind::kAssign)) return parse_assignment(start, value);
  if (augmented_operator(kind(), op)) return parse_augmented_assignment(start, value, op);
  if (at(TokenKind::kColon)) return parse_annotated_assignment(start, value);
  auto* statement = make<ExprStmt>(start);
  statement->value = value;
  return statement;
}

Expr* Parser::parse_assigned_value() { return parse_yield_or_star_expressions(); }

Stmt* Parser::parse_assignment(uint32_t begin, Expr* first) {
  SequenceBuilder<Expr*, 4> targets;
  Expr* value = first;
  while (at(TokenKind::kAssign)) {
    const auto* from = node_if<YieldFrom>(value);
    bool is_yield = value->kind == Kind::kYield || (from && !from->awaits);
    if (is_yield && !value->parenthesized) {
      fail("assignment to yield expression not possible", value->span);
    }
    if (targets.empty()) report_assignment_to_value(value, begin);
    require_target(value, Use::kAssign);
    set_context(value, ExprContext::kStore);
    targets.push(value);
    advance();
    value = parse_assigned_value();
  }
  auto* statement = make<Assign>(begin);
  statement->targets = finish(targets);
  statement->value = value;
  return statement;
}

Stmt* Parser::parse_augmented_assignment(uint32_t begin, Expr* target, BinaryOperator op) {
  if (!is_single_target(target)) {
    fail("'" + describe_expression(target) + "' is an illegal expression for augmented assignment",
         target->span);
  }
  set_context(target, ExprContext::kStore);
  advance();
  Expr* value = parse_assigned_value();
  auto* statement = make<AugAssign>(begin);
  statement->target = target;
  statement->op = op;
  statement->value = value;
  return statement;
}

Stmt* Parser::parse_annotated_assignment(uint32_t begin, Expr* target) {
  if (!is_single_target(target)) {
    bool display = target->kind == Kind::kList || target->kind == Kind::kTuple;
    if (display) {
      fail("only single target (not " + describe_expression(target) + ") can be annotated",
           target->span);
    }
    reject_annotation_of(target);
  }
  set_context(target, ExprContext::kStore);
  expect(TokenKind::kColon);
  Expr* annotation = parse_expression();
  Expr* value = take(TokenKind::kAssign) ? parse_assigned_value() : nullptr;
  auto* statement = make<AnnAssign>(begin);
  statement->target = target;
  statement->annotation = annotation;
  statement->value = value;
  statement->simple = target->kind == Kind::kName && !target->parenthesized;
  return statement;
}

Stmt* Parser::parse_return() {
  uint32_t start = begin();
  advance();
  bool has_value = !at(TokenKind::kNewline) && !at(TokenKind::kSemicolon);
  Expr* value = has_value ? parse_star_expressions() : nullptr;
  if (value && !valued_return_.end) valued_return_ = from(start);
  auto* statement = make<Return>(start);
  statement->value = value;
  return statement;
}

Stmt* Parser::parse_raise() {
  uint32_t start = begin();
  advance();
  bool has_value = !at(TokenKind::kNewline) && !at(TokenKind::kSemicolon);
  Expr* exc = has_value ? parse_expression() : nullptr;
  Expr* cause = exc && take(TokenKind::kFrom) ? parse_expression() : nullptr;
  auto* statement = make<Raise>(start);
  statement->exc = exc;
  statement->cause = cause;
  return statement;
}

Stmt* Parser::parse_delete() {
  uint32_t start = begin();
  advance();
  ExprBuilder targets;
  do {
    if (!targets.empty() && !starts_expression(kind()) && !at(TokenKind::kStar)) break;
    targets.push(parse_star_expression());
    require_target(targets.back(), Use::kDelete);
    set_context(targets.back(), ExprContext::kDel);
  } while (take(TokenKind::kComma));
  auto* statement = make<Delete>(start);
  statement->targets = finish(targets);
  return statement;
}

Stmt* Parser::parse_assert() {
  uint32_t start = begin();
  advance();
  Expr* test = parse_expression();
  Expr* msg = take(TokenKind::kComma) ? parse_expression() : nullptr;
  auto* statement = make<Assert>(start);
  statement->test = test;
  statement->msg = msg;
  return statement;
}

template <class T>
Stmt* Parser::parse_name_declaration() {
  uint32_t start = begin();
  advance();
  SequenceBuilder<Identifier, 4> names;
  do {
    names.push(take_name());
  } while (take(TokenKind::kComma));
  auto* statement = make<T>(start);
  statement->names = finish(names);
  return statement;
}

}  // namespace strider::syntax
