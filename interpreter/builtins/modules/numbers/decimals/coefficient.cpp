// Most coefficients fit 64 bits, and are computed so.
#include "interpreter/builtins/modules/numbers/decimals/coefficient.h"

#include <algorithm>
#include <array>
#include <vector>

namespace strider::lang::decimals {
namespace {

constexpr std::size_t kMostPowers = 4096;  // larger powers of ten are computed each time
constexpr std::int64_t kSmallDigits = 18;

constexpr auto kSmallPowers = [] {
  std::array<std::int64_t, kSmallDigits + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

std::int64_t count_small_digits(std::int64_t number) {
  std::int64_t count = 1;
  while (count <= kSmallDigits && number >= kSmallPowers[static_cast<std::size_t>(count)]) ++count;
  return count;
}

// What the bits of a number above 0 say, or one less.
std::int64_t count_large_digits(const Integer& number) {
  std::size_t bits = msb(number) + 1;
  auto count = static_cast<std::size_t>(static_cast<double>(bits) * 0.30102999566398120) + 1;
  return static_cast<std::int64_t>(number < power_of_ten(count - 1) ? count - 1 : count);
}

// Whether the last digit that is kept grows; `half`: what is dropped, compared with half of one.
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

}  // namespace

Integer power_of_ten(std::size_t exponent) {
  thread_local std::vector<Integer> powers{1};
  if (exponent >= kMostPowers) return pow(Integer(10), static_cast<unsigned>(exponent));
  while (powers.size() <= exponent) powers.push_back(powers.back() * 10);
  return powers[exponent];
}

std::int64_t small_power_of_ten(std::int64_t exponent) {
  return kSmallPowers[static_cast<std::size_t>(exponent)];
}

std::int64_t count_digits(const Value& coefficient) {
  if (coefficient.is_int()) return count_small_digits(coefficient.as_int());
  return count_large_digits(*IntegerView(coefficient));
}

bool round_coefficient(bool negative, const Value& coefficient, std::int64_t exponent,
                       std::int64_t precision, std::int64_t least, Rounding rounding,
                       Rounded& rounded) {
  std::int64_t length = count_digits(coefficient);
  std::int64_t wanted = std::max(exponent + length - precision, least);
  if (exponent >= wanted) return false;
  // Of a number that goes altogether, one digit more than it has tells all.
  auto count = static_cast<std::size_t>(std::min(wanted - exponent, length + 1));
  Integer scale = power_of_ten(count), kept, rest;
  divide_qr(*IntegerView(coefficient), scale, kept, rest);
  bool inexact = rest != 0;
  if (inexact) {
    Integer doubled = rest << 1;
    int half = doubled > scale ? 1 : doubled < scale ? -1 : 0;
    auto digit = static_cast<unsigned>(Integer(kept % 10));
    if (grows(rounding, negative, digit, half)) ++kept;
    if (length > precision && kept == power_of_ten(static_cast<std::size_t>(precision))) {
      kept /= 10;
      ++wanted;
    }
  }
  rounded = {from_integer(std::move(kept)), wanted, inexact};
  return true;
}

Quotient divide_coefficients(const Value& top, const Value& bottom, std::int64_t precision) {
  std::int64_t shift = count_digits(bottom) - count_digits(top) + precision + 1;
  shift = std::max<std::int64_t>(shift, 0);
  Integer quotient, rest;
  divide_qr(Integer(*IntegerView(top) * power_of_ten(static_cast<std::size_t>(shift))),
            *IntegerView(bottom), quotient, rest);
  return {from_integer(std::move(quotient)), shift, rest != 0};
}

Value strip_zeros(const Value& coefficient, std::int64_t most, std::int64_t& stripped) {
  stripped = 0;
  Integer number = to_integer(coefficient), quotient, rest;
  for (std::int64_t step : {64, 32, 16, 8, 4, 2, 1})
    while (stripped + step <= most) {
      divide_qr(number, power_of_ten(static_cast<std::size_t>(step)), quotient, rest);
      if (rest != 0) break;
      number.swap(quotient);
      stripped += step;
    }
  return from_integer(std::move(number));
}

}  // namespace strider::lang::decimals
