// Places are bytes; steps go from character to character.
#include "interpreter/repl/edit_buffer.h"

#include <algorithm>
#include <cctype>

#include "interpreter/repl/characters.h"

namespace strider {
namespace {

constexpr std::size_t kIndentWidth = 4;
constexpr std::size_t kMostUndone = 200;

bool in_word(char c) {
  auto byte = static_cast<unsigned char>(c);
  return c == '_' || byte >= 0x80 || std::isalnum(byte);
}

}  // namespace

std::string_view EditBuffer::line_before_cursor() const {
  std::size_t begin = line_begin(cursor());
  return std::string_view(text()).substr(begin, cursor() - begin);
}

std::size_t EditBuffer::line_begin(std::size_t at) const {
  return at == 0 ? 0 : text().rfind('\n', at - 1) + 1;
}

std::size_t EditBuffer::line_end(std::size_t at) const {
  return std::min(text().find('\n', at), text().size());
}

void EditBuffer::reset(std::string text) {
  state_.cursor = text.size();
  state_.text = std::move(text);
  earlier_.clear();
  typing_ = false;
}

// The state before an edit.
void EditBuffer::keep() {
  if (earlier_.size() == kMostUndone) earlier_.erase(earlier_.begin());
  earlier_.push_back(state_);
  typing_ = false;
}

void EditBuffer::replace(std::string text, std::size_t cursor) {
  keep();
  state_ = {std::move(text), cursor};
}

void EditBuffer::insert(std::string_view piece) {
  if (piece.empty()) return;
  keep();
  state_.text.insert(cursor(), piece);
  state_.cursor += piece.size();
}

void EditBuffer::type(std::string_view character) {
  bool goes_on = typing_ && character != " ";
  if (!goes_on) keep();
  state_.text.insert(cursor(), character);
  state_.cursor += character.size();
  typing_ = true;
}

void EditBuffer::replace_before_cursor(std::size_t begin, std::string_view piece) {
  keep();
  state_.text.replace(begin, cursor() - begin, piece);
  state_.cursor = begin + piece.size();
}

void EditBuffer::undo() {
  if (earlier_.empty()) return;
  state_ = std::move(earlier_.back());
  earlier_.pop_back();
  typing_ = false;
}

void EditBuffer::move_left() {
  state_.cursor = previous_character(text(), cursor());
  typing_ = false;
}

void EditBuffer::move_right() {
  state_.cursor = next_character(text(), cursor());
  typing_ = false;
}

std::size_t EditBuffer::word_left() const {
  std::size_t at = cursor();
  while (at > 0 && !in_word(text()[at - 1])) --at;
  while (at > 0 && in_word(text()[at - 1])) --at;
  return at;
}

std::size_t EditBuffer::word_right() const {
  std::size_t at = cursor();
  while (at < text().size() && !in_word(text()[at])) ++at;
  while (at < text().size() && in_word(text()[at])) ++at;
  return at;
}

void EditBuffer::move_word_left() { state_.cursor = word_left(); }
void EditBuffer::move_word_right() { state_.cursor = word_right(); }
void EditBuffer::move_line_begin() { state_.cursor = line_begin(cursor()); }
void EditBuffer::move_line_end() { state_.cursor = line_end(cursor()); }

void EditBuffer::go_to_column(std::size_t line, std::size_t column) {
  std::size_t at = line, end = line_end(line);
  for (std::size_t i = 0; i < column && at < end; ++i) at = next_character(text(), at);
  state_.cursor = std::min(at, end);
  typing_ = false;
}

bool EditBuffer::move_up() {
  std::size_t begin = line_begin(cursor()), column = 0;
  if (begin == 0) return false;
  for (std::size_t at = begin; at < cursor(); at = next_character(text(), at)) ++column;
  go_to_column(line_begin(begin - 1), column);
  return true;
}

bool EditBuffer::move_down() {
  std::size_t end = line_end(cursor()), column = 0;
  if (end == text().size()) return false;
  for (std::size_t at = line_begin(cursor()); at < cursor(); at = next_character(text(), at))
    ++column;
  go_to_column(end + 1, column);
  return true;
}

void EditBuffer::erase(std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  keep();
  state_.text.erase(begin, end - begin);
  state_.cursor = begin;
}

void EditBuffer::kill(std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  killed_ = text().substr(begin, end - begin);
  erase(begin, end);
}

void EditBuffer::erase_left() {
  std::string_view line = line_before_cursor();
  bool indent = !line.empty() && line.find_first_not_of(' ') == line.npos;
  std::size_t blanks = indent ? (line.size() - 1) % kIndentWidth + 1 : 0;
  erase(indent ? cursor() - blanks : previous_character(text(), cursor()), cursor());
}

void EditBuffer::erase_right() { erase(cursor(), next_character(text(), cursor())); }

// At the end of a line: the newline.
void EditBuffer::kill_to_line_end() {
  std::size_t end = line_end(cursor());
  kill(cursor(), end == cursor() ? std::min(end + 1, text().size()) : end);
}

void EditBuffer::kill_to_line_begin() { kill(line_begin(cursor()), cursor()); }
void EditBuffer::kill_word_left() { kill(word_left(), cursor()); }
void EditBuffer::kill_word_right() { kill(cursor(), word_right()); }

// Exchanges the characters beside the cursor, at the end of a line the last two.
void EditBuffer::transpose() {
  std::size_t middle =
      cursor() == line_end(cursor()) ? previous_character(text(), cursor()) : cursor();
  std::size_t first = previous_character(text(), middle), end = next_character(text(), middle);
  if (middle <= line_begin(cursor()) || end > text().size()) return;
  keep();
  std::string moved = text().substr(middle, end - middle) + text().substr(first, middle - first);
  state_.text.replace(first, end - first, moved);
  state_.cursor = end;
}

}  // namespace strider
