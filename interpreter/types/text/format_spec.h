// The format mini-language: [[fill]align][sign][z][#][0][width][,_][.precision][type]. Private to
// this room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strider::lang {

struct FormatSpec {
  std::string fill = " ";  // one character
  char align = '\0';       // < > ^ =
  char sign = '\0';        // + - blank
  char grouping = '\0';    // , _
  int group_size = 3;
  bool alternate = false;
  bool positive_zero = false;
  std::int64_t width = -1;
  std::int64_t precision = -1;
  char32_t type = 0;
};

// A number taken apart: sign and prefix, digits that may be grouped, and what follows them.
struct NumberText {
  std::string lead;
  std::string digits;
  std::string rest;
};

// Parses a specification; ValueError as CPython raises it. `align` and `type` hold if not given;
// `type_name` is for messages.
FormatSpec parse_format_spec(std::string_view text, char align, char type,
                             std::string_view type_name);
// Groups and pads a number.
std::string lay_out_number(const NumberText& number, const FormatSpec& spec);
// Pads any text (of `size` characters).
std::string pad_text(std::string_view text, std::int64_t size, const FormatSpec& spec);
// The sign that is shown for a number.
std::string shown_sign(bool negative, char sign);
// Digits of |value| for a type of e E f F g G % and a precision, point included, no sign.
std::string float_digits(double magnitude, char type, std::int64_t precision, bool alternate);
// ValueError "Unknown format code 'd' for object of type 'str'".
[[noreturn]] void raise_unknown_code(char32_t type, std::string_view type_name);

}  // namespace strider::lang
