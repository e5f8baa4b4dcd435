// Most coefficients fit 64 bits, and are computed so.
#include "interpreter/builtins/modules/numbers/decimals/coefficient.h"

#include <algorithm>
#include <array>
#include <deque>

#include "interpreter/runtime/error/error.h"

namespace strider::lang::decimals {
namespace {

constexpr std::size_t kMostPowers = 4096;        // larger powers of ten are computed each time
constexpr std::size_t kMostDigits = 1000000000;  // of a number that memory might hold
constexpr std::int64_t kSmallDigits = 18;

constexpr auto kSmallPowers = [] {
  std::array<std::int64_t, kSmallDigits + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

constexpr auto kWidePowers = [] {
  std::array<Wide, kWideDigits + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

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

// A number without its last `count` digits, up to 38, rounded.
Wide dropped(Wide number, std::int64_t count, bool negative, Rounding rounding, bool& inexact) {
  Wide scale = kWidePowers[static_cast<std::size_t>(count)];
  Wide kept = number / scale, rest = number - kept * scale;
  inexact = rest != 0;
  if (!inexact) return kept;
  Wide other = scale - rest;
  int half = rest > other ? 1 : rest < other ? -1 : 0;
  return kept + grows(rounding, negative, static_cast<unsigned>(kept % 10), half);
}

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

// Up to 256 bits, the lowest 64 first.
using LongNumber = std::array<std::uint64_t, 4>;

LongNumber product_of(Wide left, Wide right) {
  const std::uint64_t a[] = {static_cast<std::uint64_t>(left),
                             static_cast<std::uint64_t>(left >> 64)};
  const std::uint64_t b[] = {static_cast<std::uint64_t>(right),
                             static_cast<std::uint64_t>(right >> 64)};
  LongNumber product{};
  for (std::size_t i = 0; i < 2; ++i) {
    Wide carry = 0;
    for (std::size_t j = 0; j < 2; ++j) {
      carry += Wide{a[i]} * b[j] + product[i + j];
      product[i + j] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    product[i + 2] = static_cast<std::uint64_t>(carry);
  }
  return product;
}

// Divides a number and gives the rest.
std::uint64_t divide_in_place(LongNumber& number, std::uint64_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = number.size(); i-- > 0;) {
    if (rest == 0 && number[i] == 0) continue;
    Wide part = Wide{rest} << 64 | number[i];
    number[i] = static_cast<std::uint64_t>(part / divisor);
    rest = static_cast<std::uint64_t>(part % divisor);
  }
  return rest;
}

std::int64_t count_wide_digits(Wide number) {
  auto above = std::upper_bound(kWidePowers.begin(), kWidePowers.end(), number);
  return number == 0 ? 1 : above - kWidePowers.begin();
}

// As many digits at a time as leave room for a divisor of 64 bits, or of 98.
constexpr std::int64_t kLongStep = 18, kStep = 9;
constexpr int kStepBits = 128 - 30;

Quotient long_division(Wide top, Wide bottom, std::int64_t shift) {
  Wide quotient = top / bottom, rest = top - quotient * bottom;
  std::int64_t step = bottom >> 64 == 0 ? kLongStep : kStep;
  for (std::int64_t left = shift; left > 0;) {
    std::int64_t digits = std::min(left, step);
    auto scale = static_cast<std::uint64_t>(small_power_of_ten(digits));
    Wide next = rest * scale, part = next / bottom;
    rest = next - part * bottom;
    quotient = quotient * scale + part;
    left -= digits;
  }
  return {wide_value(quotient), shift, rest != 0};
}

}  // namespace

bool read_wide(const Value& coefficient, Wide& number) {
  if (coefficient.is_int()) {
    number = static_cast<std::uint64_t>(coefficient.as_int());
    return true;
  }
  const auto& limbs = coefficient.as<BigInt>()->value.backend();
  static_assert(sizeof(*limbs.limbs()) == 8);
  if (limbs.size() > 2) return false;
  number = limbs.limbs()[0];
  if (limbs.size() == 2) number |= Wide{limbs.limbs()[1]} << 64;
  return true;
}

Value wide_value(Wide number) {
  if (number <= static_cast<Wide>(INT64_MAX))
    return Value::integer(static_cast<std::int64_t>(number));
  return from_integer(Integer(number));
}

Wide wide_power_of_ten(std::int64_t exponent) {
  return kWidePowers[static_cast<std::size_t>(exponent)];
}

const Integer& power_of_ten(std::size_t exponent) {
  thread_local std::deque<Integer> powers{1};
  thread_local Integer large;
  if (exponent > kMostDigits) raise_message(errors::MemoryError(), "");
  if (exponent >= kMostPowers) return large = pow(Integer(10), static_cast<unsigned>(exponent));
  while (powers.size() <= exponent) powers.push_back(powers.back() * 10);
  return powers[exponent];
}

std::int64_t small_power_of_ten(std::int64_t exponent) {
  return kSmallPowers[static_cast<std::size_t>(exponent)];
}

std::int64_t count_digits(const Value& coefficient) {
  if (coefficient.is_int()) return count_small_digits(coefficient.as_int());
  if (Wide wide; read_wide(coefficient, wide)) return count_wide_digits(wide);
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
  Wide number;
  if (static_cast<std::int64_t>(count) <= kWideDigits && read_wide(coefficient, number)) {
    bool inexact;
    Wide kept = dropped(number, static_cast<std::int64_t>(count), negative, rounding, inexact);
    if (length > precision && kept == kWidePowers[static_cast<std::size_t>(precision)]) {
      kept /= 10;
      ++wanted;
    }
    rounded = {wide_value(kept), wanted, inexact};
    return true;
  }
  const Integer& scale = power_of_ten(count);
  Integer kept, rest;
  divide_qr(*IntegerView(coefficient), scale, kept, rest);
  bool inexact = rest != 0;
  if (inexact) {
    int half = rest.compare(Integer(scale - rest));
    auto digit = static_cast<unsigned>(integer_modulus(kept, 10u));
    if (grows(rounding, negative, digit, half)) ++kept;
    if (length > precision && kept == power_of_ten(static_cast<std::size_t>(precision))) {
      kept /= 10;
      ++wanted;
    }
  }
  rounded = {from_integer(std::move(kept)), wanted, inexact};
  return true;
}

bool round_product(bool negative, Wide left, Wide right, std::int64_t exponent,
                   std::int64_t precision, Rounding rounding, Rounded& rounded) {
  // What surely goes; the product may have one digit less than its factors together.
  std::int64_t count = count_wide_digits(left) + count_wide_digits(right) - 1 - precision;
  if (precision >= kWideDigits - 1 || count < 1 || count >= kWideDigits) return false;
  LongNumber number = product_of(left, right);
  Wide rest = 0, place = 1;
  for (std::int64_t dropped = 0; dropped < count;) {
    std::int64_t step = std::min(count - dropped, kLongStep);
    auto scale = static_cast<std::uint64_t>(small_power_of_ten(step));
    rest += place * divide_in_place(number, scale);
    place *= scale;
    dropped += step;
  }
  Wide kept = number[0] | Wide{number[1]} << 64;
  if (kept >= wide_power_of_ten(precision)) {
    rest += place * (kept % 10);
    place *= 10;
    kept /= 10;
    ++count;
  }
  bool inexact = rest != 0;
  if (inexact) {
    Wide other = place - rest;
    int half = rest > other ? 1 : rest < other ? -1 : 0;
    if (grows(rounding, negative, static_cast<unsigned>(kept % 10), half)) ++kept;
    if (kept == wide_power_of_ten(precision)) {
      kept /= 10;
      ++count;
    }
  }
  rounded = {wide_value(kept), exponent + count, inexact};
  return true;
}

Quotient divide_coefficients(const Value& top, const Value& bottom, std::int64_t precision) {
  std::int64_t shift = count_digits(bottom) - count_digits(top) + precision + 1;
  shift = std::max<std::int64_t>(shift, 0);
  Wide rest_of, divisor;
  if (precision < kWideDigits - 2 && read_wide(top, rest_of) && read_wide(bottom, divisor) &&
      divisor >> kStepBits == 0)
    return long_division(rest_of, divisor, shift);
  Integer quotient, rest;
  divide_qr(Integer(*IntegerView(top) * power_of_ten(static_cast<std::size_t>(shift))),
            *IntegerView(bottom), quotient, rest);
  return {from_integer(std::move(quotient)), shift, rest != 0};
}

Value strip_zeros(const Value& coefficient, std::int64_t most, std::int64_t& stripped) {
  stripped = 0;
  Wide wide;
  if (read_wide(coefficient, wide)) {
    for (std::int64_t step : {32, 16, 8, 4, 2, 1})
      while (stripped + step <= most && wide != 0 &&
             wide % kWidePowers[static_cast<std::size_t>(step)] == 0) {
        wide /= kWidePowers[static_cast<std::size_t>(step)];
        stripped += step;
      }
    return wide_value(wide);
  }
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
