// Floats to text and back: shortest decimal digits, and hexadecimal.
#include <charconv>
#include <cmath>
#include <limits>

#include "interpreter/runtime/error/error.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {

std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  char buffer[40];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  std::string_view text(buffer, static_cast<std::size_t>(end.ptr - buffer));
  std::size_t mark = text.find('e');
  int exponent = std::stoi(std::string(text.substr(mark + 1)));
  if (exponent < -4 || exponent >= 16) return std::string(text);
  end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  std::string result(buffer, static_cast<std::size_t>(end.ptr - buffer));
  if (result.find('.') == std::string::npos) result += ".0";
  return result;
}

namespace {

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] | 0x20) != lower[i]) return false;
  return true;
}

bool is_ascii_digit(char character) { return character >= '0' && character <= '9'; }

// Drops underscores; false unless each stands between two digits.
bool drop_underscores(std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain += text[i];
      continue;
    }
    bool between =
        i > 0 && i + 1 < text.size() && is_ascii_digit(text[i - 1]) && is_ascii_digit(text[i + 1]);
    if (!between) return false;
  }
  text.swap(plain);
  return true;
}

// "1.", ".5", "1e-3": from_chars reads these but would also take "inf" and stop early at garbage.
bool is_decimal_number(std::string_view text) {
  std::size_t i = 0, digits = 0;
  for (; i < text.size() && is_ascii_digit(text[i]); ++i) ++digits;
  if (i < text.size() && text[i] == '.')
    for (++i; i < text.size() && is_ascii_digit(text[i]); ++i) ++digits;
  if (digits == 0) return false;
  if (i == text.size()) return true;
  if ((text[i] | 0x20) != 'e') return false;
  ++i;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  if (i == text.size()) return false;
  for (; i < text.size(); ++i)
    if (!is_ascii_digit(text[i])) return false;
  return true;
}

// A decimal number beyond the range of double: zero or infinity.
double limit_of(std::string_view text) {
  std::string copy(text);
  return std::strtod(copy.c_str(), nullptr);
}

}  // namespace

// Digits, a point, an exponent, signs: what from_chars reads to the end as Python does.
static bool parse_plain_float(std::string_view text, double& result) {
  for (char c : text)
    if ((c < '0' || c > '9') && c != '.' && c != '-' && c != 'e' && c != 'E' && c != '+')
      return false;
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), result);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

// Infinity or NaN, perhaps negative.
static bool parse_named_float(std::string_view text, double& result) {
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity"))
    result = std::numeric_limits<double>::infinity();
  else if (equals_ignoring_case(text, "nan"))
    result = std::numeric_limits<double>::quiet_NaN();
  else
    return false;
  if (negative) result = -result;
  return true;
}

bool try_parse_float(std::string_view original, double& result) {
  if (parse_plain_float(original, result) || parse_named_float(original, result)) return true;
  std::string ascii = ascii_digits(original);
  std::string copy(strip_space(ascii));
  if (!drop_underscores(copy)) return false;
  std::string_view text = copy;
  if (parse_named_float(text, result)) return true;
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (!is_decimal_number(text)) return false;
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), result);
  if (parsed.ec != std::errc()) result = limit_of(text);
  if (negative) result = -result;
  return true;
}

double parse_float(std::string_view text) {
  double result;
  if (!try_parse_float(text, result))
    raise(errors::ValueError, "could not convert string to float: {}", quote(text));
  return result;
}

std::string float_hex(double value) {
  if (!std::isfinite(value)) return float_repr(value);
  std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) return sign + "0x0.0p+0";
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent);
  exponent -= 1;
  fraction *= 2;
  if (exponent < -1022) {
    fraction = std::ldexp(fraction, exponent + 1022);
    exponent = -1022;
  }
  auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 52));
  return sign + fmt::format("0x{}.{:013x}p{:+d}", mantissa >> 52,
                            mantissa & ((std::uint64_t{1} << 52) - 1), exponent);
}

namespace {

// Digits and point of a hexadecimal float; `exponent` takes the point into account.
struct HexDigits {
  std::uint64_t mantissa = 0;
  std::int64_t exponent = 0;
  bool any = false, sticky = false;
};

int hex_value(char character) {
  if (is_ascii_digit(character)) return character - '0';
  char lower = static_cast<char>(character | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

HexDigits read_hex_digits(std::string_view& text) {
  HexDigits result;
  bool after_point = false;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text[0] == '.' && !after_point) {
      after_point = true;
      continue;
    }
    int digit = hex_value(text[0]);
    if (digit < 0) break;
    result.any = true;
    if (result.mantissa >> 59 == 0) {
      result.mantissa = result.mantissa << 4 | static_cast<unsigned>(digit);
      if (after_point) result.exponent -= 4;
    } else {
      result.sticky |= digit != 0;
      if (!after_point) result.exponent += 4;
    }
  }
  return result;
}

[[noreturn]] void raise_bad_hex() {
  raise(errors::ValueError, "invalid hexadecimal floating-point string");
}

std::int64_t read_binary_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if ((text[0] | 0x20) != 'p') raise_bad_hex();
  text.remove_prefix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) raise_bad_hex();
  }
  std::int64_t exponent = 0;
  auto parsed = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (parsed.ptr != text.data() + text.size() || text.empty()) raise_bad_hex();
  if (parsed.ec == std::errc::result_out_of_range) exponent = text[0] == '-' ? -100000 : 100000;
  return std::clamp<std::int64_t>(exponent, -100000, 100000);
}

// Rounds once, at the precision that the result's exponent leaves.
double scaled(HexDigits digits) {
  if (digits.mantissa == 0) return 0;
  if (digits.sticky) digits.mantissa |= 1;
  int length = 64 - __builtin_clzll(digits.mantissa);
  std::int64_t top = digits.exponent + length;
  std::int64_t kept = top < -1021 ? 53 - (-1021 - top) : 53;
  if (kept < 0) return 0;
  std::int64_t drop = length - kept;
  if (drop > 0) {
    auto low = drop >= 64 ? digits.mantissa : digits.mantissa & ((std::uint64_t{1} << drop) - 1);
    std::uint64_t half = std::uint64_t{1} << (drop - 1);
    digits.mantissa = drop >= 64 ? 0 : digits.mantissa >> drop;
    if (low > half || (low == half && digits.mantissa & 1)) ++digits.mantissa;
    digits.exponent += drop;
  }
  double result =
      std::ldexp(static_cast<double>(digits.mantissa),
                 static_cast<int>(std::clamp<std::int64_t>(digits.exponent, -5000, 5000)));
  if (std::isinf(result))
    raise(errors::OverflowError, "hexadecimal value too large to represent as a float");
  return result;
}

}  // namespace

double parse_float_hex(std::string_view original) {
  std::string_view text = strip_space(original);
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double result;
  if (equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity")) {
    result = std::numeric_limits<double>::infinity();
  } else if (equals_ignoring_case(text, "nan")) {
    result = std::numeric_limits<double>::quiet_NaN();
  } else {
    if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
    HexDigits digits = read_hex_digits(text);
    if (!digits.any) raise_bad_hex();
    digits.exponent += read_binary_exponent(text);
    result = scaled(digits);
  }
  return negative ? -result : result;
}

}  // namespace strider::lang
