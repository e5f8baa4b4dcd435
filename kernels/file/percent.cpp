// Fills %-templates: reals through std::to_chars or printf, integers by hand.
#include "kernels/file/percent.h"

#include <strider/nd/error.h>
#include <strider/nd/format.h>

#include <charconv>
#include <cmath>
#include <cstdio>

namespace strider::nd::file {
namespace {

bool is_real_conversion(char c) {
  return std::string_view("eEfFgG").find(c) != std::string_view::npos;
}
bool is_integer_conversion(char c) {
  return std::string_view("diuoxX").find(c) != std::string_view::npos;
}

bool has(const std::string& flags, char flag) { return flags.find(flag) != std::string::npos; }

void append_padded(std::string& out, std::string_view text, const std::string& flags, int width) {
  std::size_t room =
      width > static_cast<int>(text.size()) ? static_cast<std::size_t>(width) - text.size() : 0;
  if (has(flags, '-')) {
    out += text;
    out.append(room, ' ');
  } else {
    out.append(room, ' ');
    out += text;
  }
}

// "%.18e" and "%.3f" without flags: the common case, without printf.
bool append_plain_real(std::string& out, double value, char conversion, int precision) {
  if (!std::isfinite(value) || (conversion != 'e' && conversion != 'f')) return false;
  char buffer[512];
  auto style = conversion == 'e' ? std::chars_format::scientific : std::chars_format::fixed;
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, style, precision);
  if (error != std::errc()) return false;
  out.append(buffer, end);
  return true;
}

void append_real(std::string& out, double value, const std::string& flags, int width, int precision,
                 char conversion) {
  if (precision < 0) precision = 6;
  if (flags.empty() && width == 0 && append_plain_real(out, value, conversion, precision)) return;
  std::string pattern = "%" + flags + "*.*" + conversion;
  int length = std::snprintf(nullptr, 0, pattern.c_str(), width, precision, value);
  std::size_t at = out.size();
  out.resize(at + static_cast<std::size_t>(length) + 1);
  std::snprintf(out.data() + at, static_cast<std::size_t>(length) + 1, pattern.c_str(), width,
                precision, value);
  out.pop_back();
}

// Digits of a magnitude in base 8, 10 or 16.
std::string digits_of(std::uint64_t magnitude, char conversion, int precision) {
  char buffer[32];
  int base = conversion == 'o' ? 8 : conversion == 'x' || conversion == 'X' ? 16 : 10;
  char* end = std::to_chars(buffer, buffer + sizeof buffer, magnitude, base).ptr;
  std::string digits(buffer, end);
  if (static_cast<int>(digits.size()) < precision)
    digits.insert(0, static_cast<std::size_t>(precision) - digits.size(), '0');
  return digits;
}

void append_integer(std::string& out, bool negative, std::uint64_t magnitude,
                    const std::string& flags, int width, int precision, char conversion) {
  std::string sign = negative ? "-" : has(flags, '+') ? "+" : has(flags, ' ') ? " " : "";
  if (has(flags, '#') && conversion == 'o') sign += "0o";
  if (has(flags, '#') && (conversion == 'x' || conversion == 'X')) sign += "0x";
  std::string digits = digits_of(magnitude, conversion, precision);
  std::size_t used = sign.size() + digits.size();
  if (has(flags, '0') && !has(flags, '-') && width > static_cast<int>(used))
    digits.insert(0, static_cast<std::size_t>(width) - used, '0');
  std::string text = sign + digits;
  if (conversion == 'X')
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  append_padded(out, text, flags, width);
}

// %d and its relatives: exact for integers, truncating for reals.
bool append_as_integer(std::string& out, const Scalar& value, const std::string& flags, int width,
                       int precision, char conversion) {
  DType dtype = value.dtype();
  bool base_ten = conversion != 'o' && conversion != 'x' && conversion != 'X';
  if (dtype == DType::kBool && !base_ten) return false;
  if (dtype == DType::kBool || category(dtype) == Category::kUnsigned) {
    append_integer(out, false, value.as(DType::kUInt64).get<std::uint64_t>(), flags, width,
                   precision, conversion);
    return true;
  }
  if (category(dtype) == Category::kSigned) {
    auto number = value.as(DType::kInt64).get<std::int64_t>();
    std::uint64_t magnitude = static_cast<std::uint64_t>(number);
    append_integer(out, number < 0, number < 0 ? 0 - magnitude : magnitude, flags, width, precision,
                   conversion);
    return true;
  }
  if (!base_ten) return false;
  double number = std::trunc(value.to_double());
  if (std::isnan(number)) throw Error(ErrorKind::kValue, "cannot convert float NaN to integer");
  if (std::isinf(number))
    throw Error(ErrorKind::kOverflow, "cannot convert float infinity to integer");
  if (std::fabs(number) < 0x1p64) {
    append_integer(out, number < 0, static_cast<std::uint64_t>(std::fabs(number)), flags, width,
                   precision, conversion);
  } else {
    append_real(out, number, flags, width, 0, 'f');
  }
  return true;
}

// The character with that code.
std::string utf8_of(const Scalar& value) {
  auto code = value.as(DType::kUInt64).get<std::uint64_t>();
  if (code > 0x10ffff) throw Error(ErrorKind::kOverflow, "%c arg not in range(0x110000)");
  auto byte = [](std::uint64_t bits) { return static_cast<char>(bits); };
  if (code < 0x80) return {byte(code)};
  char last = byte(0x80 | (code & 0x3f));
  if (code < 0x800) return {byte(0xc0 | code >> 6), last};
  char middle = byte(0x80 | (code >> 6 & 0x3f));
  if (code < 0x10000) return {byte(0xe0 | code >> 12), middle, last};
  return {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), middle, last};
}

}  // namespace

PercentTemplate::PercentTemplate(std::string_view text) {
  Piece piece;
  std::size_t at = 0;
  auto peek = [&]() -> char {
    if (at >= text.size()) throw Error(ErrorKind::kValue, "incomplete format");
    return text[at];
  };
  auto number = [&] {
    int value = 0;
    while (peek() >= '0' && peek() <= '9') {
      value = value * 10 + (text[at++] - '0');
      if (value > 100000) throw Error(ErrorKind::kValue, "width too big");
    }
    return value;
  };
  while (at < text.size()) {
    if (text[at] != '%') {
      piece.literal += text[at++];
      continue;
    }
    ++at;
    if (peek() == '%') {
      piece.literal += text[at++];
      continue;
    }
    while (std::string_view("-+ 0#").find(peek()) != std::string_view::npos)
      piece.flags += text[at++];
    piece.width = number();
    if (peek() == '.') {
      ++at;
      piece.precision = number();
    }
    while (std::string_view("hlL").find(peek()) != std::string_view::npos) ++at;
    piece.conversion = text[at++];
    bool known = is_real_conversion(piece.conversion) || is_integer_conversion(piece.conversion) ||
                 std::string_view("srac").find(piece.conversion) != std::string_view::npos;
    if (!known)
      throw Error(ErrorKind::kValue,
                  "unsupported format character '" + std::string(1, piece.conversion) + "' (0x" +
                      digits_of(static_cast<unsigned char>(piece.conversion), 'x', 0) +
                      ") at index " + std::to_string(at - 1));
    pieces_.push_back(std::move(piece));
    piece = Piece();
    ++slots_;
  }
  if (!piece.literal.empty()) pieces_.push_back(std::move(piece));
}

bool PercentTemplate::append_piece(std::string& out, const Piece& piece, const Scalar& value) {
  if (is_real_conversion(piece.conversion)) {
    if (is_complex(value.dtype())) return false;
    append_real(out, value.to_double(), piece.flags, piece.width, piece.precision,
                piece.conversion);
    return true;
  }
  if (is_integer_conversion(piece.conversion)) {
    if (is_complex(value.dtype())) return false;
    return append_as_integer(out, value, piece.flags, piece.width, piece.precision,
                             piece.conversion);
  }
  if (piece.conversion == 'c') {
    if (!is_integer(value.dtype())) return false;
    append_padded(out, utf8_of(value), piece.flags, piece.width);
    return true;
  }
  std::string text = piece.conversion == 's' ? scalar_str(value) : scalar_repr(value);
  if (piece.precision >= 0) text = text.substr(0, static_cast<std::size_t>(piece.precision));
  append_padded(out, text, piece.flags, piece.width);
  return true;
}

bool PercentTemplate::append(std::string& out, const Scalar* values) const {
  for (const Piece& piece : pieces_) {
    out += piece.literal;
    if (piece.conversion != '\0' && !append_piece(out, piece, *values++)) return false;
  }
  return true;
}

}  // namespace strider::nd::file
