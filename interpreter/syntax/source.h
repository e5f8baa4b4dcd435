// Source text and places in it: file name, lines, columns, caret lines.
// Knows nothing of tokens or trees.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace strider::syntax {

// A half-open range of byte offsets into one source text.
struct Span {
  uint32_t begin = 0;
  uint32_t end = 0;
};

// A place for people: line from 1, column from 1 counted in characters.
struct Position {
  int line = 1;
  int column = 1;
};

class Source {
 public:
  // Takes the text as it is; offsets of every span refer to it unchanged.
  Source(std::string file_name, std::string text);
  // A text written from a tree: `told_lines` has for each of its lines the one (from 1) of the text
  // that the tree was made of, which is shown in its place; null where nobody knows it.
  Source(std::string file_name, std::string text, std::vector<int> told_lines,
         std::shared_ptr<const Source> shown);

  // Whether the text was written from a tree, so that columns say nothing.
  bool is_retold() const { return !told_lines_.empty(); }
  const std::string& file_name() const { return file_name_; }
  std::string_view text() const { return text_; }
  std::string_view text(Span span) const;

  // Number of lines; a text without a newline has one.
  int line_count() const { return static_cast<int>(line_starts_.size()); }
  // Line number (from 1) of a byte offset.
  int line_of(uint32_t offset) const;
  // Byte offset at which the line around an offset starts.
  uint32_t line_start(uint32_t offset) const { return line_starts_[index_of(offset)]; }
  // Line and column of a byte offset.
  Position position(uint32_t offset) const;
  // Text of a line (from 1) without its line ending; empty outside the text.
  std::string_view line_text(int line) const;
  // The source line of the span, stripped, and a line of carets under the span (without a final
  // newline), both indented by `indent` blanks; a span over several lines is cut at its first line.
  std::string caret_lines(Span span, int indent = 4) const;

 private:
  size_t index_of(uint32_t offset) const;  // of the line

  std::string file_name_;
  std::string text_;
  std::vector<uint32_t> line_starts_;
  std::vector<int> told_lines_;  // empty: the lines are the text's own
  std::shared_ptr<const Source> shown_;
};

}  // namespace strider::syntax
