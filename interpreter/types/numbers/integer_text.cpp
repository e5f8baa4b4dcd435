// Integers to text and back.
#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/bytes/bytes_methods.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/integer_limbs.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/unicode.h"

namespace strider::lang {

namespace mp = boost::multiprecision;

namespace {

// Longer decimal texts take quadratic time; CPython refuses them with the same limit.
std::size_t most_digits() { return Interpreter::current().most_digits; }

bool too_many(std::size_t digits) { return most_digits() != 0 && digits > most_digits(); }

std::string small_text(std::int64_t value, int base) {
  char buffer[72];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, base);
  return std::string(buffer, end);
}

constexpr char kDigits[] = "0123456789abcdefghijklmnopqrstuv";

std::string hexadecimal_text(const Integer& magnitude) {
  std::string bytes = bytes_of_magnitude(magnitude), text(bytes.size() * 2, '0');
  char* place = text.data();
  for (std::size_t i = bytes.size(); i-- > 0;) {
    auto byte = static_cast<unsigned char>(bytes[i]);
    *place++ = kDigits[byte >> 4];
    *place++ = kDigits[byte & 15];
  }
  return text.substr(text[0] == '0');
}

std::string power_of_two_text(const Integer& magnitude, unsigned bits) {
  if (bits == 4) return hexadecimal_text(magnitude);
  std::string text;
  std::size_t count = mp::msb(magnitude) / bits + 1;
  text.reserve(count);
  for (std::size_t i = count; i-- > 0;)
    text += kDigits[bits_from(magnitude, i * bits, static_cast<int>(bits))];
  return text;
}

[[noreturn]] void raise_too_long(std::size_t digits) {
  if (digits == 0)
    raise(errors::ValueError,
          "Exceeds the limit ({} digits) for integer string conversion; use "
          "sys.set_int_max_str_digits() to increase the limit",
          most_digits());
  raise(errors::ValueError,
        "Exceeds the limit ({} digits) for integer string conversion: value has {} digits; use "
        "sys.set_int_max_str_digits() to increase the limit",
        most_digits(), digits);
}

}  // namespace

std::string integer_text(const Value& integer, int base) {
  Value exact = exact_int(integer);
  if (exact.is_int()) return small_text(exact.as_int(), base);
  Integer value = to_integer(exact);
  Integer magnitude = mp::abs(value);
  std::string text = value < 0 ? "-" : "";
  if (base == 2 || base == 8 || base == 16)
    return text + power_of_two_text(magnitude, base == 2 ? 1 : base == 8 ? 3 : 4);
  if (too_many(mp::msb(magnitude) * 1000 / 3322)) raise_too_long(0);
  std::string digits = decimal_digits(magnitude);
  if (too_many(digits.size())) raise_too_long(0);
  return text + digits;
}

namespace {

// The value of a digit of a base up to 36; 99 of other characters.
constexpr auto kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(99);
  for (std::uint8_t i = 0; i < 10; ++i) values['0' + i] = i;
  for (std::uint8_t i = 0; i < 26; ++i) values['a' + i] = values['A' + i] = 10 + i;
  return values;
}();
int digit_of(char character) { return kValues[static_cast<unsigned char>(character)]; }

// Reads the prefix 0x, 0o or 0b that fits `base`; base 0 takes it from the prefix.
bool read_prefix(std::string_view& text, int& base) {
  int prefix = 0;
  if (text.size() > 1 && text[0] == '0') {
    char letter = static_cast<char>(text[1] | 0x20);
    prefix = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
  }
  bool wanted = prefix != 0 && (base == 0 || base == prefix);
  bool plain = base == 0 && !wanted;
  if (base == 0) base = wanted ? prefix : 10;
  if (wanted) {
    text.remove_prefix(2);
    if (text.starts_with('_')) text.remove_prefix(1);
  }
  // With base 0, "010" is refused as in source text; "00" is not.
  return !plain || text.empty() || text[0] != '0' ||
         text.find_first_not_of("0_") == std::string_view::npos;
}

// Digits without the underscores between them; false if the text is not made of digits.
bool read_digits(std::string_view text, int base, std::string& digits) {
  if (text.empty()) return false;
  if (std::all_of(text.begin(), text.end(), [=](char each) { return digit_of(each) < base; })) {
    digits = text;
    return true;
  }
  bool after_digit = false;
  for (char character : text) {
    if (character == '_') {
      if (!after_digit) return false;
      after_digit = false;
    } else {
      if (digit_of(character) >= base) return false;
      digits += character;
      after_digit = true;
    }
  }
  return after_digit;
}

Integer integer_of_hexadecimal(std::string_view digits) {
  std::string bytes((digits.size() + 1) / 2, '\0');
  auto at = [&](std::size_t i) { return static_cast<unsigned>(digit_of(digits[i])); };
  std::size_t left = digits.size();
  for (char& byte : bytes) {
    unsigned low = at(left - 1), high = left > 1 ? at(left - 2) : 0;
    byte = static_cast<char>(low | high << 4);
    left -= std::min<std::size_t>(left, 2);
  }
  return integer_of_bytes(bytes);
}

// The number of digits that stand for some bits each, in time that grows with their count.
Integer integer_of_bit_groups(const std::string& digits, int bits) {
  if (bits == 4) return integer_of_hexadecimal(digits);
  std::string bytes;
  unsigned waiting = 0;
  int count = 0;
  for (std::size_t i = digits.size(); i-- > 0;) {
    waiting |= static_cast<unsigned>(digit_of(digits[i])) << count;
    for (count += bits; count >= 8; count -= 8, waiting >>= 8) bytes += static_cast<char>(waiting);
  }
  bytes += static_cast<char>(waiting);
  return integer_of_bytes(bytes);
}

Value value_of_digits(const std::string& digits, int base, bool negative) {
  bool slow = (base & (base - 1)) != 0;
  if (slow && too_many(digits.size())) raise_too_long(digits.size());
  if (base == 10 || !slow) {
    int bits = std::countr_zero(static_cast<unsigned>(base));
    Integer value = slow ? integer_of_digits(digits) : integer_of_bit_groups(digits, bits);
    return from_integer(negative ? -value : value);
  }
  Integer result = 0;
  std::uint64_t part = 0, scale = 1;
  for (char digit : digits) {
    part = part * static_cast<unsigned>(base) + static_cast<unsigned>(digit_of(digit));
    scale *= static_cast<unsigned>(base);
    if (scale > (std::uint64_t{1} << 57)) {
      result = result * scale + part;
      part = 0;
      scale = 1;
    }
  }
  result = result * scale + part;
  if (negative) result = -result;
  return from_integer(std::move(result));
}

}  // namespace

// The number that plain decimal digits make, perhaps behind a minus; Empty for anything else.
static Value parse_plain_digits(std::string_view text) {
  constexpr std::size_t kSurelyFits = 18;
  bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.size() > kSurelyFits) return Value();
  std::int64_t result = 0;
  for (char digit : text) {
    if (digit < '0' || digit > '9') return Value();
    result = result * 10 + (digit - '0');
  }
  return Value::integer(negative ? -result : result);
}

Value parse_int(std::string_view text, int base) { return landed(attempt_int(text, base)); }

Value attempt_int(std::string_view original, int base, bool of_bytes) {
  if (base == 10)
    if (Value plain = parse_plain_digits(original); !plain.is_empty()) return plain;
  if (base != 0 && (base < 2 || base > 36))
    return fail(errors::ValueError, "int() base must be >= 2 and <= 36, or 0");
  int shown_base = base;
  std::string ascii = of_bytes ? std::string(original) : ascii_digits(original);
  std::string_view text = strip_space(ascii);
  bool negative = text.starts_with('-');
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  std::string digits;
  if (!read_prefix(text, base) || !read_digits(text, base, digits))
    return fail(errors::ValueError, "invalid literal for int() with base {}: {}", shown_base,
                of_bytes ? quote_bytes(original) : quote(original));
  return value_of_digits(digits, base, negative);
}

}  // namespace strider::lang
