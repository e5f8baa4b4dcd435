// The parser's ground: token cursor, entry points, choice of the error to report.
#include "interpreter/syntax/parser/parser.h"

#include <algorithm>
#include <limits>

#include "interpreter/syntax/names.h"
#include "interpreter/syntax/parser/parser_state.h"
#include "interpreter/syntax/utf8.h"

namespace strider::syntax {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// A text to show in place of one that is no text from a place on.
std::shared_ptr<const Source> readable_source(const Source& source, size_t invalid) {
  std::string text(source.text());
  std::replace_if(
      text.begin() + static_cast<std::ptrdiff_t>(invalid), text.end(),
      [](char byte) { return (byte & 0x80) != 0; }, '?');
  return std::make_shared<Source>(source.file_name(), std::move(text));
}

void check_text(const Source& source) {
  std::string_view text = source.text();
  if (text.size() >= std::numeric_limits<uint32_t>::max()) {
    throw SyntaxError("source text is too large", {0, 0});
  }
  size_t null = text.find('\0');
  if (null != text.npos) {
    auto offset = static_cast<uint32_t>(null);
    throw SyntaxError("source code cannot contain null bytes", {offset, offset + 1});
  }
  size_t invalid = find_invalid_utf8(text);
  if (invalid == text.npos) return;
  static constexpr char kHex[] = "0123456789abcdef";
  auto byte = static_cast<unsigned char>(text[invalid]);
  auto offset = static_cast<uint32_t>(invalid);
  SyntaxError error(std::string("Non-UTF-8 code starting with '\\x") + kHex[byte >> 4] +
                        kHex[byte & 15] + "' in file " + source.file_name() + " on line " +
                        std::to_string(source.line_of(offset)) +
                        ", but no encoding declared; see https://peps.python.org/pep-0263/ for "
                        "details",
                    {offset, offset + 1});
  error.set_source(readable_source(source, invalid));
  throw error;
}

// The part of the text to read: without byte order mark, for an expression without leading blanks.
Span readable_range(std::string_view text, Mode mode) {
  size_t start = text.substr(0, 3) == kByteOrderMark ? 3 : 0;
  if (mode == Mode::kEval) start = std::min(text.find_first_not_of(" \t", start), text.size());
  return {static_cast<uint32_t>(start), static_cast<uint32_t>(text.size())};
}

}  // namespace

Tree parse(std::shared_ptr<const Source> source, Mode mode) {
  Tree tree;
  tree.source = source;
  try {
    check_text(*source);
    tree.module = Parser(tree, mode).parse_module();
  } catch (SyntaxError& error) {
    if (!error.source()) error.set_source(std::move(source));
    throw;
  }
  return tree;
}

Parser::Parser(Tree& tree, Mode mode)
    : tree_(tree),
      mode_(mode),
      lexed_(
          tokenize(*tree.source, readable_range(tree.source->text(), mode), LexMode::kStatements)),
      tokens_(std::move(lexed_.tokens)) {}

Module* Parser::parse_module() {
  try {
    Body body = mode_ == Mode::kFile   ? parse_file()
                : mode_ == Mode::kEval ? parse_eval()
                                       : parse_interactive();
    auto end = static_cast<uint32_t>(tree_.source->text().size());
    Module* module = make_at<Module>({0, end});
    module->body = body;
    return module;
  } catch (const SyntaxError& error) {
    throw prefer_lexer_error(error);
  }
}

void Parser::advance() {
  const Token& current = tokens_[index_];
  bool layout = current.kind >= TokenKind::kNewline && current.kind <= TokenKind::kDedent;
  if (!layout) previous_end_ = current.span.end;
  if (index_ + 1 < tokens_.size()) ++index_;
}

bool Parser::take(TokenKind wanted) {
  if (!at(wanted)) return false;
  advance();
  return true;
}

void Parser::expect(TokenKind wanted) {
  if (!take(wanted)) fail_invalid_syntax();
}

// As expect, but a missing token is named.
void Parser::expect_forced(TokenKind wanted) {
  if (take(wanted)) return;
  if (at(TokenKind::kError)) fail_invalid_syntax();
  fail("expected '" + std::string(token_text(wanted)) + "'", token().span);
}

bool Parser::at_word(std::string_view word, size_t ahead) const {
  const Token& candidate = token(ahead);
  return candidate.kind == TokenKind::kName && text(candidate.span) == word;
}

Identifier Parser::take_name() {
  if (!at(TokenKind::kName)) fail_invalid_syntax();
  std::string_view written = text(token().span);
  bool plain =
      std::ranges::all_of(written, [](char c) { return static_cast<signed char>(c) >= 0; });
  Identifier name = plain ? tree_.names.intern(written)
                          : tree_.names.intern_copy(name_of_identifier(written), tree_.arena);
  advance();
  return name;
}

void Parser::rewind(const Mark& mark) {
  index_ = mark.index;
  previous_end_ = mark.previous_end;
  bracket_depth_ = mark.bracket_depth;
}

}  // namespace strider::syntax
