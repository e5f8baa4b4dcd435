// Division with remainder, and numbers taken apart: the instructions of the division rows.
#pragma once

#include "kernels/instructions/basic.h"

namespace strider::nd::STRIDER_TARGET {

// Integers divide by zero to 0; the smallest one divided by -1 stays itself. The loop reports both.
template <class T>
inline bool divides(T x, T y) {
  if constexpr (std::is_signed_v<T>) {
    return y != 0 && !(y == T(-1) && x == std::numeric_limits<T>::min());
  } else {
    return y != 0;
  }
}

// The exact remainder of truncated division. Below 2^53 (2^24) the rounded quotient is at most one
// too far, and the remainder of a fused multiplication is exact. Quotients that overflow are not
// even computed: nobody divides.
template <class T>
inline T float_remainder(T x, T y) {
  if (is_nan(x) || is_nan(y)) return x + y;  // other comparisons of a NaN would tell of it
  constexpr T kExact = static_cast<T>(1ll << std::numeric_limits<T>::digits);
  T size = std::fabs(y);
  bool far = size < 1 && std::fabs(x) >= 2 * kExact;
  if (size < std::numeric_limits<T>::min() * kExact || is_infinite(y) || far) {
    return std::fmod(x, y);
  }
  T quotient = std::trunc(std::fabs(x) / size);
  if (!(quotient < kExact)) return std::fmod(x, y);
  T rest = std::fma(-quotient, size, std::fabs(x));
  if (rest < 0) rest += size;
  return std::copysign(rest >= size ? rest - size : rest, x);
}

template <class T>
inline T truncated_remainder(T x, T y) {
  if constexpr (is_real<T>)
    return float_remainder(x, y);
  else
    return divides(x, y) ? static_cast<T>(x % y) : T(0);
}

template <class T>
inline T remainder(T x, T y) {
  T rest = truncated_remainder(x, y);
  if constexpr (is_real<T>) {
    if (y == 0 || is_nan(rest)) return rest;
    if (rest == 0) return std::copysign(T(0), y);
    return (y < 0) != (rest < 0) ? rest + y : rest;
  } else if constexpr (std::is_signed_v<T>) {
    return rest != 0 && ((rest < 0) != (y < 0)) ? static_cast<T>(rest + y) : rest;
  } else {
    return rest;
  }
}

template <class T>
inline T floor_divide(T x, T y) {
  if constexpr (is_real<T>) {
    if (y == 0) return x / y;
    if (is_nan(x) || is_nan(y)) return x + y;
    T rest = float_remainder(x, y);
    T quotient = (x - rest) / y;
    if (rest != 0 && ((y < 0) != (rest < 0))) quotient -= 1;
    if (quotient == 0) return std::copysign(T(0), x / y);
    T whole = std::floor(quotient);
    return quotient - whole > T(0.5) ? whole + 1 : whole;
  } else if constexpr (std::is_signed_v<T>) {
    if (!divides(x, y)) return y == 0 ? T(0) : x;
    T quotient = static_cast<T>(x / y);
    return (x % y != 0) && ((x < 0) != (y < 0)) ? static_cast<T>(quotient - 1) : quotient;
  } else {
    return y == 0 ? T(0) : static_cast<T>(x / y);
  }
}

// Integers below 2^53 divide exactly through doubles, those of 16 bits through single precision,
// several at a time; the divisor is not 0. Rounded down without a call of floor, which compilers do
// not write as vectors where operations may trap.
template <class T>
inline T floor_quotient(T x, T y) {
  using Number = std::conditional_t<sizeof(T) <= 2, float, double>;
  using Whole = std::conditional_t<sizeof(T) <= 2, std::int32_t, std::int64_t>;
  Number quotient = static_cast<Number>(x) / static_cast<Number>(y);
  auto whole = static_cast<Whole>(quotient);
  return static_cast<T>(whole - static_cast<Whole>(static_cast<Number>(whole) > quotient));
}

// The same by a divisor whose reciprocal is known, for integers below 2^50: half a unit keeps the
// product away from whole numbers by more than its rounding. The dividend has the divisor's sign
// multiplied in.
template <class T>
inline T floor_quotient_by(T x, double sign, double reciprocal) {
  constexpr bool kShort = sizeof(T) < 4 || (sizeof(T) == 4 && std::is_signed_v<T>);
  using Whole = std::conditional_t<kShort, std::int32_t, std::int64_t>;
  double quotient = (static_cast<double>(x) * sign + 0.5) * reciprocal;
  auto whole = static_cast<Whole>(quotient);
  return static_cast<T>(whole - static_cast<Whole>(static_cast<double>(whole) > quotient));
}

template <class T>
inline T fraction(T x) {
  if (is_infinite(x)) return std::copysign(T(0), x);
  return std::copysign(x - std::trunc(x), x);
}

// The parts of a number as IEEE 754 lays them out, all in integers and without branches, so that
// loops become vectors.
template <class T>
struct Layout {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  using Power = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  static constexpr int kFraction = sizeof(T) == 8 ? 52 : 23;
  static constexpr int kBias = sizeof(T) == 8 ? 1023 : 127;
  static constexpr Bits kExponents = (Bits{1} << (8 * sizeof(T) - 1)) - (Bits{1} << kFraction);

  static Bits exponent_of(Bits bits) { return (bits & kExponents) >> kFraction; }
  // Of a number that is finite and not 0. Small ones are multiplied by 2**(kFraction + 1) to have
  // all their digits.
  static Bits with_digits(Bits bits) {
    T small = std::bit_cast<T>(exponent_of(bits) == 0 ? bits : Bits{0});
    Bits larger = std::bit_cast<Bits>(small * static_cast<T>(Bits{2} << kFraction));
    return exponent_of(bits) == 0 ? larger : bits;
  }
  static bool has_no_digits(Bits bits) {
    Bits size = bits & (~Bits{0} >> 1);
    return size == 0 || size >= kExponents;
  }
  // 2**power for powers of normal numbers.
  static T power_of_two(Power power) {
    return std::bit_cast<T>(static_cast<Bits>(power + kBias) << kFraction);
  }
};

// x = mantissa(x) * 2**exponent(x), the mantissa in [0.5, 1); zeros, infinities and NaNs are their
// own mantissa, with exponent 0.
template <class T>
inline T mantissa(T x) {
  using L = Layout<T>;
  using Bits = typename L::Bits;
  Bits bits = std::bit_cast<Bits>(x);
  Bits half = (L::with_digits(bits) & ~L::kExponents) | std::bit_cast<Bits>(T(0.5));
  return std::bit_cast<T>(L::has_no_digits(bits) ? bits : half);
}
template <class T>
inline std::int32_t exponent(T x) {
  using L = Layout<T>;
  using Bits = typename L::Bits;
  Bits bits = std::bit_cast<Bits>(x);
  auto power = static_cast<std::int32_t>(L::exponent_of(L::with_digits(bits))) - (L::kBias - 1);
  power -= L::exponent_of(bits) == 0 ? L::kFraction + 1 : 0;
  return L::has_no_digits(bits) ? 0 : power;
}

// x * 2**y, rounded once: what is multiplied before the last time stays normal, or is so small that
// the result is 0 or the smallest number either way (as in musl's scalbn).
template <class T>
inline T scale(T x, std::int64_t y) {
  using L = Layout<T>;
  using Power = typename L::Power;
  constexpr Power kMost = L::kBias, kLeast = 1 - L::kBias;
  constexpr Power kPart = kLeast + L::kFraction + 1;
  auto part = [](Power power) {
    Power below = power < kLeast ? kPart : power;
    return below > kMost ? kMost : below;
  };
  constexpr std::int64_t kFarthest = 4 * kMost;
  y = y > kFarthest ? kFarthest : y < -kFarthest ? -kFarthest : y;
  Power power = static_cast<Power>(y);
  Power first = part(power), second = part(power - first), last = power - first - second;
  last = last > kMost ? kMost : last < kLeast ? kLeast : last;
  return x * L::power_of_two(first) * L::power_of_two(second) * L::power_of_two(last);
}

template <class T>
inline T next_after(T x, T y) {
  return std::nextafter(x, y);
}
template <class T>
inline T spacing(T x) {
  T from = is_finite(x) ? x + T(0) : T(0);  // 0 in place of -0
  T next = std::bit_cast<T>(std::bit_cast<typename Layout<T>::Bits>(from) + 1);  // away from zero
  return is_finite(x) ? next - from : std::numeric_limits<T>::quiet_NaN();
}

// Halves step in their own bits; equal ones stay, with their sign.
inline Half next_after(Half x, Half y) {
  float from = static_cast<float>(x), to = static_cast<float>(y);
  Half result = x;
  if (is_nan(from) || is_nan(to)) {
    result.bits = 0x7e00;
  } else if (from == to) {
    return x;
  } else if (from == 0) {
    result.bits = static_cast<std::uint16_t>((y.bits & 0x8000u) | 1u);
  } else {
    bool away = (from < to) == (from > 0);
    result.bits = static_cast<std::uint16_t>(x.bits + (away ? 1 : -1));
  }
  return result;
}
inline Half spacing(Half x) {
  Half result;
  float value = static_cast<float>(x);
  if (!is_finite(value)) {
    result.bits = 0x7e00;
    return result;
  }
  Half next = x;  // towards plus infinity, unlike the wider types
  next.bits = static_cast<std::uint16_t>(
      x.bits & 0x8000u && x.bits != 0x8000u ? x.bits - 1 : (x.bits & 0x7fffu) + 1);
  return Half(static_cast<float>(next) - value);
}

}  // namespace strider::nd::STRIDER_TARGET
