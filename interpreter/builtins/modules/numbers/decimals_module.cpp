// The module _decimals: coefficients of decimal numbers, counted and rounded. decimal is on it.
#include <algorithm>
#include <vector>

#include "interpreter/builtins/modules/numbers/math_support.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// The order of decimal's own list of roundings.
enum class Rounding { kDown, kHalfUp, kHalfEven, kCeiling, kFloor, kUp, kHalfDown, kZeroFiveUp };

constexpr std::size_t kMostPowers = 4096;  // larger powers of ten are computed each time

Integer power_of_ten(std::size_t exponent) {
  thread_local std::vector<Integer> powers{1};
  if (exponent >= kMostPowers) return pow(Integer(10), static_cast<unsigned>(exponent));
  while (powers.size() <= exponent) powers.push_back(powers.back() * 10);
  return powers[exponent];
}

// How many digits a number above 0 has: what its bits say, or one less.
std::size_t count_digits(const Integer& number) {
  std::size_t bits = boost::multiprecision::msb(number) + 1;
  auto count = static_cast<std::size_t>(static_cast<double>(bits) * 0.30102999566398120) + 1;
  return number < power_of_ten(count - 1) ? count - 1 : count;
}

Value digits(const Parameters& p) {
  Integer number = to_integer(p[0]);
  return Value::integer(number == 0 ? 1 : static_cast<std::int64_t>(count_digits(number)));
}

bool grows(Rounding rounding, bool negative, unsigned digit, int half) {
  switch (rounding) {
    case Rounding::kHalfEven:
      return half > 0 || (half == 0 && digit % 2 == 1);
    case Rounding::kHalfUp:
      return half >= 0;
    case Rounding::kHalfDown:
      return half > 0;
    case Rounding::kUp:
      return true;
    case Rounding::kCeiling:
      return !negative;
    case Rounding::kFloor:
      return negative;
    case Rounding::kZeroFiveUp:
      return digit % 5 == 0;
    default:
      return false;
  }
}

// round(negative, coefficient, exponent, precision, least, rounding): the coefficient, its exponent
// and whether digits other than zero were dropped; None if none had to be. The exponent will not be
// below `least`.
Value round_coefficient(const Parameters& p) {
  Integer coefficient = to_integer(p[1]);
  if (coefficient == 0) return Value::none();
  std::int64_t exponent = to_int64(p[2]), precision = to_int64(p[3]);
  auto length = static_cast<std::int64_t>(count_digits(coefficient));
  std::int64_t wanted = std::max(exponent + length - precision, to_int64(p[4]));
  if (exponent >= wanted) return Value::none();
  // Of a number that goes altogether, one digit more than it has tells all.
  auto count = static_cast<std::size_t>(std::min(wanted - exponent, length + 1));
  Integer scale = power_of_ten(count), kept, rest;
  divide_qr(coefficient, scale, kept, rest);
  bool inexact = rest != 0;
  if (inexact) {
    Integer doubled = rest << 1;
    int half = doubled > scale ? 1 : doubled < scale ? -1 : 0;
    auto digit = static_cast<unsigned>(Integer(kept % 10));
    if (grows(static_cast<Rounding>(to_int64(p[5])), truth(p[0]), digit, half)) ++kept;
    if (length > precision && kept == power_of_ten(static_cast<std::size_t>(precision))) {
      kept /= 10;
      ++wanted;
    }
  }
  return make_tuple(
      {from_integer(std::move(kept)), Value::integer(wanted), Value::boolean(inexact)});
}

// divide(top, bottom, precision): quotient, by how many digits it was shifted, and whether a rest
// was left, with enough digits to be rounded.
Value divide(const Parameters& p) {
  Integer top = to_integer(p[0]), bottom = to_integer(p[1]);
  std::int64_t shift = static_cast<std::int64_t>(count_digits(bottom)) -
                       static_cast<std::int64_t>(count_digits(top)) + to_int64(p[2]) + 1;
  shift = std::max<std::int64_t>(shift, 0);
  Integer quotient, rest;
  divide_qr(Integer(top * power_of_ten(static_cast<std::size_t>(shift))), bottom, quotient, rest);
  return make_tuple({from_integer(std::move(quotient)), Value::integer(shift),
                     Value::boolean(rest != 0)});
}

const NativeRow kFunctions[] = {
    {"digits(number, /)", digits, "How many digits a number has; 1 for 0."},
    {"round(negative, coefficient, exponent, precision, least, rounding, /)", round_coefficient,
     "A coefficient with fewer digits, its exponent, and whether that is inexact; or None."},
    {"divide(top, bottom, precision, /)", divide,
     "A quotient with enough digits, its shift, and whether there is a rest."},
};

}  // namespace

const NativeModule kDecimalsModule = {"_decimals", "Coefficients of decimal numbers.", kFunctions,
                                      {}};

}  // namespace strider::lang
