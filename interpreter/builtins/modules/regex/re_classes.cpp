// The characters of regular expressions: escapes and classes.
#include <fmt/format.h>

#include <utility>

#include "interpreter/builtins/modules/regex/re_reader.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/syntax/character_names.h"
#include "interpreter/syntax/utf8.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_decimal_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int hex_value(char c) {
  if (is_decimal_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// A category among the characters of ASCII, as members of a class, and all that is outside of it.
struct AsciiCategory {
  char letter, opposite;
  std::string_view members, others;
};
constexpr AsciiCategory kAsciiCategories[] = {
    {'d', 'D', "0-9", "\\x00-/:-\\x{10ffff}"},
    {'s', 'S', "\\t-\\r ", "\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}"},
    {'w', 'W', "0-9A-Za-z_", "\\x00-/:-@\\[-\\^`{-\\x{10ffff}"},
};

// The letter i with and without a dot, which are cases of each other.
constexpr std::string_view kDots = "iI\\x{130}\\x{131}";
// Letters that are written alike as capitals, and that PCRE2 does not know as each other's cases.
constexpr std::pair<std::int64_t, std::int64_t> kTwins[] = {
    {0x390, 0x1fd3}, {0x3b0, 0x1fe3}, {0xfb05, 0xfb06}};

}  // namespace

// The next character (or byte) as a code.
std::int64_t RegexReader::take_character() {
  if (bytes_) return static_cast<unsigned char>(text_[place_++]);
  return decode_code_point(text_, place_);
}

// A character that stands for itself.
void RegexReader::write_code(std::string& out, std::int64_t code) const {
  bool plain = code < 128 &&
               (is_letter(static_cast<char>(code)) || is_decimal_digit(static_cast<char>(code)) ||
                code == '_' || code == ' ' || code == '"' || code == '\'' || code == ',' ||
                code == ';' || code == '<' || code == '>' || code == '/');
  if (plain)
    out += static_cast<char>(code);
  else
    out += fmt::format("\\x{{{:x}}}", code);
}

std::string RegexReader::other_cases(std::int64_t low, std::int64_t high) const {
  std::string found;
  if (!(flags_ & kAscii)) {
    for (std::int64_t code : {'I' + 0, 'i' + 0, 0x130, 0x131})
      if (low <= code && code <= high) return std::string(kDots);
    for (auto [one, other] : kTwins) {
      if (low <= one && one <= high) write_code(found, other);
      if (low <= other && other <= high) write_code(found, one);
    }
    return found;
  }
  for (int letter = 'A'; letter <= 'Z'; ++letter) {
    int small = letter + ('a' - 'A');
    if (low <= letter && letter <= high) found += static_cast<char>(small);
    if (low <= small && small <= high) found += static_cast<char>(letter);
  }
  return found;
}

// A character outside of classes, in all of its cases.
void RegexReader::write_literal(std::int64_t code) {
  std::string others = ignores_case() ? other_cases(code, code) : std::string();
  bool ascii_only = ignores_case() && (flags_ & kAscii);
  bool folded = ascii_only || !others.empty();
  needs_folding_ |= folded;
  if (!folds_ || !folded) return write_code(out_, code);
  out_ += ascii_only ? "(?-i:[" : "[";
  write_code(out_, code);
  out_ += others + (ascii_only ? "])" : "]");
}

std::string RegexReader::quoted_escape(std::size_t begin) const {
  return std::string(text_.substr(begin, place_ - begin));
}

std::int64_t RegexReader::read_hex(std::size_t digits, std::size_t begin) {
  std::int64_t code = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    int digit = ended() ? -1 : hex_value(peek());
    if (digit < 0) fail("incomplete escape " + quoted_escape(begin), begin);
    code = code * 16 + digit;
    ++place_;
  }
  if (code > 0x10ffff) fail("bad escape " + quoted_escape(begin), begin);
  return code;
}

std::int64_t RegexReader::read_named_character(std::size_t begin) {
  if (!accept('{')) fail("missing {", place_);
  std::size_t end = text_.find('}', place_);
  if (ended()) fail("missing character name", place_);
  if (end == text_.npos) fail("missing }, unterminated name", place_);
  std::string_view name = text_.substr(place_, end - place_);
  if (name.empty()) fail("missing character name", place_);
  place_ = end + 1;
  std::optional<char32_t> code = syntax::find_character(name);
  if (!code) fail(fmt::format("undefined character name {}", quote(name)), begin);
  return *code;
}

// \a \f \n \r \t \v \\ \x.. \u.... \U........ \N{...}; -1 if the letter means something else.
std::int64_t RegexReader::read_code_escape(char letter, std::size_t begin) {
  switch (letter) {
    case 'a':
      return '\a';
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
      return '\\';
    case 'x':
      return read_hex(2, begin);
    case 'u':
      return bytes_ ? -1 : read_hex(4, begin);
    case 'U':
      return bytes_ ? -1 : read_hex(8, begin);
    case 'N':
      return bytes_ ? -1 : read_named_character(begin);
    default:
      return -1;
  }
}

// A backreference, or a character by its octal code.
void RegexReader::read_number_escape(std::size_t begin) {
  if (peek() == '0' || (is_octal(peek()) && is_octal(peek(1)) && is_octal(peek(2)))) {
    std::int64_t code = 0;
    for (int i = 0; i < 3 && !ended() && is_octal(peek()); ++i)
      code = code * 8 + (text_[place_++] - '0');
    if (code > 0377)
      fail(fmt::format("octal escape value {} outside of range 0-0o377", quoted_escape(begin)),
           begin);
    return write_literal(code);
  }
  std::size_t number = static_cast<std::size_t>(text_[place_++] - '0');
  if (is_decimal_digit(peek()))
    number = number * 10 + static_cast<std::size_t>(text_[place_++] - '0');
  if (number >= names_.size()) fail(fmt::format("invalid group reference {}", number), begin + 1);
  if (!closed_[number]) fail("cannot refer to an open group", begin);
  check_behind(number);
  out_ += fmt::format("\\g{{{}}}", number);
}

// A category of characters, or the edge of a word.
void RegexReader::write_category(std::string& out, char letter, bool in_class) const {
  if (letter == 'B' && !in_class) out += "(?!\\A\\z)";  // there is no inside of an empty text
  if (!spells_ || !(flags_ & kAscii) || letter == 'A') {
    out += '\\';
    out += letter;
    return;
  }
  for (const AsciiCategory& each : kAsciiCategories) {
    if (letter == each.letter)
      out += in_class ? std::string(each.members) : fmt::format("[{}]", each.members);
    else if (letter == each.opposite)
      out += in_class ? std::string(each.others) : fmt::format("[^{}]", each.members);
  }
  if (letter == 'b')
    out += "(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))";
  if (letter == 'B')
    out += "(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))";
}

RegexReader::Item RegexReader::read_escape() {
  std::size_t begin = place_++;
  if (ended()) fail("bad escape (end of pattern)", begin);
  char letter = peek();
  if (is_decimal_digit(letter)) {
    read_number_escape(begin);
    return Item::kPlain;
  }
  if (std::string_view("AbBdDsSwW").find(letter) != std::string_view::npos) {
    ++place_;
    write_category(out_, letter, false);
    bool takes = std::string_view("AbB").find(letter) == std::string_view::npos;
    return takes ? Item::kPlain : Item::kAssertion;
  }
  if (letter == 'Z') {
    ++place_;
    out_ += "\\z";
    return Item::kAssertion;
  }
  std::int64_t code;
  if (is_letter(letter)) {
    ++place_;
    code = read_code_escape(letter, begin);
    if (code < 0) fail("bad escape " + quoted_escape(begin), begin);
  } else {
    code = take_character();
  }
  write_literal(code);
  return Item::kPlain;
}

std::int64_t RegexReader::read_class_member(std::string& out, std::size_t begin) {
  if (peek() != '\\') {
    std::int64_t code = take_character();
    write_code(out, code);
    return code;
  }
  ++place_;
  if (ended()) fail("bad escape (end of pattern)", begin);
  char letter = peek();
  if (std::string_view("dDsSwW").find(letter) != std::string_view::npos) {
    ++place_;
    write_category(out, letter, true);
    return -1;
  }
  std::int64_t code;
  if (is_octal(letter)) {
    code = 0;
    for (int i = 0; i < 3 && !ended() && is_octal(peek()); ++i)
      code = code * 8 + (text_[place_++] - '0');
    if (code > 0377)
      fail(fmt::format("octal escape value {} outside of range 0-0o377", quoted_escape(begin)),
           begin);
  } else if (!is_letter(letter) && !is_decimal_digit(letter)) {
    code = take_character();
  } else {
    ++place_;
    code = letter == 'b' ? '\b' : read_code_escape(letter, begin);
    if (code < 0) fail("bad escape " + quoted_escape(begin), begin);
  }
  write_code(out, code);
  return code;
}

// What a later version may read as something else; said once, though patterns are read again.
void RegexReader::warn_of_set(std::string_view kind, std::size_t place) const {
  if (!spells_ && !folds_)
    warn(errors::FutureWarning(),
         fmt::format("Possible {} at position {}", kind, position_of(place)));
}

void RegexReader::warn_of_operation() const {
  if (peek() != peek(1)) return;
  if (peek() == '-') warn_of_set("set difference", place_);
  if (peek() == '&') warn_of_set("set intersection", place_);
  if (peek() == '~') warn_of_set("set symmetric difference", place_);
  if (peek() == '|') warn_of_set("set union", place_);
}

void RegexReader::read_class() {
  std::size_t opened = place_++;
  std::string out = "[", others;
  if (peek() == '[') warn_of_set("nested set", place_);
  if (accept('^')) out += '^';
  for (bool first = true;; first = false) {
    if (ended()) fail("unterminated character set", opened);
    if (peek() == ']' && !first) break;
    if (!first) warn_of_operation();
    std::size_t begin = place_;
    std::int64_t low = read_class_member(out, begin);
    if (peek() != '-' || place_ + 1 >= text_.size()) {
      if (ended()) fail("unterminated character set", opened);
      if (ignores_case()) others += other_cases(low, low);
      continue;
    }
    if (peek(1) == ']') {
      if (ignores_case()) others += other_cases(low, low);
      ++place_;
      out += "\\-";
      break;
    }
    ++place_;
    if (peek() == '-') warn_of_set("set difference", place_ - 1);
    std::string upper;
    std::int64_t high = read_class_member(upper, place_);
    if (low < 0 || high < low)
      fail(fmt::format("bad character range {}", quoted_escape(begin)), begin);
    out += '-' + upper;
    if (ignores_case()) others += other_cases(low, high);
  }
  ++place_;
  bool ascii_only = ignores_case() && (flags_ & kAscii);
  bool folded = ascii_only || !others.empty();
  needs_folding_ |= folded;
  if (folds_ && ascii_only)
    out_ += "(?-i:" + out + others + "])";
  else
    out_ += out + (folds_ ? others : std::string()) + "]";
}

}  // namespace strider::lang
