// Brackets, quotes and replacement fields inside f-strings.
#include "interpreter/syntax/lexer/string_scanner.h"

#include <vector>

namespace strider::syntax {

namespace {

constexpr int kMaxDepth = 8;

struct Quote {
  char mark;
  uint32_t width;
};

Quote quote_at(std::string_view text, Span range) {
  char mark = text[range.begin];
  bool triple =
      range.begin + 2 < range.end && text[range.begin + 1] == mark && text[range.begin + 2] == mark;
  return {mark, triple ? 3u : 1u};
}

bool closes(std::string_view text, uint32_t position, uint32_t end, Quote quote) {
  if (position + quote.width > end) return false;
  for (uint32_t i = 0; i < quote.width; ++i) {
    if (text[position + i] != quote.mark) return false;
  }
  return true;
}

// Whether the letters before a quote make it an f-string.
bool has_formatted_prefix(std::string_view text, uint32_t begin, uint32_t quote) {
  bool formatted = false;
  for (uint32_t back = 1; back <= 2 && quote >= begin + back; ++back) {
    char letter = static_cast<char>(text[quote - back] | 0x20);
    if (letter == 'f') {
      formatted = true;
    } else if (letter != 'r') {
      break;
    }
  }
  return formatted;
}

char opening_of(char closing) {
  if (closing == ')') return '(';
  return closing == ']' ? '[' : '{';
}

// Moves behind the replacement field whose expression starts at `range.begin`; its format may hold
// further fields but not the quote that ends the string.
uint32_t skip_replacement(std::string_view text, Span range, Quote quote, int depth) {
  ReplacementScan scan = scan_replacement(text, range, depth);
  if (scan.end == kNoEnd) return kNoEnd;
  uint32_t position = scan.end;
  while (position < range.end && text[position] != '}') {
    if (closes(text, position, range.end, quote)) return kNoEnd;
    bool line_end = text[position] == '\n' || text[position] == '\r';
    if (line_end && quote.width == 1) return kNoEnd;
    if (text[position] != '{') {
      ++position;
      continue;
    }
    if (depth >= kMaxDepth) return kNoEnd;
    position = skip_replacement(text, {position + 1, range.end}, quote, depth + 1);
    if (position == kNoEnd) return kNoEnd;
  }
  return position < range.end ? position + 1 : kNoEnd;
}

// The scan of one replacement expression.
class ReplacementScanner {
 public:
  ReplacementScanner(std::string_view text, Span range, int depth)
      : text_(text), range_(range), position_(range.begin), depth_(depth) {}

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
    if (!brackets_.empty()) return false;
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
    switch (byte) {
      case '\'':
      case '"':
        return skip_string();
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
        result_.error = "f-string expression part cannot include '#'";
        return;
      default:
        break;
    }
    ++position_;
  }

  void skip_string() {
    Span rest{position_, range_.end};
    bool formatted = has_formatted_prefix(text_, range_.begin, position_);
    uint32_t end = formatted ? skip_formatted_string(text_, rest, depth_ + 1) : kNoEnd;
    if (end == kNoEnd) end = skip_plain_string(text_, rest);
    if (end == kNoEnd) {
      result_.error = "f-string: unterminated string";
    } else {
      position_ = end;
    }
  }

  bool close_bracket(char closing) {
    if (brackets_.empty()) {
      result_.error = std::string("f-string: unmatched '") + closing + "'";
      return false;
    }
    char open = brackets_.back();
    if (open != opening_of(closing)) {
      result_.error = "f-string: closing parenthesis '";
      result_.error.append(1, closing).append("' does not match opening parenthesis '");
      result_.error.append(1, open).append("'");
      return false;
    }
    brackets_.pop_back();
    return true;
  }

  void fail_at_end() {
    result_.error = brackets_.empty()
                        ? "f-string: expecting '}'"
                        : std::string("f-string: unmatched '") + brackets_.back() + "'";
  }

  std::string_view text_;
  Span range_;
  uint32_t position_;
  int depth_;
  std::vector<char> brackets_;
  ReplacementScan result_;
};

}  // namespace

ReplacementScan scan_replacement(std::string_view text, Span range, int depth) {
  return ReplacementScanner(text, range, depth).scan();
}

uint32_t skip_formatted_string(std::string_view text, Span range, int depth) {
  if (depth >= kMaxDepth) return kNoEnd;
  Quote quote = quote_at(text, range);
  uint32_t position = range.begin + quote.width;
  while (position < range.end) {
    if (closes(text, position, range.end, quote)) return position + quote.width;
    char byte = text[position];
    bool doubled = position + 1 < range.end && text[position + 1] == byte;
    if (quote.width == 1 && (byte == '\n' || byte == '\r')) return kNoEnd;
    if (byte == '\\') {
      bool brace = position + 1 < range.end && text[position + 1] == '{';
      bool named = text.substr(position, 3) == "\\N{";
      position += brace ? 1 : named ? 3 : 2;
    } else if (byte == '{' && !doubled) {
      position = skip_replacement(text, {position + 1, range.end}, quote, depth);
      if (position == kNoEnd) return kNoEnd;
    } else {
      position += byte == '{' ? 2 : 1;
    }
  }
  return kNoEnd;
}

uint32_t skip_plain_string(std::string_view text, Span range) {
  Quote quote = quote_at(text, range);
  uint32_t position = range.begin + quote.width;
  while (position < range.end) {
    if (closes(text, position, range.end, quote)) return position + quote.width;
    if (quote.width == 1 && text[position] == '\n') return kNoEnd;
    position += text[position] == '\\' ? 2 : 1;
  }
  return kNoEnd;
}

}  // namespace strider::syntax
