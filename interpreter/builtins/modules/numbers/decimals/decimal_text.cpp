// Decimal numbers as texts without exponents, and read from plain texts.
#include <algorithm>

#include "interpreter/builtins/modules/numbers/decimals/decimal.h"
#include "interpreter/types/text/str.h"

namespace strider::lang::decimals {
namespace {

constexpr std::size_t kSmallDigits = 18;
constexpr std::int64_t kMostExponent = 999'999'999'999'999'999;  // MAX_EMAX; what is near is npx's

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::size_t count_leading_digits(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  return count;
}

std::int64_t small_number(std::string_view digits) {
  std::int64_t number = 0;
  for (char c : digits) number = number * 10 + (c - '0');
  return number;
}

Value number_of_digits(const std::string& digits) {
  return digits.size() <= kSmallDigits ? Value::integer(small_number(digits))
                                       : parse_int(digits, 10);
}

// e5, E-3: false where something else stands there, or more.
bool read_exponent(std::string_view text, std::int64_t& exponent) {
  exponent = 0;
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || text.size() > kSmallDigits || count_leading_digits(text) != text.size())
    return false;
  exponent = negative ? -small_number(text) : small_number(text);
  return true;
}

}  // namespace

Value text_of_number(const Operand& number) {
  std::string digits = number.coefficient.is_int() ? std::to_string(number.coefficient.as_int())
                                                   : integer_text(number.coefficient);
  std::int64_t point = number.exponent + static_cast<std::int64_t>(digits.size());
  if (number.exponent > 0 || point <= -6) return Value();
  std::string text = number.negative ? "-" : "";
  if (point <= 0) {
    text += "0.";
    text.append(static_cast<std::size_t>(-point), '0');
    text += digits;
  } else {
    text.append(digits, 0, static_cast<std::size_t>(point));
    if (number.exponent < 0) text.append(".").append(digits, static_cast<std::size_t>(point));
  }
  return make_str(std::move(text));
}

std::optional<Operand> read_number(std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::size_t whole = count_leading_digits(text);
  std::string digits(text.substr(0, whole));
  text.remove_prefix(whole);
  std::size_t decimals = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    decimals = count_leading_digits(text);
    digits += text.substr(0, decimals);
    text.remove_prefix(decimals);
  }
  std::int64_t exponent;
  if (digits.empty() || !read_exponent(text, exponent)) return std::nullopt;
  if (std::abs(exponent) + static_cast<std::int64_t>(digits.size()) > kMostExponent)
    return std::nullopt;
  return Operand{negative, number_of_digits(digits),
                 exponent - static_cast<std::int64_t>(decimals)};
}

}  // namespace strider::lang::decimals
