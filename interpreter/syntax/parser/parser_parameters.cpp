// Parameters of functions and lambdas.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

// Reads parameters up to `closing`: ')' of a function, ':' of a lambda.
Arguments* Parser::parse_parameters(TokenKind closing) {
  uint32_t start = begin();
  ParameterList list;
  while (!at(closing)) {
    if (list.kwarg) fail("arguments cannot follow var-keyword argument", token().span);
    parse_parameter(list, closing);
    if (!take(TokenKind::kComma)) break;
  }
  bool bare_star = list.star_seen && !list.vararg && list.kwonlyargs.empty();
  if (bare_star) fail("named arguments must follow bare *", token().span);
  auto* arguments = make<Arguments>(start);
  if (arguments->span.end < start) arguments->span.end = start;
  arguments->posonlyargs = finish(list.posonlyargs);
  arguments->args = finish(list.args);
  arguments->vararg = list.vararg;
  arguments->kwonlyargs = finish(list.kwonlyargs);
  arguments->kw_defaults = finish(list.kw_defaults);
  arguments->kwarg = list.kwarg;
  arguments->defaults = finish(list.defaults);
  return arguments;
}

void Parser::parse_parameter(ParameterList& list, TokenKind closing) {
  if (at(TokenKind::kSlash)) return parse_slash(list);
  if (at(TokenKind::kStar)) return parse_star_parameter(list, closing);
  if (at(TokenKind::kDoubleStar)) return parse_mapping_parameter(list, closing);
  if (at(TokenKind::kLeftParenthesis)) {
    const char* what = closing == TokenKind::kColon ? "Lambda expression" : "Function";
    fail(std::string(what) + " parameters cannot be parenthesized", token().span);
  }
  Arg* argument = parse_argument(closing, false);
  Span name_span = argument->span;
  Expr* value = parse_default(closing);
  if (list.star_seen) {
    list.kwonlyargs.push(argument);
    list.kw_defaults.push(value);
    return;
  }
  list.args.push(argument);
  if (value) {
    list.defaults.push(value);
  } else if (!list.defaults.empty()) {
    fail("non-default argument follows default argument", name_span);
  }
}

void Parser::parse_slash(ParameterList& list) {
  Span here = token().span;
  advance();
  if (list.slash_seen) fail("/ may appear only once", here);
  if (list.star_seen) fail("/ must be ahead of *", here);
  if (list.args.empty()) fail("at least one argument must precede /", here);
  if (at(TokenKind::kStar)) fail("expected comma between / and *", token().span);
  list.slash_seen = true;
  list.posonlyargs = list.args;
  list.args = {};
}

void Parser::parse_star_parameter(ParameterList& list, TokenKind closing) {
  Span here = token().span;
  advance();
  if (list.star_seen) fail("* argument may appear only once", here);
  list.star_seen = true;
  if (at(TokenKind::kComma)) {
    bool nothing_follows = token(1).kind == closing || token(1).kind == TokenKind::kDoubleStar;
    if (nothing_follows) fail("named arguments must follow bare *", here);
    return;
  }
  if (at(closing)) fail("named arguments must follow bare *", here);
  list.vararg = parse_argument(closing, true);
  if (at(TokenKind::kAssign)) {
    fail("var-positional argument cannot have default value", token().span);
  }
}

void Parser::parse_mapping_parameter(ParameterList& list, TokenKind closing) {
  advance();
  list.kwarg = parse_argument(closing, false);
  if (at(TokenKind::kAssign)) {
    fail("var-keyword argument cannot have default value", token().span);
  }
}

Arg* Parser::parse_argument(TokenKind closing, bool star_annotation) {
  uint32_t start = begin();
  Identifier name = take_name();
  Expr* annotation = nullptr;
  if (closing != TokenKind::kColon && take(TokenKind::kColon)) {
    bool starred = star_annotation && at(TokenKind::kStar);
    annotation = starred ? parse_starred() : parse_expression();
  }
  auto* argument = make<Arg>(start);
  argument->arg = name;
  argument->annotation = annotation;
  return argument;
}

Expr* Parser::parse_default(TokenKind closing) {
  Span equals = token().span;
  if (!take(TokenKind::kAssign)) return nullptr;
  if (at(closing) || at(TokenKind::kComma)) fail("expected default value expression", equals);
  return parse_expression();
}

}  // namespace strider::syntax
