// Expressions from `a, *b` down to operators. Chains of one operator are read in loops.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

namespace {

constexpr int kPrecedences[] = {
#define STRIDER_BINARY(name, symbol, precedence) precedence,
#include "interpreter/syntax/tree/ast.def"
};

// The tokens from `+` to `|` come in the order of the operators.
bool binary_operator(TokenKind token, BinaryOperator& op) {
  static_assert(static_cast<int>(TokenKind::kBar) - static_cast<int>(TokenKind::kPlus) ==
                static_cast<int>(BinaryOperator::kBitOr));
  if (token < TokenKind::kPlus || token > TokenKind::kBar) return false;
  op = static_cast<BinaryOperator>(static_cast<int>(token) - static_cast<int>(TokenKind::kPlus));
  return true;
}

int precedence_of(BinaryOperator op) { return kPrecedences[static_cast<size_t>(op)]; }

}  // namespace

Expr* Parser::parse_star_expressions() {
  uint32_t start = begin();
  Expr* first = parse_star_expression();
  return parse_tuple_tail(start, first, &Parser::parse_star_expression);
}

Expr* Parser::parse_yield_or_star_expressions() {
  return at(TokenKind::kYield) ? parse_yield() : parse_star_expressions();
}

Expr* Parser::parse_starred() {
  uint32_t start = begin();
  expect(TokenKind::kStar);
  Expr* value = parse_binary(0);
  auto* starred = make<Starred>(start);
  starred->value = value;
  return starred;
}

Expr* Parser::parse_star_expression() {
  return at(TokenKind::kStar) ? parse_starred() : parse_expression();
}

Expr* Parser::parse_star_named_expression() {
  return at(TokenKind::kStar) ? parse_starred() : parse_named_expression();
}

Expr* Parser::parse_named_expression() {
  uint32_t start = begin();
  Expr* value = parse_walrus_or_expression();
  if (at(TokenKind::kAssign)) report_assignment_in_expression(value, start);
  return value;
}

Expr* Parser::parse_walrus_or_expression() {
  uint32_t start = begin();
  Expr* target = parse_expression();
  if (!at(TokenKind::kWalrus)) return target;
  if (target->kind != Kind::kName || target->parenthesized) {
    fail("cannot use assignment expressions with " + describe_expression(target), target->span);
  }
  advance();
  Expr* value = parse_expression();
  note_effect();
  auto* named = make<NamedExpr>(start);
  named->target = node_as<Name>(target);
  named->target->ctx = ExprContext::kStore;
  named->value = value;
  return named;
}

// One expression without star, walrus or comma.
Expr* Parser::parse_expression() {
  Nesting nesting(*this);
  if (at(TokenKind::kLambda)) return parse_lambda();
  uint32_t start = begin();
  Expr* body = parse_disjunction();
  operand_ = body;
  operand_begin_ = start;
  operand_end_ = previous_end_;
  if (!take(TokenKind::kIf)) return body;
  Expr* test = parse_disjunction();
  if (!at(TokenKind::kElse) && !at(TokenKind::kColon) && !at(TokenKind::kError)) {
    fail("expected 'else' after 'if' expression", from(start));
  }
  expect(TokenKind::kElse);
  Expr* orelse = parse_expression();
  auto* choice = make<IfExp>(start);
  choice->test = test;
  choice->body = body;
  choice->orelse = orelse;
  return choice;
}

Expr* Parser::finish_bool_op(uint32_t begin, BoolOperator op, Expr* first) {
  bool is_or = op == BoolOperator::kOr;
  ExprBuilder values;
  values.push(first);
  while (take(is_or ? TokenKind::kOr : TokenKind::kAnd)) {
    values.push(is_or ? parse_conjunction() : parse_inversion());
  }
  auto* node = make<BoolOp>(begin);
  node->op = op;
  node->values = finish(values);
  return node;
}

Expr* Parser::parse_disjunction() {
  uint32_t start = begin();
  Expr* first = parse_conjunction();
  return at(TokenKind::kOr) ? finish_bool_op(start, BoolOperator::kOr, first) : first;
}

Expr* Parser::parse_conjunction() {
  uint32_t start = begin();
  Expr* first = parse_inversion();
  return at(TokenKind::kAnd) ? finish_bool_op(start, BoolOperator::kAnd, first) : first;
}

Expr* Parser::parse_inversion() {
  if (!at(TokenKind::kNot)) return parse_comparison();
  Nesting nesting(*this);
  uint32_t start = begin();
  advance();
  Expr* operand = parse_inversion();
  auto* node = make<UnaryOp>(start);
  node->op = UnaryOperator::kNot;
  node->operand = operand;
  return node;
}

bool Parser::take_compare_operator(CompareOperator& op) {
  using enum TokenKind;
  switch (kind()) {
    case kEqual:
      op = CompareOperator::kEq;
      break;
    case kNotEqual:
      op = CompareOperator::kNotEq;
      break;
    case kLess:
      op = CompareOperator::kLt;
      break;
    case kLessEqual:
      op = CompareOperator::kLtE;
      break;
    case kGreater:
      op = CompareOperator::kGt;
      break;
    case kGreaterEqual:
      op = CompareOperator::kGtE;
      break;
    case kIn:
      op = CompareOperator::kIn;
      break;
    case kIs:
      advance();
      op = take(kNot) ? CompareOperator::kIsNot : CompareOperator::kIs;
      return true;
    case kNot:
      if (token(1).kind != kIn) return false;
      advance();
      op = CompareOperator::kNotIn;
      break;
    default:
      return false;
  }
  advance();
  return true;
}

Expr* Parser::parse_comparison() {
  uint32_t start = begin();
  Expr* left = parse_binary(0);
  CompareOperator op;
  if (!take_compare_operator(op)) return left;
  SequenceBuilder<CompareOperator> ops;
  ExprBuilder comparators;
  do {
    ops.push(op);
    comparators.push(parse_binary(0));
  } while (take_compare_operator(op));
  auto* node = make<Compare>(start);
  node->left = left;
  node->ops = finish(ops);
  node->comparators = finish(comparators);
  return node;
}

// Operators from `|` to `*`, by precedence; operators of one level associate to the left.
Expr* Parser::parse_binary(int least_precedence) {
  uint32_t start = begin();
  Expr* left = parse_unary();
  BinaryOperator op;
  while (binary_operator(kind(), op) && precedence_of(op) >= least_precedence) {
    Span op_span = token().span;
    advance();
    Expr* right = parse_binary(precedence_of(op) + 1);
    auto* node = make<BinOp>(start);
    node->left = left;
    node->op = op;
    node->right = right;
    node->op_span = op_span;
    left = node;
  }
  return left;
}

Expr* Parser::parse_unary() {
  UnaryOperator op;
  switch (kind()) {
    case TokenKind::kMinus:
      op = UnaryOperator::kUSub;
      break;
    case TokenKind::kPlus:
      op = UnaryOperator::kUAdd;
      break;
    case TokenKind::kTilde:
      op = UnaryOperator::kInvert;
      break;
    default:
      return parse_power();
  }
  Nesting nesting(*this);
  uint32_t start = begin();
  advance();
  Expr* operand = parse_unary();
  auto* node = make<UnaryOp>(start);
  node->op = op;
  node->operand = operand;
  return node;
}

Expr* Parser::parse_power() {
  uint32_t start = begin();
  Expr* base = at(TokenKind::kAwait) ? parse_await() : parse_primary();
  if (!at(TokenKind::kDoubleStar)) return base;
  Nesting nesting(*this);
  Span op_span = token().span;
  advance();
  Expr* exponent = parse_unary();
  auto* node = make<BinOp>(start);
  node->left = base;
  node->op = BinaryOperator::kPow;
  node->right = exponent;
  node->op_span = op_span;
  return node;
}

Expr* Parser::parse_lambda() {
  uint32_t start = begin();
  expect(TokenKind::kLambda);
  Arguments* args = parse_parameters(TokenKind::kColon);
  expect(TokenKind::kColon);
  bool was_async = std::exchange(in_async_, false);
  bool was_function = std::exchange(in_function_, true);
  Expr* body = parse_expression();
  in_async_ = was_async;
  in_function_ = was_function;
  auto* lambda = make<Lambda>(start);
  lambda->args = args;
  lambda->body = body;
  return lambda;
}

Expr* Parser::parse_yield() {
  uint32_t start = begin();
  expect(TokenKind::kYield);
  Expr* result;
  if (take(TokenKind::kFrom)) {
    if (in_async_) fail("'yield from' inside async function", from(start));
    Expr* value = parse_expression();
    note_effect();
    auto* node = make<YieldFrom>(start);
    node->value = value;
    result = node;
  } else {
    bool has_value = starts_expression(kind()) || at(TokenKind::kStar);
    Expr* value = has_value ? parse_star_expressions() : nullptr;
    if (in_async_) {
      yields_ = true;
      value = call_hidden(start, ".value", {value ? value : make_none(start)});
    }
    note_effect();
    auto* node = make<Yield>(start);
    node->value = value;
    result = node;
  }
  return result;
}

}  // namespace strider::syntax
