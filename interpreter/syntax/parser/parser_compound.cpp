// Compound statements: if, while, for, with, try.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

Stmt* Parser::parse_compound_statement() {
  switch (kind()) {
    case TokenKind::kIf:
      return parse_if();
    case TokenKind::kFor:
      return parse_for();
    case TokenKind::kWhile:
      return parse_while();
    case TokenKind::kDef:
      return parse_function({});
    case TokenKind::kClass:
      return parse_class({});
    case TokenKind::kAt:
      return parse_decorated();
    case TokenKind::kWith:
      return parse_with();
    case TokenKind::kTry:
      return parse_try();
    case TokenKind::kAsync:
      return parse_async({});
    default:
      return at_match_statement() ? parse_match() : nullptr;
  }
}

// The colon of a statement whose head may have ended in many ways.
void Parser::expect_block_colon() {
  if (take(TokenKind::kColon)) return;
  if (at(TokenKind::kNewline)) fail("expected ':'", token().span);
  fail_invalid_syntax();
}

// The body behind a colon: indented lines, or simple statements on the same line.
Body Parser::parse_block(BlockOwner owner) {
  SequenceBuilder<Stmt*> body;
  if (!take(TokenKind::kNewline)) {
    parse_simple_statements(body);
    return finish(body);
  }
  if (!take(TokenKind::kIndent)) {
    if (at(TokenKind::kError)) fail_invalid_syntax();
    fail_indentation(std::string("expected an indented block after ") + owner.what + " on line " +
                         std::to_string(line_of(owner.begin)),
                     {begin(), begin() + 1}, begin() >= tree_.source->text().size());
  }
  while (!at(TokenKind::kDedent) && !at(TokenKind::kEndMarker)) parse_statement(body);
  take(TokenKind::kDedent);
  return finish(body);
}

// The head and body of one branch; `orelse` comes later.
If* Parser::parse_if_branch(const char* what) {
  uint32_t start = begin();
  advance();
  Expr* test = parse_named_expression();
  expect_block_colon();
  Body body = parse_block({what, start});
  auto* branch = make<If>(start);
  branch->test = test;
  branch->body = body;
  return branch;
}

// A chain of `elif` nests in the tree but is built in a loop.
Stmt* Parser::parse_if() {
  SequenceBuilder<If*, 4> branches;
  branches.push(parse_if_branch("'if' statement"));
  while (at(TokenKind::kElif)) branches.push(parse_if_branch("'elif' statement"));
  branches.back()->orelse = parse_else();
  for (size_t i = branches.size() - 1; i > 0; --i) {
    Stmt* inner = branches[i];
    branches[i - 1]->orelse = tree_.arena.copy(&inner, 1);
  }
  for (size_t i = 0; i < branches.size(); ++i) branches[i]->span.end = previous_end_;
  return branches[0];
}

Body Parser::parse_else() {
  uint32_t start = begin();
  if (!take(TokenKind::kElse)) return {};
  expect_forced(TokenKind::kColon);
  return parse_block({"'else' statement", start});
}

Stmt* Parser::parse_while() {
  uint32_t start = begin();
  advance();
  Expr* test = parse_named_expression();
  expect_block_colon();
  Body body = parse_block({"'while' statement", start});
  Body orelse = parse_else();
  auto* loop = make<While>(start);
  loop->test = test;
  loop->body = body;
  loop->orelse = orelse;
  return loop;
}

Stmt* Parser::parse_for() {
  uint32_t start = begin();
  advance();
  Expr* target = parse_target_list();
  require_target(target, Use::kFor);
  set_context(target, ExprContext::kStore);
  expect(TokenKind::kIn);
  Expr* iter = parse_star_expressions();
  expect_block_colon();
  Body body = parse_block({"'for' statement", start});
  Body orelse = parse_else();
  auto* loop = make<For>(start);
  loop->target = target;
  loop->iter = iter;
  loop->body = body;
  loop->orelse = orelse;
  return loop;
}

Stmt* Parser::parse_with() {
  uint32_t start = begin();
  advance();
  SequenceBuilder<WithItem*, 4> items;
  if (!parse_parenthesized_with_items(items)) {
    do {
      items.push(parse_with_item());
    } while (take(TokenKind::kComma));
  }
  expect_block_colon();
  Body body = parse_block({"'with' statement", start});
  auto* statement = make<With>(start);
  statement->items = finish(items);
  statement->body = body;
  return statement;
}

// `with (a as b, c):`; false, without having moved, where the parentheses are an expression's.
bool Parser::parse_parenthesized_with_items(SequenceBuilder<WithItem*, 4>& items) {
  if (!at(TokenKind::kLeftParenthesis)) return false;
  Mark start = mark();
  bool was_trying = trying_;
  trying_ = true;
  SequenceBuilder<WithItem*, 4> found;
  bool fits = true;
  try {
    open_bracket(TokenKind::kLeftParenthesis);
    do {
      found.push(parse_with_item());
    } while (take(TokenKind::kComma) && !at(TokenKind::kRightParenthesis));
    close_bracket(TokenKind::kRightParenthesis);
    fits = at(TokenKind::kColon) || at(TokenKind::kNewline);
  } catch (const SyntaxError&) {
    fits = false;
  }
  trying_ = was_trying;
  if (fits) {
    items = found;
  } else {
    rewind(start);
  }
  return fits;
}

WithItem* Parser::parse_with_item() {
  uint32_t start = begin();
  Expr* context = parse_expression();
  Expr* target = nullptr;
  if (take(TokenKind::kAs)) {
    target = parse_target();
    require_target(target, Use::kAssign);
    set_context(target, ExprContext::kStore);
  }
  auto* item = make<WithItem>(start);
  item->context_expr = context;
  item->optional_vars = target;
  return item;
}

Stmt* Parser::parse_try() {
  uint32_t start = begin();
  advance();
  expect_forced(TokenKind::kColon);
  Body body = parse_block({"'try' statement", start});
  SequenceBuilder<ExceptHandler*, 4> handlers;
  bool starred = at(TokenKind::kExcept) && token(1).kind == TokenKind::kStar;
  while (at(TokenKind::kExcept)) {
    if (starred != (token(1).kind == TokenKind::kStar))
      fail("cannot have both 'except' and 'except*' on the same 'try'", token().span);
    handlers.push(parse_handler());
  }
  Body orelse = handlers.empty() ? Body{} : parse_else();
  uint32_t finally = begin();
  Body finalbody;
  if (take(TokenKind::kFinally)) {
    expect_forced(TokenKind::kColon);
    finalbody = parse_block({"'finally' statement", finally});
  }
  if (handlers.empty() && finalbody.empty()) {
    if (at(TokenKind::kError)) fail_invalid_syntax();
    fail("expected 'except' or 'finally' block", token().span);
  }
  auto* statement = make<Try>(start);
  statement->body = body;
  statement->handlers = starred ? finish_star_handlers(start, handlers) : finish(handlers);
  statement->orelse = orelse;
  statement->finalbody = finalbody;
  return statement;
}

ExceptHandler* Parser::parse_handler() {
  uint32_t start = begin();
  advance();
  bool starred = take(TokenKind::kStar);
  if (starred && at(TokenKind::kColon)) fail("expected one or more exception types", token().span);
  Expr* type = nullptr;
  Identifier name;
  if (!at(TokenKind::kColon)) {
    if (at(TokenKind::kNewline)) fail("expected ':'", token().span);
    uint32_t type_begin = begin();
    type = parse_expression();
    if (at(TokenKind::kComma)) {
      advance();
      parse_star_expressions();
      fail("multiple exception types must be parenthesized", from(type_begin));
    }
    if (take(TokenKind::kAs)) name = take_name();
  }
  expect_block_colon();
  Body body = parse_block({"'except' statement", start});
  auto* handler = make<ExceptHandler>(start);
  handler->type = type;
  handler->name = name;
  handler->body = body;
  return handler;
}

}  // namespace strider::syntax
