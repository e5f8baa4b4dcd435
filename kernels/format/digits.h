// Decimal digits of floating-point numbers: the shortest that read back, or exactly rounded ones.
// Knows nothing of points, padding or exponents as text.
#pragma once

#include <strider/nd/scalar.h>

#include <string>

namespace strider::nd::format {

// d0.d1d2… * 10^exponent; zero is one digit '0' with exponent 0.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

enum class FloatClass : std::uint8_t { kFinite, kInfinite, kNan };

// One real element of any floating type, widened to double, remembering its own type.
struct Real {
  double value;
  DType dtype;

  static Real from(const Scalar& scalar);
  FloatClass float_class() const;
  bool negative() const { return __builtin_signbit(value); }
};

// The fewest digits that identify |number| among the values of its type.
Decimal shortest_digits(const Real& number);
// |number| rounded (half to even, exactly) to `count` >= 1 significant digits.
Decimal significant_digits(const Real& number, int count);
// |number| rounded to `count` >= 0 digits after the point; zero keeps a single '0'.
Decimal fractional_digits(const Real& number, int count);
// True when |number| lies below the rounded decimal: the last digit was rounded up.
bool rounded_up(const Real& number, const Decimal& decimal);
// True when the decimal is |number| exactly.
bool is_exact(const Real& number, const Decimal& decimal);

}  // namespace strider::nd::format
