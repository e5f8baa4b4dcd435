// Line ends, continuation lines and indentation.
#include <algorithm>

#include "interpreter/syntax/lexer/lexer_state.h"

namespace strider::syntax {

namespace {

constexpr size_t kMaxIndentations = 100;
constexpr int kTabWidth = 8;

}  // namespace

void Lexer::skip_newline() {
  if (peek() == '\r' && peek(1) == '\n') ++position_;
  ++position_;
}

void Lexer::lex_newline() {
  uint32_t begin = position_;
  skip_newline();
  if (!brackets_.empty() || mode_ == LexMode::kExpression) return;
  add(TokenKind::kNewline, begin);
  at_line_start_ = true;
}

void Lexer::lex_backslash() {
  continue_line();
  if (at_end()) {
    fail("unexpected EOF while parsing", {position_, position_}, ErrorClass::kSyntaxError, true);
  }
}

// Skips a backslash and the line end that must follow it.
void Lexer::continue_line() {
  ++position_;
  if (at_end()) {
    fail("unexpected EOF while parsing", {position_, position_}, ErrorClass::kSyntaxError, true);
  }
  if (!at_line_end()) {
    fail("unexpected character after line continuation character", {position_, position_ + 1});
  }
  skip_newline();
}

Lexer::Indentation Lexer::measure_indentation() {
  Indentation found{0, 0};
  int continued_column = 0;
  while (!at_end()) {
    char byte = peek();
    if (byte == ' ') {
      ++found.column;
      ++found.narrow_column;
    } else if (byte == '\t') {
      found.column = (found.column / kTabWidth + 1) * kTabWidth;
      ++found.narrow_column;
    } else if (byte == '\f') {
      found = {0, 0};
    } else if (byte == '\\') {
      if (continued_column == 0) continued_column = found.column;
      continue_line();
      continue;
    } else {
      break;
    }
    ++position_;
  }
  if (continued_column != 0) found = {continued_column, continued_column};
  return found;
}

// Skips lines without code; then compares the indentation of the line with those that are open.
void Lexer::lex_indentation() {
  at_line_start_ = false;
  while (!at_end()) {
    Indentation found = measure_indentation();
    if (peek() == '#') {
      while (!at_line_end()) ++position_;
    }
    if (at_end()) return;
    if (at_line_end()) {
      skip_newline();
      continue;
    }
    if (found.column > indentations_.back().column) return indent_to(found);
    return dedent_to(found);
  }
}

void Lexer::indent_to(Indentation wanted) {
  Span span{position_, position_};
  if (indentations_.size() >= kMaxIndentations) {
    fail("too many levels of indentation", span, ErrorClass::kIndentationError);
  }
  if (wanted.narrow_column <= indentations_.back().narrow_column) {
    fail("inconsistent use of tabs and spaces in indentation", {position_ - 1, position_ - 1},
         ErrorClass::kTabError);
  }
  indentations_.push_back(wanted);
  add(TokenKind::kIndent, position_);
}

void Lexer::dedent_to(Indentation wanted) {
  while (wanted.column < indentations_.back().column) {
    indentations_.pop_back();
    add(TokenKind::kDedent, position_);
  }
  if (wanted.column != indentations_.back().column) {
    while (peek() != '\n' && peek() != '\r' && peek() != '\0') ++position_;
    fail("unindent does not match any outer indentation level", {position_, position_},
         ErrorClass::kIndentationError);
  }
  if (wanted.narrow_column != indentations_.back().narrow_column) {
    fail("inconsistent use of tabs and spaces in indentation", {position_ - 1, position_ - 1},
         ErrorClass::kTabError);
  }
}

}  // namespace strider::syntax
