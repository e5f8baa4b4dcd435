// Completeness from the parser's own verdict.
#include "interpreter/syntax/completeness.h"

#include <algorithm>
#include <memory>
#include <string>

#include "interpreter/syntax/parser/parser.h"
#include "interpreter/syntax/resolver/resolver.h"

namespace strider::syntax {

namespace {

constexpr int kIndentWidth = 4;

std::string_view last_line(std::string_view text) {
  size_t end = text.find_last_of('\n');
  return end == text.npos ? text : text.substr(end + 1);
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\f") == line.npos; }

int indent_of(std::string_view line) {
  size_t first = line.find_first_not_of(' ');
  return static_cast<int>(first == line.npos ? 0 : first);
}

// The text without line ends at its end.
std::string_view without_last_newlines(std::string_view text) {
  size_t last = text.find_last_not_of("\r\n");
  return last == text.npos ? std::string_view{} : text.substr(0, last + 1);
}

// The last line that holds code, comments aside.
std::string_view last_code_line(std::string_view text) {
  while (true) {
    text = without_last_newlines(text);
    std::string_view line = last_line(text);
    bool code = !is_blank(line) && line[line.find_first_not_of(" \t")] != '#';
    if (code || line.size() == text.size()) return line;
    text.remove_suffix(line.size() + 1);
  }
}

// The indent of the line that would follow: deeper behind a colon, shallower behind a leaving
// statement.
int next_indent(std::string_view text) {
  std::string_view line = last_code_line(text);
  int indent = indent_of(line);
  std::string_view code = line.substr(0, line.find_last_not_of(" \t\r") + 1);
  if (code.ends_with(':')) return indent + kIndentWidth;
  code.remove_prefix(std::min(code.size(), static_cast<size_t>(indent)));
  std::string_view word = code.substr(0, code.find_first_of(" \t(;"));
  bool leaves = word == "return" || word == "raise" || word == "pass" || word == "break" ||
                word == "continue";
  return leaves ? std::max(0, indent - kIndentWidth) : indent;
}

bool is_compound(const Stmt* statement) {
  switch (statement->kind) {
    case Kind::kFunctionDef:
    case Kind::kClassDef:
    case Kind::kFor:
    case Kind::kWhile:
    case Kind::kIf:
    case Kind::kWith:
    case Kind::kMatch:
    case Kind::kTry:
      return true;
    default:
      return false;
  }
}

// Whether the last statement is a block that more lines could still extend; a blank line ends it.
bool may_go_on(const Tree& tree) {
  if (tree.module->body.empty()) return false;
  bool ended = is_blank(last_line(tree.source->text()));
  return is_compound(tree.module->body.back()) && !ended;
}

}  // namespace

Completeness is_complete(std::string_view text) {
  if (is_blank(text)) return {};
  auto source = std::make_shared<const Source>("<input>", std::string(text));
  try {
    Tree tree = parse(source);
    resolve(tree);
    if (!may_go_on(tree)) return {};
    return {CompletenessState::kIncomplete, next_indent(text)};
  } catch (const SyntaxError& error) {
    if (!error.incomplete()) return {CompletenessState::kInvalid, 0};
    return {CompletenessState::kIncomplete, next_indent(text)};
  }
}

}  // namespace strider::syntax
