// Attributes, calls and subscripts; a chain of them is read in a loop.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

Expr* Parser::parse_primary() {
  uint32_t start = begin();
  Expr* value = parse_atom();
  while (true) {
    switch (kind()) {
      case TokenKind::kDot:
        value = parse_attribute(start, value);
        break;
      case TokenKind::kLeftParenthesis:
        value = parse_call(start, value);
        break;
      case TokenKind::kLeftBracket:
        value = parse_subscript(start, value);
        break;
      default:
        return value;
    }
  }
}

Expr* Parser::parse_attribute(uint32_t begin, Expr* value) {
  advance();
  Span attr_span = token().span;
  Identifier attr = take_name();
  auto* node = make<Attribute>(begin);
  node->value = value;
  node->attr = attr;
  node->attr_span = attr_span;
  return node;
}

Expr* Parser::parse_subscript(uint32_t begin, Expr* value) {
  Nesting nesting(*this);
  open_bracket(TokenKind::kLeftBracket);
  Expr* slice = parse_slices();
  close_bracket(TokenKind::kRightBracket);
  auto* node = make<Subscript>(begin);
  node->value = value;
  node->slice = slice;
  return node;
}

Expr* Parser::parse_slices() {
  uint32_t start = begin();
  Expr* first = parse_slice();
  if (!at(TokenKind::kComma) && first->kind != Kind::kStarred) return first;
  ExprBuilder elements;
  elements.push(first);
  while (take(TokenKind::kComma) && !at(TokenKind::kRightBracket)) elements.push(parse_slice());
  auto* tuple = make<Tuple>(start);
  tuple->elts = finish(elements);
  return tuple;
}

Expr* Parser::parse_slice() {
  uint32_t start = begin();
  if (at(TokenKind::kStar)) return parse_starred();
  Expr* lower = at(TokenKind::kColon) ? nullptr : parse_named_expression();
  if (!at(TokenKind::kColon)) return lower;
  if (lower && lower->kind == Kind::kNamedExpr && !lower->parenthesized) fail_invalid_syntax();
  advance();
  auto at_slice_end = [this] { return at(TokenKind::kComma) || at(TokenKind::kRightBracket); };
  Expr* upper = at(TokenKind::kColon) || at_slice_end() ? nullptr : parse_expression();
  Expr* step = nullptr;
  if (take(TokenKind::kColon) && !at_slice_end()) step = parse_expression();
  auto* slice = make<Slice>(start);
  slice->lower = lower;
  slice->upper = upper;
  slice->step = step;
  return slice;
}

Expr* Parser::parse_call(uint32_t begin, Expr* func) {
  Nesting nesting(*this);
  uint32_t open = this->begin();
  open_bracket(TokenKind::kLeftParenthesis);
  ArgumentList list;
  while (!at(TokenKind::kRightParenthesis)) {
    parse_call_argument(list, open);
    if (!take(TokenKind::kComma)) break;
  }
  close_bracket(TokenKind::kRightParenthesis);
  auto* call = make<Call>(begin);
  call->func = func;
  call->args = finish(list.args);
  call->keywords = finish(list.keywords);
  if (call->args.size() == 1 && call->keywords.empty()) {
    // The sole generator expression of a call shares the call's parentheses.
    auto* generator = node_if<GeneratorExp>(call->args[0]);
    if (generator && !generator->parenthesized && generator->span.begin == open) {
      generator->span.end = call->span.end;
    }
  }
  return call;
}

void Parser::parse_call_argument(ArgumentList& list, uint32_t open) {
  if (at(TokenKind::kDoubleStar)) return parse_mapping_argument(list);
  bool named = token(1).kind == TokenKind::kAssign;
  if (named && at(TokenKind::kName)) return parse_keyword_argument(list);
  bool constant = at(TokenKind::kTrue) || at(TokenKind::kFalse) || at(TokenKind::kNone);
  if (named && constant) {
    fail("cannot assign to " + std::string(token_text(kind())), {begin(), token(1).span.end});
  }
  parse_positional_argument(list, open);
}

void Parser::parse_keyword_argument(ArgumentList& list) {
  uint32_t start = begin();
  Identifier name = take_name();
  uint32_t equals_end = token().span.end;
  expect(TokenKind::kAssign);
  bool missing = at(TokenKind::kComma) || at(TokenKind::kRightParenthesis);
  if (missing) fail("expected argument value expression", {start, equals_end});
  Expr* value = parse_expression();
  if (at(TokenKind::kFor)) {
    fail("invalid syntax. Maybe you meant '==' or ':=' instead of '='?", {start, equals_end});
  }
  auto* keyword = make<Keyword>(start);
  keyword->arg = name;
  keyword->value = value;
  list.keywords.push(keyword);
}

void Parser::parse_mapping_argument(ArgumentList& list) {
  uint32_t start = begin();
  advance();
  Expr* value = parse_expression();
  auto* keyword = make<Keyword>(start);
  keyword->value = value;
  list.keywords.push(keyword);
  list.mapping_seen = true;
}

void Parser::parse_positional_argument(ArgumentList& list, uint32_t open) {
  uint32_t start = begin();
  if (at(TokenKind::kStar)) {
    if (list.mapping_seen) {
      fail("iterable argument unpacking follows keyword argument unpacking", token().span);
    }
    advance();
    Expr* value = parse_expression();
    auto* starred = make<Starred>(start);
    starred->value = value;
    list.args.push(starred);
    return;
  }
  int waits = waits_;
  Expr* value = parse_walrus_or_expression();
  if (at_comprehension()) {
    bool alone = list.args.empty() && list.keywords.empty();
    Expr* generator = parse_generator(alone ? open : start, value, waits);
    bool last = at(TokenKind::kRightParenthesis);
    bool trailing_comma = at(TokenKind::kComma) && token(1).kind == TokenKind::kRightParenthesis;
    if (!alone || !(last || trailing_comma)) {
      if (at(TokenKind::kComma) || last) {
        fail("Generator expression must be parenthesized", from(start));
      }
      fail_invalid_syntax();
    }
    if (trailing_comma) fail("Generator expression must be parenthesized", from(start));
    value = generator;
  } else if (at(TokenKind::kAssign)) {
    fail("expression cannot contain assignment, perhaps you meant \"==\"?",
         {start, token().span.end});
  }
  if (!list.keywords.empty()) {
    fail(list.mapping_seen ? "positional argument follows keyword argument unpacking"
                           : "positional argument follows keyword argument",
         token().span);
  }
  list.args.push(value);
}

}  // namespace strider::syntax
