// Lays out the digits of one number in positional or scientific form.
#include "kernels/format/float_text.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <cstdlib>

namespace strider::nd::format {
namespace {

// The digits a format asks for: shortest ones bounded below by min_digits and above by precision.
Decimal pick_digits(const Real& number, const FloatFormat& format, bool after_point, int extra) {
  auto exactly = [&](int count) {
    return after_point ? fractional_digits(number, count)
                       : significant_digits(number, std::max(count + extra, 1));
  };
  if (!format.unique) return exactly(std::max(format.precision, 0));
  Decimal shortest = shortest_digits(number);
  int have =
      static_cast<int>(shortest.digits.size()) - (after_point ? shortest.exponent + 1 : extra);
  if (format.precision >= 0 && have > format.precision) return exactly(format.precision);
  if (format.min_digits >= 0 && have < format.min_digits) return exactly(format.min_digits);
  return shortest;
}

// NumPy stops at the last digit that is not zero when a number ends there or was rounded up to it,
// but not when zeros merely stand before digits that are cut off.
void stop_early(Decimal& decimal, const Real& number, bool unique) {
  if (decimal.digits.back() != '0' || decimal.digits.size() == 1) return;
  if (number.value != 0 && !rounded_up(number, decimal) && (unique || !is_exact(number, decimal)))
    return;
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') decimal.digits.pop_back();
}

// Whether zeros that the rounding left behind would show.
bool keeps_all(const FloatFormat& format) {
  return format.trim == Trim::kKeep && format.unique && format.min_digits < format.precision;
}

// Whole and fractional digits of a number in positional form.
struct Split {
  std::string whole;
  std::string fraction;
};

Split split_at_point(const Decimal& decimal) {
  int point = decimal.exponent + 1;
  int count = static_cast<int>(decimal.digits.size());
  if (point <= 0) return {"0", std::string(static_cast<std::size_t>(-point), '0') + decimal.digits};
  if (point >= count)
    return {decimal.digits + std::string(static_cast<std::size_t>(point - count), '0'), ""};
  return {decimal.digits.substr(0, static_cast<std::size_t>(point)),
          decimal.digits.substr(static_cast<std::size_t>(point))};
}

void drop_zeros(std::string& text) {
  while (!text.empty() && text.back() == '0') text.pop_back();
}

// The fraction with its point, after trimming. `kept`: the digits that 'k' fills up to.
std::string trimmed_fraction(std::string fraction, Trim trim, int kept) {
  if (trim == Trim::kKeep) {
    if (static_cast<int>(fraction.size()) < kept)
      fraction.resize(static_cast<std::size_t>(kept), '0');
    return "." + fraction;
  }
  drop_zeros(fraction);
  if (!fraction.empty()) return "." + fraction;
  if (trim == Trim::kPoint) return ".";
  return trim == Trim::kOneZero ? ".0" : "";
}

std::string sign_text(const Real& number, bool show_plus) {
  return number.negative() ? "-" : show_plus ? "+" : "";
}

void pad_front(std::string& text, int width, std::size_t used) {
  if (width > static_cast<int>(used)) text.insert(0, static_cast<std::size_t>(width) - used, ' ');
}

// nan and inf stand alone: no padding.
std::string special_text(const Real& number, const FloatFormat& format) {
  if (number.float_class() == FloatClass::kNan) return "nan";
  return sign_text(number, format.sign) + "inf";
}

// How many digits after the point 'k' keeps in positional form.
int kept_fraction(const FloatFormat& format, const Decimal& decimal, bool truncated) {
  if (!format.fractional) {
    if (format.unique && format.min_digits < 0) return 0;
    int wanted = format.unique ? format.min_digits : format.precision;
    return wanted - std::max(decimal.exponent + 1, 1);
  }
  if (!format.unique) return format.precision;
  if (truncated) return std::max(format.precision, format.min_digits);
  return format.min_digits;
}

}  // namespace

std::string positional_text(const Real& number, const FloatFormat& format) {
  if (number.float_class() != FloatClass::kFinite) return special_text(number, format);
  Decimal decimal = pick_digits(number, format, format.fractional, 0);
  if (!format.fractional || keeps_all(format)) stop_early(decimal, number, format.unique);
  Split parts = split_at_point(decimal);
  bool rounded_to_zero = decimal.digits == "0" && number.value != 0;
  if (rounded_to_zero) parts.fraction.clear();
  std::string whole = sign_text(number, format.sign) + parts.whole;
  int kept = kept_fraction(format, decimal, rounded_to_zero);
  std::string fraction = trimmed_fraction(parts.fraction, format.trim, kept);
  pad_front(whole, format.pad_left, whole.size());
  if (format.pad_right >= 0 && static_cast<int>(fraction.size()) < format.pad_right + 1)
    fraction.resize(static_cast<std::size_t>(format.pad_right) + 1, ' ');
  return whole + fraction;
}

std::string scientific_text(const Real& number, const FloatFormat& format) {
  if (number.float_class() != FloatClass::kFinite) return special_text(number, format);
  Decimal decimal = pick_digits(number, format, false, 1);
  if (format.trim == Trim::kAll || keeps_all(format)) stop_early(decimal, number, format.unique);
  std::string whole = sign_text(number, format.sign) + decimal.digits.substr(0, 1);
  std::string fraction = decimal.digits.substr(1);
  int kept = format.unique ? format.min_digits : format.precision;
  pad_front(whole, format.pad_left, whole.size());
  // NumPy prints no digit at all for exponent zero with exp_digits=0.
  std::string exponent = decimal.exponent ? std::to_string(std::abs(decimal.exponent)) : "";
  int places = format.exp_digits >= 0 ? format.exp_digits : 2;
  if (static_cast<int>(exponent.size()) < places)
    exponent.insert(0, static_cast<std::size_t>(places) - exponent.size(), '0');
  bool bare = decimal.digits.size() == 1;
  Trim trim = format.trim == Trim::kAll && !bare ? Trim::kPoint : format.trim;
  return whole + trimmed_fraction(fraction, trim, kept) + 'e' + (decimal.exponent < 0 ? '-' : '+') +
         exponent;
}

}  // namespace strider::nd::format

namespace strider::nd {
namespace {

// How long texts of single numbers may be, as in NumPy.
constexpr int kLongest = 16383;

[[noreturn]] void throw_too_long() {
  throw Error(ErrorKind::kRuntime, "Float formatting result too large");
}

void check(const FloatFormat& format) {
  if (!format.unique && format.precision < 0)
    throw Error(ErrorKind::kType, "in non-unique mode `precision` must be supplied");
  if (format.min_digits > 0 && format.precision > 0 && format.min_digits > format.precision)
    throw Error(ErrorKind::kValue, "min_digits must be less than or equal to precision");
}

}  // namespace

std::string format_float_positional(const Scalar& value, const FloatFormat& format) {
  if (!format.fractional && format.precision == 0)
    throw Error(ErrorKind::kValue, "precision must be greater than 0 if fractional=False");
  check(format);
  bool many_digits = !format.unique && format.precision >= kLongest;
  if (many_digits || format.pad_left >= kLongest || format.pad_right >= kLongest) throw_too_long();
  FloatFormat bounded = format;
  bounded.min_digits = std::min(format.min_digits, kLongest - 2);
  std::string text = format::positional_text(format::Real::from(value), bounded);
  if (text.size() > kLongest) throw_too_long();
  return text;
}

std::string format_float_scientific(const Scalar& value, const FloatFormat& format) {
  check(format);
  FloatFormat bounded = format;
  for (int* number : {&bounded.precision, &bounded.pad_left, &bounded.min_digits})
    *number = std::min(*number, kLongest - 2);
  return format::scientific_text(format::Real::from(value), bounded);
}

}  // namespace strider::nd
