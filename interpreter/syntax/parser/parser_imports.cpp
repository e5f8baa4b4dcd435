// `import` and `from ... import`.
#include "interpreter/syntax/parser/parser_state.h"

namespace strider::syntax {

Identifier Parser::parse_dotted_name() {
  Identifier first = take_name();
  if (!at(TokenKind::kDot)) return first;
  std::string dotted(first);
  while (take(TokenKind::kDot)) {
    dotted += '.';
    dotted += take_name();
  }
  return tree_.names.intern_copy(dotted, tree_.arena);
}

Alias* Parser::parse_alias(bool dotted) {
  uint32_t start = begin();
  Identifier name = dotted ? parse_dotted_name() : take_name();
  Identifier asname = take(TokenKind::kAs) ? take_name() : Identifier{};
  auto* alias = make<Alias>(start);
  alias->name = name;
  alias->asname = asname;
  return alias;
}

Stmt* Parser::parse_import() {
  uint32_t start = begin();
  advance();
  SequenceBuilder<Alias*, 4> names;
  do {
    names.push(parse_alias(true));
  } while (take(TokenKind::kComma));
  auto* statement = make<Import>(start);
  statement->names = finish(names);
  return statement;
}

int Parser::parse_import_dots() {
  int level = 0;
  while (true) {
    if (take(TokenKind::kDot)) {
      ++level;
    } else if (take(TokenKind::kEllipsis)) {
      level += 3;
    } else {
      return level;
    }
  }
}

Stmt* Parser::parse_import_from() {
  uint32_t start = begin();
  advance();
  int level = parse_import_dots();
  bool nameless = level > 0 && at(TokenKind::kImport);
  Identifier module = nameless ? Identifier{} : parse_dotted_name();
  expect(TokenKind::kImport);
  Sequence<Alias*> names = parse_imported_names();
  auto* statement = make<ImportFrom>(start);
  statement->module = module;
  statement->names = names;
  statement->level = level;
  return statement;
}

Sequence<Alias*> Parser::parse_imported_names() {
  SequenceBuilder<Alias*> names;
  if (at(TokenKind::kStar)) {
    uint32_t start = begin();
    advance();
    auto* alias = make<Alias>(start);
    alias->name = tree_.names.intern("*");
    names.push(alias);
    return finish(names);
  }
  bool parenthesized = at(TokenKind::kLeftParenthesis);
  if (parenthesized) open_bracket(TokenKind::kLeftParenthesis);
  names.push(parse_alias(false));
  while (take(TokenKind::kComma)) {
    if (parenthesized && at(TokenKind::kRightParenthesis)) break;
    if (!parenthesized && at(TokenKind::kNewline)) {
      fail("trailing comma not allowed without surrounding parentheses", token().span);
    }
    names.push(parse_alias(false));
  }
  if (parenthesized) close_bracket(TokenKind::kRightParenthesis);
  return finish(names);
}

}  // namespace strider::syntax
