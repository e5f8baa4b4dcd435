// Numbers by from_chars; strings and bytes with their escapes.
#include "interpreter/syntax/lexer/literals.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "interpreter/syntax/character_names.h"
#include "interpreter/syntax/error.h"
#include "interpreter/syntax/utf8.h"

namespace strider::syntax {

namespace {

int radix_of(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  char mark = static_cast<char>(text[1] | 0x20);
  if (mark == 'x') return 16;
  if (mark == 'o') return 8;
  return mark == 'b' ? 2 : 10;
}

double read_real(std::string_view digits) {
  double value = 0;
  auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  size_t exponent = digits.find_first_of("eE");
  bool tiny =
      exponent == digits.npos ? digits[0] == '.' || digits[0] == '0' : digits[exponent + 1] == '-';
  return tiny ? 0.0 : std::numeric_limits<double>::infinity();
}

ConstantValue read_integer(std::string_view digits, Arena& arena) {
  ConstantValue constant;
  int radix = radix_of(digits);
  std::string_view body = radix == 10 ? digits : digits.substr(2);
  auto result = std::from_chars(body.data(), body.data() + body.size(), constant.integer, radix);
  constant.type = ConstantType::kInt;
  if (result.ec == std::errc::result_out_of_range) {
    constant.type = ConstantType::kBigInt;
    constant.text = arena.copy_text(digits);
  }
  return constant;
}

int hex_value(char byte) {
  if (byte >= '0' && byte <= '9') return byte - '0';
  char lower = static_cast<char>(byte | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_octal(char byte) { return byte >= '0' && byte <= '7'; }

// The one-letter escapes; 0 for letters that are none.
char simple_escape(char letter) {
  switch (letter) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\\':
    case '\'':
    case '"':
      return letter;
    default:
      return 0;
  }
}

// Reads the body of one string literal.
class EscapeReader {
 public:
  EscapeReader(std::string& value, std::string_view text, bool bytes, Span place)
      : value_(value), text_(text), bytes_(bytes), place_(place) {}

  void read() {
    while (position_ < text_.size()) {
      char byte = text_[position_++];
      if (byte == '\\' && position_ < text_.size()) {
        read_escape();
      } else {
        append_plain(byte);
      }
    }
  }

  void read_raw() {
    while (position_ < text_.size()) append_plain(text_[position_++]);
  }

 private:
  // Line ends are '\n' in values, however the file writes them.
  void append_plain(char byte) {
    if (bytes_ && static_cast<unsigned char>(byte) >= 0x80) {
      throw SyntaxError("bytes can only contain ASCII literal characters", place_);
    }
    if (byte == '\r') {
      if (position_ < text_.size() && text_[position_] == '\n') ++position_;
      byte = '\n';
    }
    value_ += byte;
  }

  void append_code(char32_t code) {
    if (bytes_) {
      value_ += static_cast<char>(code & 0xFF);
    } else {
      append_character(value_, code);
    }
  }

  void read_escape() {
    size_t start = position_ - 1;
    char letter = text_[position_++];
    if (char simple = simple_escape(letter)) {
      value_ += simple;
    } else if (letter == '\n' || letter == '\r') {
      if (letter == '\r' && position_ < text_.size() && text_[position_] == '\n') ++position_;
    } else if (is_octal(letter)) {
      --position_;
      read_octal();
    } else if (letter == 'x') {
      read_hex(start, 2, "\\xXX");
    } else if (!bytes_ && letter == 'u') {
      read_hex(start, 4, "\\uXXXX");
    } else if (!bytes_ && letter == 'U') {
      read_hex(start, 8, "\\UXXXXXXXX");
    } else if (!bytes_ && letter == 'N') {
      read_name(start);
    } else {
      value_ += '\\';
      --position_;
    }
  }

  void read_name(size_t start) {
    size_t close = text_.find('}', position_);
    bool shaped = position_ < text_.size() && text_[position_] == '{' && close != text_.npos;
    if (!shaped || close == position_ + 1)
      fail_escape(start, shaped ? position_ : position_ - 1, "malformed \\N character escape");
    std::string_view name = text_.substr(position_ + 1, close - position_ - 1);
    std::optional<char32_t> code = find_character(name);
    if (!code) fail_escape(start, close, "unknown Unicode character name");
    position_ = close + 1;
    append_code(*code);
  }

  void read_octal() {
    char32_t code = 0;
    for (int i = 0; i < 3 && position_ < text_.size() && is_octal(text_[position_]); ++i) {
      code = code * 8 + static_cast<char32_t>(text_[position_++] - '0');
    }
    append_code(code);
  }

  void read_hex(size_t start, size_t digits, const char* shape) {
    char32_t code = 0;
    size_t stop = std::min(position_ + digits, text_.size());
    while (position_ < stop && hex_value(text_[position_]) >= 0) {
      code = code * 16 + static_cast<char32_t>(hex_value(text_[position_++]));
    }
    if (position_ < start + 2 + digits) fail_truncated(start, shape);
    if (code > 0x10FFFF) fail_escape(start, position_ - 1, "illegal Unicode character");
    append_code(code);
  }

  [[noreturn]] void fail_truncated(size_t start, const std::string& shape) {
    if (bytes_) {
      throw SyntaxError("(value error) invalid \\x escape at position " + std::to_string(start),
                        place_);
    }
    fail_escape(start, position_ - 1, "truncated " + shape + " escape");
  }

  [[noreturn]] void fail_escape(size_t first, size_t last, const std::string& reason) {
    throw SyntaxError("(unicode error) 'unicodeescape' codec can't decode bytes in position " +
                          std::to_string(first) + "-" + std::to_string(last) + ": " + reason,
                      place_);
  }

  std::string& value_;
  std::string_view text_;
  bool bytes_;
  Span place_;
  size_t position_ = 0;
};

}  // namespace

ConstantValue read_number(std::string_view text, Arena& arena) {
  std::string digits(text);
  std::erase(digits, '_');
  if (radix_of(digits) != 10) return read_integer(digits, arena);
  bool imaginary = (digits.back() | 0x20) == 'j';
  if (imaginary) digits.pop_back();
  bool real = imaginary || digits.find_first_of(".eE") != digits.npos;
  if (!real) return read_integer(digits, arena);
  ConstantValue constant;
  constant.type = imaginary ? ConstantType::kComplex : ConstantType::kFloat;
  constant.real = read_real(digits);
  return constant;
}

StringParts split_string(std::string_view source_text, Span token) {
  StringParts parts;
  uint32_t position = token.begin;
  for (; source_text[position] != '"' && source_text[position] != '\''; ++position) {
    char letter = static_cast<char>(source_text[position] | 0x20);
    parts.raw |= letter == 'r';
    parts.bytes |= letter == 'b';
    parts.formatted |= letter == 'f';
  }
  char quote = source_text[position];
  bool triple = token.end - position >= 6 && source_text[position + 1] == quote &&
                source_text[position + 2] == quote;
  uint32_t width = triple ? 3 : 1;
  parts.body = {position + width, token.end - width};
  return parts;
}

void append_string(std::string& value, std::string_view text, const StringParts& parts,
                   Span place) {
  EscapeReader reader(value, text, parts.bytes, place);
  if (parts.raw) {
    reader.read_raw();
  } else {
    reader.read();
  }
}

}  // namespace strider::syntax
