// Names, constants, brackets: groups, tuples, lists, sets, dicts and comprehensions.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

Expr* Parser::parse_atom() {
  using enum TokenKind;
  switch (kind()) {
    case kName: {
      uint32_t start = begin();
      Identifier id = take_name();
      auto* name = make<Name>(start);
      name->id = id;
      return name;
    }
    case kNumber:
      return parse_number();
    case kString:
      return parse_strings();
    case kLeftParenthesis:
      return parse_parenthesized();
    case kLeftBracket:
      return parse_list();
    case kLeftBrace:
      return parse_braces();
    case kNone:
      return parse_constant(ConstantType::kNone);
    case kTrue:
      return parse_constant(ConstantType::kTrue);
    case kFalse:
      return parse_constant(ConstantType::kFalse);
    case TokenKind::kEllipsis:
      return parse_constant(ConstantType::kEllipsis);
    default:
      fail_invalid_syntax();
  }
}

Expr* Parser::parse_constant(ConstantType type) {
  uint32_t start = begin();
  advance();
  auto* constant = make<Constant>(start);
  constant->value.type = type;
  return constant;
}

Expr* Parser::parse_number() {
  uint32_t start = begin();
  advance();
  auto* constant = make<Constant>(start);
  constant->value = read_number(text(constant->span), tree_.arena);
  return constant;
}

void Parser::open_bracket(TokenKind opening) {
  expect(opening);
  ++bracket_depth_;
}

void Parser::close_bracket(TokenKind closing) {
  expect(closing);
  --bracket_depth_;
}

bool Parser::at_comprehension() const {
  return at(TokenKind::kFor) || (at(TokenKind::kAsync) && token(1).kind == TokenKind::kFor);
}

Expr* Parser::parse_parenthesized() {
  Nesting nesting(*this);
  uint32_t start = begin();
  open_bracket(TokenKind::kLeftParenthesis);
  return parse_group_content(start, TokenKind::kRightParenthesis);
}

// The inside of parentheses and what closes them: a group, a tuple or a generator expression.
Expr* Parser::parse_group_content(uint32_t begin, TokenKind closing) {
  if (at(closing)) {
    close_bracket(closing);
    return make<Tuple>(begin);
  }
  if (at(TokenKind::kYield)) {
    Expr* value = parse_yield();
    close_bracket(closing);
    value->parenthesized = true;
    return value;
  }
  if (at(TokenKind::kDoubleStar)) {
    Span stars = token().span;
    advance();
    parse_expression();
    fail(at(closing) ? "cannot use double starred expression here" : "invalid syntax", stars);
  }
  uint32_t start = this->begin();
  int waits = waits_;
  Expr* first = parse_star_named_expression();
  if (at_comprehension()) {
    if (first->kind == Kind::kStarred) {
      fail("iterable unpacking cannot be used in comprehension", first->span);
    }
    Expr* generator = parse_generator(begin, first, waits);
    close_bracket(closing);
    generator->span.end = previous_end_;
    generator->parenthesized = true;
    return generator;
  }
  Expr* content = parse_tuple_tail(start, first, &Parser::parse_star_named_expression);
  bool group = content == first;
  if (group && first->kind == Kind::kStarred && at(closing)) {
    fail("cannot use starred expression here", first->span);
  }
  reject_unparenthesized_target(content);
  close_bracket(closing);
  if (group) {
    first->parenthesized = true;
  } else {
    content->span = from(begin);
  }
  return content;
}

// `[a, b for a, b in c]`: the target of a comprehension needs parentheses.
void Parser::reject_unparenthesized_target(Expr* element) {
  if (!at(TokenKind::kFor)) return;
  fail("did you forget parentheses around the comprehension target?", element->span);
}

Expr* Parser::parse_list() {
  Nesting nesting(*this);
  uint32_t start = begin();
  open_bracket(TokenKind::kLeftBracket);
  ExprBuilder elements;
  uint32_t first_begin = begin();
  while (!at(TokenKind::kRightBracket)) {
    elements.push(parse_star_named_expression());
    if (elements.size() == 1 && at_comprehension()) {
      Expr* element = elements.back();
      if (element->kind == Kind::kStarred) {
        fail("iterable unpacking cannot be used in comprehension", element->span);
      }
      auto clauses = parse_comprehension_clauses();
      close_bracket(TokenKind::kRightBracket);
      auto* comprehension = make<ListComp>(start);
      comprehension->elt = element;
      comprehension->generators = clauses;
      return comprehension;
    }
    if (!take(TokenKind::kComma)) break;
  }
  if (at(TokenKind::kFor)) {
    fail("did you forget parentheses around the comprehension target?", from(first_begin));
  }
  close_bracket(TokenKind::kRightBracket);
  auto* list = make<List>(start);
  list->elts = finish(elements);
  return list;
}

Expr* Parser::parse_braces() {
  Nesting nesting(*this);
  uint32_t start = begin();
  open_bracket(TokenKind::kLeftBrace);
  if (at(TokenKind::kRightBrace) || at(TokenKind::kDoubleStar)) return parse_dict(start, nullptr);
  if (at(TokenKind::kStar)) return parse_set(start, parse_starred());
  Expr* first = parse_named_expression();
  if (!at(TokenKind::kColon)) return parse_set(start, first);
  if (first->kind == Kind::kNamedExpr && !first->parenthesized) fail_invalid_syntax();
  return parse_dict(start, first);
}

Expr* Parser::parse_set(uint32_t begin, Expr* first) {
  if (at_comprehension()) {
    if (first->kind == Kind::kStarred) {
      fail("iterable unpacking cannot be used in comprehension", first->span);
    }
    auto clauses = parse_comprehension_clauses();
    close_bracket(TokenKind::kRightBrace);
    auto* comprehension = make<SetComp>(begin);
    comprehension->elt = first;
    comprehension->generators = clauses;
    return comprehension;
  }
  ExprBuilder elements;
  elements.push(first);
  while (take(TokenKind::kComma) && !at(TokenKind::kRightBrace)) {
    elements.push(parse_star_named_expression());
  }
  if (at(TokenKind::kFor)) {
    fail("did you forget parentheses around the comprehension target?", from(first->span.begin));
  }
  close_bracket(TokenKind::kRightBrace);
  auto* set = make<Set>(begin);
  set->elts = finish(elements);
  return set;
}

// Pushes a key and a value; the key of `**value` is null. The first key may be read already.
void Parser::parse_dict_item(ExprBuilder& items, Expr* key) {
  if (!key && take(TokenKind::kDoubleStar)) {
    items.push(nullptr);
    items.push(parse_binary(0));
    return;
  }
  items.push(key ? key : parse_expression());
  bool lacks_colon =
      at(TokenKind::kComma) || at(TokenKind::kRightBrace) || (!key && starts_expression(kind()));
  if (lacks_colon) fail("':' expected after dictionary key", token().span);
  Span colon = token().span;
  expect(TokenKind::kColon);
  if (at(TokenKind::kStar)) {
    fail("cannot use a starred expression in a dictionary value", token().span);
  }
  if (at(TokenKind::kComma) || at(TokenKind::kRightBrace)) {
    fail("expression expected after dictionary key and ':'", colon);
  }
  items.push(parse_expression());
}

Expr* Parser::parse_dict(uint32_t begin, Expr* first_key) {
  ExprBuilder items;
  while (!at(TokenKind::kRightBrace)) {
    parse_dict_item(items, items.empty() ? first_key : nullptr);
    if (items.size() == 2 && at_comprehension()) {
      if (!items[0]) fail("dict unpacking cannot be used in dict comprehension", from(begin + 1));
      auto clauses = parse_comprehension_clauses();
      close_bracket(TokenKind::kRightBrace);
      auto* comprehension = make<DictComp>(begin);
      comprehension->key = items[0];
      comprehension->value = items[1];
      comprehension->generators = clauses;
      return comprehension;
    }
    if (!take(TokenKind::kComma)) break;
  }
  close_bracket(TokenKind::kRightBrace);
  ExprBuilder keys, values;
  for (size_t i = 0; i < items.size(); i += 2) {
    keys.push(items[i]);
    values.push(items[i + 1]);
  }
  auto* dict = make<Dict>(begin);
  dict->keys = finish(keys);
  dict->values = finish(values);
  return dict;
}

Sequence<Comprehension*> Parser::parse_comprehension_clauses() {
  SequenceBuilder<Comprehension*, 4> clauses;
  while (at_comprehension()) clauses.push(parse_comprehension_clause());
  return finish(clauses);
}

Expr* Parser::parse_clause_target() {
  expect(TokenKind::kFor);
  Expr* target = parse_target_list();
  if (!at(TokenKind::kIn)) require_target(target, Use::kFor);
  expect(TokenKind::kIn);
  require_target(target, Use::kFor);
  set_context(target, ExprContext::kStore);
  return target;
}

Comprehension* Parser::parse_comprehension_clause() {
  uint32_t start = begin();
  bool is_async = take(TokenKind::kAsync);
  Expr* target = parse_clause_target();
  Expr* iter = parse_disjunction();
  if (is_async) {
    if (!in_async_)
      fail("asynchronous comprehension outside of an asynchronous function", from(start));
    iter = suspended(start, call_hidden(start, ".collected", {iter}));
  }
  return make_clause(start, target, iter);
}

// A clause with the conditions that follow.
Comprehension* Parser::make_clause(uint32_t start, Expr* target, Expr* iter) {
  SequenceBuilder<Expr*, 2> ifs;
  while (take(TokenKind::kIf)) ifs.push(parse_disjunction());
  auto* clause = make<Comprehension>(start);
  clause->target = target;
  clause->iter = iter;
  clause->ifs = finish(ifs);
  return clause;
}

}  // namespace strider::syntax
