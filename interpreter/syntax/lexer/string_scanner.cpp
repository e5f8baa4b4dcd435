// Brackets and quotes inside replacement fields. Backslashes and comments are refused wherever they
// stand; a text within the expression ends at its quote, so that nothing in it needs a backslash.
#include "interpreter/syntax/lexer/string_scanner.h"

#include <vector>

namespace strider::syntax {

namespace {

char opening_of(char closing) {
  if (closing == ')') return '(';
  return closing == ']' ? '[' : '{';
}

// The scan of one replacement expression.
class ReplacementScanner {
 public:
  ReplacementScanner(std::string_view text, Span range)
      : text_(text), range_(range), position_(range.begin) {}

  ReplacementScan scan() {
    while (position_ < range_.end && result_.error.empty()) {
      if (at_end_of_expression()) {
        result_.end = position_;
        return result_;
      }
      step();
    }
    if (result_.error.empty()) fail_at_end();
    return result_;
  }

 private:
  char peek(uint32_t ahead = 0) const {
    return position_ + ahead < range_.end ? text_[position_ + ahead] : '\0';
  }

  bool at_end_of_expression() {
    if (!quote_.empty() || !brackets_.empty()) return false;
    char byte = peek();
    bool comparison = peek(1) == '=' && (byte == '!' || byte == '=' || byte == '<' || byte == '>');
    if (comparison) {
      ++position_;
      return false;
    }
    return byte == '}' || byte == ':' || byte == '!' || byte == '=';
  }

  void step() {
    char byte = peek();
    if (byte == '\\') return fail("f-string expression part cannot include a backslash");
    if (!quote_.empty()) return step_in_string();
    switch (byte) {
      case '\'':
      case '"':
        return open_string(byte);
      case '(':
      case '[':
      case '{':
        brackets_.push_back(byte);
        break;
      case ')':
      case ']':
      case '}':
        if (!close_bracket(byte)) return;
        break;
      case '#':
        return fail("f-string expression part cannot include '#'");
      default:
        break;
    }
    ++position_;
  }

  void open_string(char mark) {
    quote_.assign(peek(1) == mark && peek(2) == mark ? 3 : 1, mark);
    position_ += static_cast<uint32_t>(quote_.size());
  }

  void step_in_string() {
    bool closes =
        text_.substr(position_, quote_.size()) == quote_ && position_ + quote_.size() <= range_.end;
    position_ += closes ? static_cast<uint32_t>(quote_.size()) : 1;
    if (closes) quote_.clear();
  }

  bool close_bracket(char closing) {
    if (brackets_.empty()) {
      fail(std::string("f-string: unmatched '") + closing + "'");
      return false;
    }
    char open = brackets_.back();
    if (open != opening_of(closing)) {
      fail("f-string: closing parenthesis '");
      result_.error.append(1, closing).append("' does not match opening parenthesis '");
      result_.error.append(1, open).append("'");
      return false;
    }
    brackets_.pop_back();
    return true;
  }

  void fail(std::string_view error) { result_.error = error; }

  void fail_at_end() {
    if (!quote_.empty()) return fail("f-string: unterminated string");
    fail(brackets_.empty() ? "f-string: expecting '}'"
                           : std::string("f-string: unmatched '") + brackets_.back() + "'");
  }

  std::string_view text_;
  Span range_;
  uint32_t position_;
  std::vector<char> brackets_;
  std::string quote_;  // of the text that the scan is in; empty outside
  ReplacementScan result_;
};

}  // namespace

ReplacementScan scan_replacement(std::string_view text, Span range) {
  return ReplacementScanner(text, range).scan();
}

}  // namespace strider::syntax
