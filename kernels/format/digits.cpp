// Decimal digits through std::to_chars, which is exact; binary16 searches for its shortest.
#include "kernels/format/digits.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace strider::nd::format {
namespace {

// Reads "d.ddde±xx" as to_chars writes it.
Decimal parse_scientific(const char* begin, const char* end) {
  Decimal result;
  const char* p = begin;
  for (; p != end && *p != 'e'; ++p)
    if (*p != '.') result.digits.push_back(*p);
  if (p != end) result.exponent = std::atoi(p + 1);
  return result;
}

template <class T>
Decimal shortest(T magnitude) {
  char text[40];
  char* end =
      std::to_chars(text, text + sizeof text - 1, magnitude, std::chars_format::scientific).ptr;
  *end = '\0';
  return parse_scientific(text, end);
}

// Ten thousand digits would be a waste: every double ends before this many.
constexpr int kMaxSignificant = 1100;

Decimal rounded(double magnitude, int count) {
  int kept = count < kMaxSignificant ? count : kMaxSignificant;
  char text[kMaxSignificant + 20];
  char* end = std::to_chars(text, text + sizeof text - 1, magnitude, std::chars_format::scientific,
                            kept - 1)
                  .ptr;
  *end = '\0';
  Decimal result = parse_scientific(text, end);
  result.digits.resize(static_cast<std::size_t>(count), '0');
  return result;
}

double value_of(const Decimal& decimal) {
  std::string text = decimal.digits + "e" +
                     std::to_string(decimal.exponent + 1 - static_cast<int>(decimal.digits.size()));
  return std::strtod(text.c_str(), nullptr);
}

// The last digit moved by one, for the uneven spacing below powers of two.
Decimal next_above(Decimal decimal) {
  std::size_t i = decimal.digits.size();
  while (i > 0 && decimal.digits[i - 1] == '9') decimal.digits[--i] = '0';
  if (i > 0) {
    ++decimal.digits[i - 1];
  } else {
    decimal.digits.insert(decimal.digits.begin(), '1');
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  return decimal;
}

Decimal shortest_half(double magnitude) {
  Half wanted(static_cast<float>(magnitude));
  for (int count = 1;; ++count) {
    Decimal candidate = rounded(magnitude, count);
    if (Half(static_cast<float>(value_of(candidate))).bits == wanted.bits) return candidate;
    candidate = next_above(candidate);
    if (value_of(candidate) > magnitude &&
        Half(static_cast<float>(value_of(candidate))).bits == wanted.bits)
      return candidate;
  }
}

// All digits of the number, compared with those of the decimal: <0, 0, >0.
int compare_digits(double magnitude, const Decimal& decimal) {
  Decimal exact = rounded(magnitude, kMaxSignificant);
  if (exact.exponent != decimal.exponent) return exact.exponent < decimal.exponent ? -1 : 1;
  std::string padded = decimal.digits;
  if (padded.size() < exact.digits.size()) padded.resize(exact.digits.size(), '0');
  return exact.digits.compare(padded.substr(0, exact.digits.size()));
}

void drop_trailing_zeros(Decimal& decimal) {
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') decimal.digits.pop_back();
}

}  // namespace

Real Real::from(const Scalar& scalar) {
  switch (scalar.dtype()) {
    case DType::kFloat16:
      return {static_cast<double>(static_cast<float>(scalar.get<Half>())), DType::kFloat16};
    case DType::kFloat32:
      return {static_cast<double>(scalar.get<float>()), DType::kFloat32};
    default:
      return {scalar.to_double(), DType::kFloat64};
  }
}

FloatClass Real::float_class() const {
  if (std::isfinite(value)) return FloatClass::kFinite;
  return std::isnan(value) ? FloatClass::kNan : FloatClass::kInfinite;
}

Decimal shortest_digits(const Real& number) {
  double magnitude = std::fabs(number.value);
  if (magnitude == 0) return {"0", 0};
  Decimal result;
  if (number.dtype == DType::kFloat16)
    result = shortest_half(magnitude);
  else if (number.dtype == DType::kFloat32)
    result = shortest(static_cast<float>(magnitude));
  else
    result = shortest(magnitude);
  drop_trailing_zeros(result);
  return result;
}

Decimal significant_digits(const Real& number, int count) {
  double magnitude = std::fabs(number.value);
  if (magnitude == 0) return {std::string(static_cast<std::size_t>(count), '0'), 0};
  return rounded(magnitude, count);
}

Decimal fractional_digits(const Real& number, int count) {
  double magnitude = std::fabs(number.value);
  int kept = count < kMaxSignificant ? count : kMaxSignificant;
  char text[kMaxSignificant + 400];
  char* end =
      std::to_chars(text, text + sizeof text, magnitude, std::chars_format::fixed, kept).ptr;
  Decimal result;
  int whole_places = 0;
  bool after_point = false;
  for (char* p = text; p != end; ++p) {
    if (*p == '.') {
      after_point = true;
      continue;
    }
    if (!result.digits.empty() || *p != '0') result.digits.push_back(*p);
    if (!after_point && !result.digits.empty()) ++whole_places;
    if (after_point && result.digits.empty()) --whole_places;
  }
  if (result.digits.empty()) return {"0", 0};
  result.digits.append(static_cast<std::size_t>(count - kept), '0');
  result.exponent = whole_places - 1;
  return result;
}

bool rounded_up(const Real& number, const Decimal& decimal) {
  return number.value != 0 && compare_digits(std::fabs(number.value), decimal) < 0;
}

bool is_exact(const Real& number, const Decimal& decimal) {
  return number.value == 0 || compare_digits(std::fabs(number.value), decimal) == 0;
}

}  // namespace strider::nd::format
