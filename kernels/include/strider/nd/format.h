// Printing: arrays and scalars as text, character for character as NumPy 2 prints them. Knows
// nothing of the language; user-given formatters come in through ElementFormatter.
#pragma once

#include <strider/nd/array.h>

#include <optional>
#include <string>
#include <string_view>

namespace strider::nd {

enum class FloatMode : std::uint8_t { kFixed, kUnique, kMaxprec, kMaxprecEqual };

// Whose manner to print in: that of an earlier NumPy (printoptions' `legacy`), in order of age.
enum class Manner : std::uint8_t { k1_13, k1_21, k1_25, k2_1, k2_2, kCurrent };

// Turns one element into text in place of the built-in rules (printoptions' `formatter`).
class ElementFormatter {
 public:
  virtual ~ElementFormatter() = default;
  virtual std::string format(const Scalar& element) = 0;
};

// numpy.printoptions, with its defaults.
struct PrintOptions {
  int precision = 8;
  std::int64_t threshold = 1000;
  std::int64_t edge_items = 3;
  std::int64_t line_width = 75;
  bool suppress = false;
  std::string nan_text = "nan";
  std::string inf_text = "inf";
  char sign = '-';  // '-', '+' or ' '
  FloatMode float_mode = FloatMode::kMaxprec;
  Manner manner = Manner::kCurrent;
  // One formatter per family of types; null: the built-in one.
  ElementFormatter* bool_formatter = nullptr;
  ElementFormatter* integer_formatter = nullptr;
  ElementFormatter* float_formatter = nullptr;
  ElementFormatter* complex_formatter = nullptr;
};

// numpy.array2string: the elements in brackets, wrapped and summarised. `prefix` only indents the
// continuation lines; `suffix` shortens the lines.
std::string array2string(const Array& array, const PrintOptions& options = {},
                         std::string_view separator = " ", std::string_view prefix = "",
                         std::string_view suffix = "");
// repr(array): "array([1, 2], dtype=int8)". `class_name` replaces "array".
std::string array_repr(const Array& array, const PrintOptions& options = {},
                       std::string_view class_name = "array");
// str(array); a 0-d array prints as its element does.
std::string array_str(const Array& array, const PrintOptions& options = {});

// repr of a NumPy scalar: "np.float64(1.5)", "np.True_", "np.complex128(1+2j)".
// Before NumPy 2 it was their text, before 1.14 with 17 digits.
std::string scalar_repr(const Scalar& value, Manner manner = Manner::kCurrent);
// str of a NumPy scalar: "1.5", "True", "(1+2j)"; shortest digits for its own type.
std::string scalar_str(const Scalar& value, Manner manner = Manner::kCurrent);

enum class Trim : std::uint8_t {
  kKeep,     // 'k': keep zeros and point
  kPoint,    // '.': no trailing zeros, keep the point
  kOneZero,  // '0': no trailing zeros but one after the point
  kAll,      // '-': neither zeros nor a bare point
};

// The parameters of numpy.format_float_positional and format_float_scientific; -1: not given.
struct FloatFormat {
  int precision = -1;
  int min_digits = -1;
  bool unique = true;
  bool fractional = true;  // positional only: precision counts digits after the point
  Trim trim = Trim::kKeep;
  bool sign = false;
  int pad_left = -1;
  int pad_right = -1;   // positional only
  int exp_digits = -1;  // scientific only
};
// One real floating element as 12.5; kValue for impossible combinations of parameters.
std::string format_float_positional(const Scalar& value, const FloatFormat& format = {});
// One real floating element as 1.25e+01.
std::string format_float_scientific(const Scalar& value, const FloatFormat& format = {});

}  // namespace strider::nd
