// Parsing of format specifications, grouping and padding.
#include "interpreter/types/text/format_spec.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "interpreter/runtime/error/error.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

bool is_align(char character) {
  return character == '<' || character == '>' || character == '=' || character == '^';
}

// Reads what stands at the front of the specification, piece by piece.
class SpecReader {
 public:
  explicit SpecReader(std::string_view text) : text_(text) {}

  bool take(char character) {
    if (!text_.starts_with(character)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool take_fill_and_align(FormatSpec& spec) {
    if (text_.empty()) return false;
    std::size_t length = 0;
    decode_code_point(text_, length);
    if (length < text_.size() && is_align(text_[length])) {
      spec.fill = text_.substr(0, length);
      spec.align = text_[length];
      text_.remove_prefix(length + 1);
      return true;
    }
    if (!is_align(text_[0])) return false;
    spec.align = text_[0];
    text_.remove_prefix(1);
    return false;
  }
  // A number without sign; false if there is none.
  bool take_number(std::int64_t& number) {
    std::size_t length = 0;
    std::int64_t value = 0;
    for (; length < text_.size() && text_[length] >= '0' && text_[length] <= '9'; ++length) {
      if (__builtin_mul_overflow(value, 10, &value) ||
          __builtin_add_overflow(value, text_[length] - '0', &value))
        raise(errors::ValueError, "Too many decimal digits in format string");
    }
    if (length == 0) return false;
    number = value;
    text_.remove_prefix(length);
    return true;
  }
  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

void read_grouping(SpecReader& reader, FormatSpec& spec) {
  if (reader.take(',')) spec.grouping = ',';
  bool both = false;
  if (reader.take('_')) {
    both = spec.grouping == ',';
    spec.grouping = '_';
  }
  if (both || (spec.grouping == '_' && reader.take(',')))
    raise(errors::ValueError, "Cannot specify both ',' and '_'.");
}

void check_grouping(FormatSpec& spec) {
  if (!spec.grouping) return;
  std::string_view decimal("deEfFgG%\0", 9), binary("boxX");
  bool ascii = spec.type < 128;
  if (ascii && decimal.find(static_cast<char>(spec.type)) != std::string_view::npos) return;
  if (ascii && spec.grouping == '_' &&
      binary.find(static_cast<char>(spec.type)) != std::string_view::npos) {
    spec.group_size = 4;
    return;
  }
  if (spec.type > 32 && ascii)
    raise(errors::ValueError, "Cannot specify '{}' with '{}'.", spec.grouping,
          static_cast<char>(spec.type));
  raise(errors::ValueError, "Cannot specify '{}' with '\\x{:x}'.", spec.grouping,
        static_cast<std::uint32_t>(spec.type));
}

}  // namespace

FormatSpec parse_format_spec(std::string_view text, char align, char type,
                             std::string_view type_name) {
  FormatSpec spec;
  spec.type = static_cast<unsigned char>(type);
  SpecReader reader(text);
  bool filled = reader.take_fill_and_align(spec);
  for (char sign : {'+', '-', ' '})
    if (!spec.sign && reader.take(sign)) spec.sign = sign;
  spec.positive_zero = reader.take('z');
  spec.alternate = reader.take('#');
  if (!filled && reader.take('0')) {
    spec.fill = "0";
    if (!spec.align && align == '>') spec.align = '=';
  }
  if (!spec.align) spec.align = align;
  reader.take_number(spec.width);
  read_grouping(reader, spec);
  if (reader.take('.') && !reader.take_number(spec.precision))
    raise(errors::ValueError, "Format specifier missing precision");
  std::string_view rest = reader.rest();
  if (!rest.empty()) {
    std::size_t length = 0;
    spec.type = decode_code_point(rest, length);
    if (length < rest.size())
      raise(errors::ValueError, "Invalid format specifier '{}' for object of type '{}'", text,
            type_name);
  }
  check_grouping(spec);
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  if (spec.width > kMost) raise_message(errors::MemoryError(), "");
  if (spec.precision > std::numeric_limits<int>::max())
    raise(errors::ValueError, "precision too big");
  return spec;
}

std::string shown_sign(bool negative, char sign) {
  if (negative) return "-";
  return sign == '+' ? "+" : sign == ' ' ? " " : "";
}

namespace {

// Digits in groups, with zeros in front until they are `least` wide.
std::string grouped(const std::string& digits, const FormatSpec& spec, std::int64_t least) {
  std::string result;  // backwards
  int in_group = 0;
  auto add = [&](char digit) {
    if (spec.grouping && in_group == spec.group_size) {
      result += spec.grouping;
      in_group = 0;
    }
    result += digit;
    ++in_group;
  };
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) add(*digit);
  if (least > 0) result.reserve(static_cast<std::size_t>(least) + 1);
  while (static_cast<std::int64_t>(result.size()) < least) add('0');
  return std::string(result.rbegin(), result.rend());
}

// Asks for all the memory at once, so that absurd widths fail early.
void append_fill(std::string& text, const std::string& fill, std::int64_t count) {
  if (count > 0) text.reserve(text.size() + fill.size() * static_cast<std::size_t>(count));
  if (fill.size() == 1 && count > 0) text.append(static_cast<std::size_t>(count), fill[0]);
  for (std::int64_t i = 0; i < count && fill.size() > 1; ++i) text += fill;
}

}  // namespace

std::string pad_text(std::string_view text, std::int64_t size, const FormatSpec& spec) {
  std::int64_t missing = spec.width - size;
  if (missing <= 0) return std::string(text);
  std::int64_t left = spec.align == '>' || spec.align == '=' ? missing
                      : spec.align == '^'                    ? missing / 2
                                                             : 0;
  std::string result;
  append_fill(result, spec.fill, left);
  result += text;
  append_fill(result, spec.fill, missing - left);
  return result;
}

std::string lay_out_number(const NumberText& number, const FormatSpec& spec) {
  auto fixed = static_cast<std::int64_t>(number.lead.size() + number.rest.size());
  bool zeros = spec.align == '=' && spec.fill == "0";
  std::string digits = grouped(number.digits, spec, zeros ? spec.width - fixed : 0);
  auto size = fixed + static_cast<std::int64_t>(digits.size());
  if (spec.align != '=') return pad_text(number.lead + digits + number.rest, size, spec);
  std::string result = number.lead;
  append_fill(result, spec.fill, spec.width - size);
  return result + digits + number.rest;
}

namespace {

std::string written(double magnitude, std::chars_format format, std::int64_t precision) {
  constexpr std::int64_t kMostDigits = std::int64_t{1} << 28;
  constexpr std::int64_t kFewDigits = 60;
  if (precision > kMostDigits) raise_message(errors::MemoryError(), "");
  if (precision <= kFewDigits) {
    char buffer[kFewDigits + 340];
    auto end = std::to_chars(buffer, buffer + sizeof buffer, magnitude, format,
                             static_cast<int>(precision));
    return std::string(buffer, end.ptr);
  }
  std::string buffer(static_cast<std::size_t>(precision) + 340, '\0');
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, format,
                           static_cast<int>(precision));
  buffer.resize(static_cast<std::size_t>(end.ptr - buffer.data()));
  return buffer;
}

void add_point(std::string& text) {
  if (text.find('.') != std::string::npos) return;
  std::size_t mark = text.find('e');
  text.insert(mark == std::string::npos ? text.size() : mark, ".");
}

// %g with trailing zeros kept.
std::string full_general(double magnitude, std::int64_t precision) {
  if (precision == 0) precision = 1;
  std::string scientific = written(magnitude, std::chars_format::scientific, precision - 1);
  std::int64_t exponent = std::stoll(scientific.substr(scientific.find('e') + 1));
  if (exponent < -4 || exponent >= precision) return scientific;
  return written(magnitude, std::chars_format::fixed, precision - 1 - exponent);
}

}  // namespace

std::string float_digits(double magnitude, char type, std::int64_t precision, bool alternate) {
  bool upper = type == 'E' || type == 'F' || type == 'G';
  std::string text;
  if (!std::isfinite(magnitude)) {
    text = std::isnan(magnitude) ? "nan" : "inf";
  } else {
    char lower = static_cast<char>(type | 0x20);
    if (lower == 'e')
      text = written(magnitude, std::chars_format::scientific, precision);
    else if (lower == 'g')
      text = alternate ? full_general(magnitude, precision)
                       : written(magnitude, std::chars_format::general, precision);
    else
      text = written(magnitude, std::chars_format::fixed, precision);
    if (alternate) add_point(text);
  }
  if (upper)
    for (char& character : text)
      if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 32);
  return text;
}

void raise_unknown_code(char32_t type, std::string_view type_name) {
  if (type > 32 && type < 128)
    raise(errors::ValueError, "Unknown format code '{}' for object of type '{}'",
          static_cast<char>(type), type_name);
  raise(errors::ValueError, "Unknown format code '\\x{:x}' for object of type '{}'",
        static_cast<std::uint32_t>(type), type_name);
}

}  // namespace strider::lang
