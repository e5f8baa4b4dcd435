// Functions, classes and their decorators.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

Stmt* Parser::parse_decorated() {
  ExprBuilder decorators;
  while (take(TokenKind::kAt)) {
    decorators.push(parse_named_expression());
    expect(TokenKind::kNewline);
  }
  if (at(TokenKind::kDef)) return parse_function(finish(decorators));
  if (at(TokenKind::kClass)) return parse_class(finish(decorators));
  if (at(TokenKind::kAsync)) return parse_async(finish(decorators));
  fail_invalid_syntax();
}

Stmt* Parser::parse_function(Sequence<Expr*> decorators, bool is_async) {
  uint32_t start = begin();
  advance();
  Span name_span = token().span;
  Identifier name = take_name();
  if (!at(TokenKind::kLeftParenthesis)) expect_forced(TokenKind::kLeftParenthesis);
  open_bracket(TokenKind::kLeftParenthesis);
  Arguments* args = parse_parameters(TokenKind::kRightParenthesis);
  close_bracket(TokenKind::kRightParenthesis);
  Expr* returns = take(TokenKind::kArrow) ? parse_expression() : nullptr;
  expect_forced(TokenKind::kColon);
  bool was_async = std::exchange(in_async_, is_async);
  Span outer_return = std::exchange(valued_return_, Span());
  bool was_function = std::exchange(in_function_, true);
  Body body = parse_block({"function definition", start});
  if (is_async && yields_ && valued_return_.end)
    fail("'return' with value in async generator", valued_return_);
  in_async_ = was_async;
  in_function_ = was_function;
  valued_return_ = outer_return;
  auto* function = make<FunctionDef>(start);
  function->name = name;
  function->name_span = name_span;
  function->args = args;
  function->body = body;
  function->decorator_list = decorators;
  function->returns = returns;
  return function;
}

Stmt* Parser::parse_class(Sequence<Expr*> decorators) {
  uint32_t start = begin();
  advance();
  Span name_span = token().span;
  Identifier name = take_name();
  ArgumentList list;
  if (at(TokenKind::kLeftParenthesis)) {
    uint32_t open = begin();
    open_bracket(TokenKind::kLeftParenthesis);
    while (!at(TokenKind::kRightParenthesis)) {
      uint32_t base_begin = begin();
      parse_call_argument(list, open);
      bool generator = !list.args.empty() && list.args.back()->kind == Kind::kGeneratorExp &&
                       !list.args.back()->parenthesized;
      if (generator) fail("invalid syntax", from(base_begin));
      if (!take(TokenKind::kComma)) break;
    }
    close_bracket(TokenKind::kRightParenthesis);
  }
  expect_block_colon();
  bool was_async = std::exchange(in_async_, false);
  bool was_function = std::exchange(in_function_, false);
  Body body = parse_block({"class definition", start});
  in_async_ = was_async;
  in_function_ = was_function;
  auto* definition = make<ClassDef>(start);
  definition->name = name;
  definition->name_span = name_span;
  definition->bases = finish(list.args);
  definition->keywords = finish(list.keywords);
  definition->body = body;
  definition->decorator_list = decorators;
  return definition;
}

}  // namespace strider::syntax
