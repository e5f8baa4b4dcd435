// Brackets and quotes inside replacement fields. In programs backslashes and comments are refused
// wherever they stand, and a text within the expression ends at its quote. Texts that are written
// from trees nest.
#include "interpreter/syntax/lexer/string_scanner.h"

#include <vector>

namespace strider::syntax {

namespace {

char opening_of(char closing) {
  if (closing == ')') return '(';
  return closing == ']' ? '[' : '{';
}

std::string quote_at(std::string_view text, Span range) {
  char mark = text[range.begin];
  bool triple =
      range.begin + 2 < range.end && text[range.begin + 1] == mark && text[range.begin + 2] == mark;
  return std::string(triple ? 3 : 1, mark);
}

bool closes(std::string_view text, uint32_t position, std::string_view quote) {
  return text.substr(position, quote.size()) == quote;
}

// Whether the letters before a quote make it an f-string.
bool has_formatted_prefix(std::string_view text, uint32_t begin, uint32_t quote) {
  constexpr std::string_view kLetters = "fFrR";
  uint32_t start = quote;
  while (start > begin && kLetters.find(text[start - 1]) != kLetters.npos) --start;
  return text.substr(start, quote - start).find_first_of("fF") != text.npos;
}

// Offset behind the plain string whose quote is at `range.begin`, or kNoEnd.
uint32_t skip_plain_string(std::string_view text, Span range) {
  std::string quote = quote_at(text, range);
  uint32_t position = range.begin + static_cast<uint32_t>(quote.size());
  while (position < range.end && !closes(text, position, quote))
    position += text[position] == '\\' ? 2 : 1;
  return position < range.end ? position + static_cast<uint32_t>(quote.size()) : kNoEnd;
}

// The scan of one replacement expression.
class ReplacementScanner {
 public:
  ReplacementScanner(std::string_view text, Span range, FieldRules rules)
      : text_(text), range_(range), position_(range.begin), rules_(rules) {}

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
        return rules_ == FieldRules::kOfTrees ? skip_string() : open_string();
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

  void skip_string() {
    Span rest{position_, range_.end};
    bool formatted = has_formatted_prefix(text_, range_.begin, position_);
    position_ = formatted ? skip_formatted_string(text_, rest) : skip_plain_string(text_, rest);
    if (position_ == kNoEnd) fail("f-string: unterminated string");
  }

  void open_string() {
    quote_ = quote_at(text_, {position_, range_.end});
    position_ += static_cast<uint32_t>(quote_.size());
  }

  void step_in_string() {
    bool ends = closes(text_, position_, quote_) && position_ + quote_.size() <= range_.end;
    position_ += ends ? static_cast<uint32_t>(quote_.size()) : 1;
    if (ends) quote_.clear();
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
  FieldRules rules_;
  std::vector<char> brackets_;
  std::string quote_;  // of the text that the scan is in; empty outside
  ReplacementScan result_;
};

// Moves behind the replacement field whose expression starts at `range.begin`; its format may hold
// further fields.
uint32_t skip_replacement(std::string_view text, Span range) {
  uint32_t position = scan_replacement(text, range, FieldRules::kOfTrees).end;
  while (position < range.end && text[position] != '}')
    position =
        text[position] == '{' ? skip_replacement(text, {position + 1, range.end}) : position + 1;
  return position < range.end ? position + 1 : kNoEnd;
}

// Bytes of the backslash at a position and what belongs to it; braces but for those of names do
// not.
uint32_t escape_width(std::string_view text, uint32_t position) {
  if (text.substr(position, 3) == "\\N{") return 3;
  return text.substr(position, 2) == "\\{" ? 1 : 2;
}

}  // namespace

ReplacementScan scan_replacement(std::string_view text, Span range, FieldRules rules) {
  return ReplacementScanner(text, range, rules).scan();
}

uint32_t skip_formatted_string(std::string_view text, Span range) {
  std::string quote = quote_at(text, range);
  uint32_t position = range.begin + static_cast<uint32_t>(quote.size());
  while (position < range.end && !closes(text, position, quote)) {
    bool doubled = text.substr(position, 2) == "{{";
    if (text[position] == '\\')
      position += escape_width(text, position);
    else if (text[position] == '{' && !doubled)
      position = skip_replacement(text, {position + 1, range.end});
    else
      position += doubled ? 2 : 1;
  }
  return position < range.end ? position + static_cast<uint32_t>(quote.size()) : kNoEnd;
}

}  // namespace strider::syntax
