// format(value, spec) of text, integers, floats and complex numbers.
#include <cmath>

#include "interpreter/runtime/error/error.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/text/format_spec.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

std::string format_str(std::string_view text, std::string_view spec_text, std::string_view type) {
  FormatSpec spec = parse_format_spec(spec_text, '<', 's', type);
  auto refuse = [](const char* what) {
    raise(errors::ValueError, "{} not allowed in string format specifier", what);
  };
  if (spec.type != 's') raise_unknown_code(spec.type, type);
  if (spec.sign == ' ') refuse("Space");
  if (spec.sign) refuse("Sign");
  if (spec.positive_zero) refuse("Negative zero coercion (z)");
  if (spec.alternate) refuse("Alternate form (#)");
  if (spec.align == '=') refuse("'=' alignment");
  std::int64_t size = count_code_points(text);
  if (spec.precision >= 0 && spec.precision < size) {
    std::size_t offset = 0;
    for (std::int64_t i = 0; i < spec.precision; ++i) decode_code_point(text, offset);
    text = text.substr(0, offset);
    size = spec.precision;
  }
  return pad_text(text, size, spec);
}

namespace {

// Splits the digits before point and exponent from the rest.
NumberText take_apart(std::string lead, const std::string& text) {
  std::size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  return {std::move(lead), text.substr(0, digits), text.substr(digits)};
}

bool is_zero_text(const std::string& text) {
  for (char character : text) {
    if (character == 'e' || character == 'E') break;
    if ((character >= '1' && character <= '9') || character == 'n' || character == 'i' ||
        character == 'N' || character == 'I')
      return false;
  }
  return true;
}

// Without type: shortest digits, or %g; always with a point, unless it is a part of a complex
// number.
std::string plain_digits(double magnitude, const FormatSpec& spec, bool is_part) {
  if (spec.precision < 0) {
    std::string text = float_repr(magnitude);
    if (is_part && text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
  }
  std::string text = float_digits(magnitude, 'g', spec.precision, spec.alternate);
  if (is_part) return text;
  std::size_t whole = std::min(text.find_first_not_of("0123456789"), text.size());
  bool exponent = text.find_first_of("en") != std::string::npos;
  if (exponent || (whole < text.size() && !spec.alternate)) return text;
  if (magnitude != 0 && text.starts_with("0.")) return text;
  // Digits that reach the precision are written with an exponent, to have room for the point.
  if (static_cast<std::int64_t>(whole) >= std::max<std::int64_t>(spec.precision, 1)) {
    std::string scientific =
        float_digits(magnitude, 'e', std::max<std::int64_t>(spec.precision - 1, 0), spec.alternate);
    if (spec.alternate) return scientific;
    std::size_t mark = scientific.find('e'), last = scientific.find_last_not_of("0", mark - 1);
    if (scientific.find('.') == std::string::npos) return scientific;
    last += scientific[last] == '.' ? 0 : 1;
    return scientific.erase(last, mark - last);
  }
  return whole < text.size() ? text : text + ".0";
}

std::string format_parsed_float(double value, const FormatSpec& spec, std::string_view type,
                                bool is_part = false) {
  std::string text;
  std::string suffix;
  double magnitude = std::fabs(value);
  if (spec.type == 0) {
    text = plain_digits(magnitude, spec, is_part);
    if (spec.alternate && text.find_first_of(".n") == std::string::npos)
      text.insert(std::min(text.find('e'), text.size()), ".");
  } else {
    std::string_view known = "eEfFgG%n";
    if (spec.type >= 128 || known.find(static_cast<char>(spec.type)) == std::string_view::npos)
      raise_unknown_code(spec.type, type);
    char code = static_cast<char>(spec.type);
    if (code == '%') {
      magnitude *= 100;
      suffix = "%";
    }
    if (code == '%' || code == 'n') code = code == '%' ? 'f' : 'g';
    text = float_digits(magnitude, code, spec.precision < 0 ? 6 : spec.precision, spec.alternate);
  }
  bool negative = std::signbit(value) && !std::isnan(value);
  if (spec.positive_zero && negative && is_zero_text(text)) negative = false;
  text += suffix;
  bool plain = spec.width <= 0 && !spec.grouping;
  if (plain) return negative || spec.sign ? shown_sign(negative, spec.sign) + text : text;
  return lay_out_number(take_apart(shown_sign(negative, spec.sign), text), spec);
}

}  // namespace

std::string format_float(double value, std::string_view spec_text, std::string_view type) {
  return format_parsed_float(value, parse_format_spec(spec_text, '>', '\0', type), type);
}

namespace {

std::string format_character(const Value& integer, const FormatSpec& spec) {
  if (spec.sign) raise(errors::ValueError, "Sign not allowed with integer format specifier 'c'");
  if (spec.alternate)
    raise(errors::ValueError, "Alternate form (#) not allowed with integer format specifier 'c'");
  if (!integer.is_int() || integer.as_int() < 0 || integer.as_int() > 0x10FFFF)
    raise(errors::OverflowError, "%c arg not in range(0x110000)");
  std::string text;
  append_code_point(text, static_cast<char32_t>(integer.as_int()));
  return pad_text(text, 1, spec);
}

int base_of(char32_t type) {
  switch (type) {
    case 'b':
      return 2;
    case 'o':
      return 8;
    case 'x':
    case 'X':
      return 16;
    case 'd':
    case 'n':
      return 10;
    default:
      return 0;
  }
}

std::string upper(std::string text) {
  for (char& character : text)
    if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 32);
  return text;
}

}  // namespace

std::string format_int(const Value& integer, std::string_view spec_text, std::string_view type) {
  FormatSpec spec = parse_format_spec(spec_text, '>', 'd', type);
  if (spec.type != 0 && spec.type < 128 &&
      std::string_view("eEfFgG%").find(static_cast<char>(spec.type)) != std::string_view::npos)
    return format_parsed_float(integer_to_double(integer), spec, type);
  int base = base_of(spec.type);
  if (base == 0 && spec.type != 'c') raise_unknown_code(spec.type, type);
  if (spec.precision >= 0)
    raise(errors::ValueError, "Precision not allowed in integer format specifier");
  if (spec.positive_zero)
    raise(errors::ValueError, "Negative zero coercion (z) not allowed in integer format specifier");
  if (spec.type == 'c') return format_character(integer, spec);
  std::string digits = integer_text(integer, base);
  bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  std::string lead = shown_sign(negative, spec.sign);
  if (spec.alternate && base != 10) lead += std::string("0") + static_cast<char>(spec.type);
  if (spec.type == 'X') digits = upper(digits);
  return lay_out_number({std::move(lead), std::move(digits), ""}, spec);
}

std::string format_complex(double real, double imag, std::string_view spec_text) {
  FormatSpec spec = parse_format_spec(spec_text, '>', '\0', "complex");
  constexpr std::string_view kKnown = "eEfFgGn";
  bool known = spec.type < 128 && kKnown.find(static_cast<char>(spec.type)) != kKnown.npos;
  if (spec.type != 0 && !known) raise_unknown_code(spec.type, "complex");
  if (spec.fill == "0")
    raise(errors::ValueError, "Zero padding is not allowed in complex format specifier");
  if (spec.align == '=')
    raise(errors::ValueError, "'=' alignment flag is not allowed in complex format specifier");
  bool plain = spec.type == 0;
  FormatSpec part = spec;
  part.width = -1;
  auto shown = [&](double value, char sign) {
    part.sign = sign;
    return format_parsed_float(value, part, "complex", true);
  };
  std::string text;
  if (plain && real == 0 && !std::signbit(real)) {
    text = shown(imag, spec.sign) + "j";
  } else {
    text = shown(real, spec.sign) + shown(imag, '+') + "j";
    if (plain) text = "(" + text + ")";
  }
  return pad_text(text, static_cast<std::int64_t>(text.size()), spec);
}

}  // namespace strider::lang
