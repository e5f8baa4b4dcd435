// Marks under lines of tracebacks. An operation is told apart by parsing what failed on its own.
#include "interpreter/syntax/marks.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "interpreter/syntax/parser/parser.h"

namespace strider::syntax {
namespace {

constexpr std::string_view kBlanks = " \t\f";

bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::string repeat_for(std::string_view text, char mark) {
  return std::string(static_cast<std::size_t>(std::ranges::count_if(text, starts_character)), mark);
}

// Blanks under a text; tabs stay tabs so that the columns line up.
std::string blank_out(std::string_view text) {
  std::string blanks;
  for (char byte : text)
    if (starts_character(byte)) blanks += byte == '\t' ? '\t' : ' ';
  return blanks;
}

// The operator between two operands: its first character, and the second where one follows
// without a blank.
std::optional<Span> find_operator(std::string_view text, Span between) {
  for (uint32_t i = between.begin; i < between.end; ++i) {
    if (kBlanks.find(text[i]) != kBlanks.npos || text[i] == ')') continue;
    bool two = i + 1 < between.end && kBlanks.find(text[i + 1]) == kBlanks.npos;
    return Span{i, i + (two ? 2U : 1U)};
  }
  return std::nullopt;
}

// An index with its brackets.
std::optional<Span> find_index(std::string_view text, Span value, Span slice) {
  std::size_t open = text.find('[', value.end);
  std::size_t close = text.find(']', slice.end);
  if (open == text.npos || close == text.npos) return std::nullopt;
  return Span{static_cast<uint32_t>(open), static_cast<uint32_t>(close + 1)};
}

// The part of an expression that failed, if the text is one operation or item.
std::optional<Span> find_part(std::string_view text) try {
  Tree tree = parse(std::make_shared<Source>("", std::string(text)));
  const Body& body = tree.module->body;
  if (body.size() != 1) return std::nullopt;
  auto* statement = node_if<ExprStmt>(body[0]);
  if (!statement) return std::nullopt;
  if (auto* operation = node_if<BinOp>(statement->value))
    return find_operator(text, {operation->left->span.end, operation->right->span.begin});
  if (auto* item = node_if<Subscript>(statement->value))
    return find_index(text, item->value->span, item->slice->span);
  return std::nullopt;
} catch (const SyntaxError&) {
  return std::nullopt;
}

}  // namespace

std::string marks_under(std::string_view line, std::size_t begin, std::size_t end, bool ends_here) {
  end = ends_here ? std::min(end, line.size()) : line.size();
  begin = std::min(begin, end);
  std::string_view failed = line.substr(begin, end - begin);
  std::optional<Span> part;
  if (ends_here) part = find_part(failed);
  if (!part && failed.size() == line.size()) return {};
  std::string margin = blank_out(line.substr(0, begin));
  if (!part) return margin + repeat_for(failed, '^');
  return margin + repeat_for(failed.substr(0, part->begin), '~') +
         repeat_for(failed.substr(part->begin, part->end - part->begin), '^') +
         repeat_for(failed.substr(part->end), '~');
}

std::string marked_line(const Source& source, Span span) {
  int line = source.line_of(span.begin);
  std::string_view full = source.line_text(line);
  std::size_t first = std::min(full.find_first_not_of(kBlanks), full.size());
  std::string_view shown = full.substr(first);
  shown = shown.substr(0, shown.find_last_not_of(kBlanks) + 1);
  std::string text = "    " + std::string(shown);
  if (source.is_retold()) return text;
  std::size_t start = source.line_start(span.begin) + first;
  std::size_t begin = std::max<std::size_t>(span.begin, start) - start;
  std::size_t end = std::max<std::size_t>(span.end, start) - start;
  std::string marks = marks_under(shown, begin, end, source.line_of(span.end) == line);
  return marks.empty() ? text : text + "\n    " + marks;
}

}  // namespace strider::syntax
