// Coefficients of decimal numbers: integers from 0 on, counted and rounded by their digits.
#pragma once

#include <cstdint>

#include "interpreter/types/numbers/integer.h"

namespace strider::lang::decimals {

// The order of decimal's own list of roundings.
enum class Rounding { kDown, kHalfUp, kHalfEven, kCeiling, kFloor, kUp, kHalfDown, kZeroFiveUp };

// Coefficients of up to 38 digits.
__extension__ using Wide = unsigned __int128;
constexpr std::int64_t kWideDigits = 38;

// A coefficient of at most 128 bits; false for others.
bool read_wide(const Value& coefficient, Wide& number);
Value wide_value(Wide number);
// 10**exponent, 0 to 38.
Wide wide_power_of_ten(std::int64_t exponent);

// Stays where it is until the thread ends, but for those of thousands of digits.
const Integer& power_of_ten(std::size_t exponent);
// 10**exponent, 0 to 18.
std::int64_t small_power_of_ten(std::int64_t exponent);
// How many digits a coefficient has; 1 for 0.
std::int64_t count_digits(const Value& coefficient);

struct Rounded {
  Value coefficient;
  std::int64_t exponent;
  bool inexact;
};
// A coefficient above 0 with at most `precision` digits, and an exponent that is not below `least`;
// false where it has no more as it is.
bool round_coefficient(bool negative, const Value& coefficient, std::int64_t exponent,
                       std::int64_t precision, std::int64_t least, Rounding rounding,
                       Rounded& rounded);

// The product of two coefficients of at most 128 bits that has more than 128, rounded to a
// precision; false where that is not common.
bool round_product(bool negative, Wide left, Wide right, std::int64_t exponent,
                   std::int64_t precision, Rounding rounding, Rounded& rounded);

// top / bottom with enough digits to be rounded to a precision: the quotient, by how many digits it
// was shifted, and whether a rest was left.
struct Quotient {
  Value coefficient;
  std::int64_t shift;
  bool rest;
};
Quotient divide_coefficients(const Value& top, const Value& bottom, std::int64_t precision);
// The coefficient without zeros at its end, at most `most` of them, and how many those were.
Value strip_zeros(const Value& coefficient, std::int64_t most, std::int64_t& stripped);

}  // namespace strider::lang::decimals
