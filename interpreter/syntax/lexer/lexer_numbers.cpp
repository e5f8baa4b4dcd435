// Numeric literals: where they end and what is wrong with them. Values: see literals.h.
#include <string>

#include "interpreter/syntax/lexer/lexer_state.h"

namespace strider::syntax {

namespace {

bool is_radix_digit(char byte, char radix) {
  if (radix == 'b') return byte == '0' || byte == '1';
  if (radix == 'o') return byte >= '0' && byte <= '7';
  char lower = static_cast<char>(byte | 0x20);
  return is_digit(byte) || (lower >= 'a' && lower <= 'f');
}

const char* radix_name(char radix) {
  if (radix == 'b') return "binary";
  return radix == 'o' ? "octal" : "hexadecimal";
}

// Keywords that may follow a number without a blank, as in `1if x else 2`.
bool starts_with_operator_word(std::string_view rest) {
  for (std::string_view word : {"and", "else", "for", "if", "in", "is", "not", "or"}) {
    if (rest.substr(0, word.size()) == word) return true;
  }
  return false;
}

}  // namespace

void Lexer::lex_number() {
  uint32_t begin = position_;
  char radix = static_cast<char>(peek(1) | 0x20);
  if (peek() == '0' && (radix == 'x' || radix == 'o' || radix == 'b')) {
    scan_radix_number(radix);
  } else {
    if (peek() == '0') {
      scan_leading_zero();
    } else if (peek() != '.') {
      scan_digits();
    }
    scan_fraction_and_exponent();
  }
  add(TokenKind::kNumber, begin);
}

void Lexer::scan_radix_number(char radix) {
  position_ += 2;
  std::string kind = radix_name(radix);
  do {
    take('_');
    if (!is_radix_digit(peek(), radix)) {
      Span here{position_, position_ + 1};
      if (is_digit(peek())) {
        fail(std::string("invalid digit '") + peek() + "' in " + kind + " literal", here);
      }
      fail("invalid " + kind + " literal", {position_ - 1, position_});
    }
    while (is_radix_digit(peek(), radix)) ++position_;
  } while (peek() == '_');
  if (is_digit(peek())) {
    fail(std::string("invalid digit '") + peek() + "' in " + kind + " literal",
         {position_, position_ + 1});
  }
  check_number_end(radix_name(radix));
}

// A decimal that starts with zero: all digits are zeros unless it is a float.
void Lexer::scan_leading_zero() {
  uint32_t begin = position_;
  bool nonzero = false;
  while (true) {
    take('_');
    if (!is_digit(peek())) break;
    while (is_digit(peek())) nonzero |= text_[position_++] != '0';
    if (peek() != '_') break;
  }
  if (text_[position_ - 1] == '_') fail("invalid decimal literal", {position_ - 1, position_});
  char next = static_cast<char>(peek() | 0x20);
  bool is_float = peek() == '.' || next == 'e' || next == 'j';
  if (nonzero && !is_float) {
    fail(
        "leading zeros in decimal integer literals are not permitted; "
        "use an 0o prefix for octal integers",
        {begin, position_});
  }
}

void Lexer::scan_digits() {
  while (true) {
    while (is_digit(peek())) ++position_;
    if (peek() != '_') return;
    ++position_;
    if (!is_digit(peek())) fail("invalid decimal literal", {position_ - 1, position_});
  }
}

void Lexer::scan_fraction_and_exponent() {
  if (take('.') && is_digit(peek())) scan_digits();
  if ((peek() | 0x20) == 'e') scan_exponent();
  if ((peek() | 0x20) == 'j') {
    ++position_;
    check_number_end("imaginary");
  } else {
    check_number_end("decimal");
  }
}

// Reads an exponent if there is one; the `e` may also begin a word.
bool Lexer::scan_exponent() {
  uint32_t digits = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
  if (!is_digit(peek(digits))) return false;
  position_ += digits;
  scan_digits();
  return true;
}

void Lexer::check_number_end(const char* kind) {
  if (!is_name_byte(peek()) || starts_with_operator_word(text_.substr(position_))) return;
  fail(std::string("invalid ") + kind + " literal", {position_ - 1, position_});
}

}  // namespace strider::syntax
