// Short ways to parse, dump and provoke errors in the syntax tests.
#pragma once

#include <memory>
#include <string>

#include "interpreter/syntax/parser/parser.h"
#include "interpreter/syntax/resolver/resolver.h"
#include "interpreter/syntax/tree/dump.h"

namespace strider::syntax::test {

inline Tree parse_text(const std::string& text, Mode mode = Mode::kFile) {
  return parse(std::make_shared<const Source>("test.npx", text), mode);
}

// The dump of one expression.
inline std::string expression(const std::string& text) {
  std::string dumped = dump(parse_text(text, Mode::kEval));
  const std::string before = "Module(body=[Expr(value=";
  return dumped.substr(before.size(), dumped.size() - before.size() - 3);
}

// The dump of a statement.
inline std::string statement(const std::string& text) {
  std::string dumped = dump(parse_text(text));
  const std::string before = "Module(body=[";
  return dumped.substr(before.size(), dumped.size() - before.size() - 2);
}

// "Class line:column message" of the error that the text raises, or "none".
inline std::string error(const std::string& text, Mode mode = Mode::kFile) {
  try {
    Tree tree = parse_text(text, mode);
    resolve(tree);
  } catch (const SyntaxError& error) {
    Position place = error.source()->position(error.span().begin);
    return std::string(error.class_name()) + ' ' + std::to_string(place.line) + ':' +
           std::to_string(place.column) + ' ' + error.what();
  }
  return "none";
}

// The frame layouts of a resolved text.
inline std::string scopes(const std::string& text) {
  Tree tree = parse_text(text);
  resolve(tree);
  return dump_scopes(tree);
}

}  // namespace strider::syntax::test
