// The scalar instructions that the expressions of ops.def are made of, for every element type.
// Included once per target: everything lives in the target's namespace.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/core/convert.h"

namespace strider::nd::STRIDER_TARGET {

inline constexpr double kPi = 3.14159265358979323846;

template <class T>
inline constexpr bool is_bool = std::is_same_v<T, bool>;
template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;
template <class T>
using Unsigned = std::make_unsigned_t<T>;

// Integers wrap: arithmetic happens in an unsigned type at least as wide as int.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;

template <class T>
inline T constant(T, double value) {
  return static_cast<T>(value);
}

template <class T>
inline T add(T x, T y) {
  if constexpr (is_bool<T>)
    return x | y;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(x) + static_cast<Wrapping<T>>(y));
  else
    return x + y;
}

template <class T>
inline T subtract(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(x) - static_cast<Wrapping<T>>(y));
  else
    return x - y;
}

template <class T>
inline T multiply(T x, T y) {
  if constexpr (is_bool<T>)
    return x & y;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(y));
  else if constexpr (is_complex_type<T>)  // one rounding less, as NumPy's vector loops have it
    return T(std::fma(x.real(), y.real(), -(x.imag() * y.imag())),
             std::fma(x.real(), y.imag(), x.imag() * y.real()));
  else
    return x * y;
}

// Products of a fold round every operation.
template <class T>
inline T multiply_plainly(T x, T y) {
  if constexpr (is_complex_type<T>) {
    return T(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
  } else {
    return multiply(x, y);
  }
}

// Complex quotients by Smith's method: the larger part of the divisor is divided out first.
template <class T>
inline T divide(T x, T y) {
  if constexpr (!is_complex_type<T>) {
    return x / y;
  } else {
    using Part = typename T::value_type;
    Part a = x.real(), b = x.imag(), c = y.real(), d = y.imag();
    if (std::abs(c) >= std::abs(d)) {
      if (c == 0 && d == 0) return T(a / std::abs(c), b / std::abs(c));
      Part ratio = d / c, scale = Part(1) / (c + d * ratio);
      return T((a + b * ratio) * scale, (b - a * ratio) * scale);
    }
    Part ratio = c / d, scale = Part(1) / (c * ratio + d);
    return T((a * ratio + b) * scale, (b * ratio - a) * scale);
  }
}

template <class T>
inline T reciprocal(T x) {
  if constexpr (is_complex_type<T>) {
    using Part = typename T::value_type;
    Part a = x.real(), b = x.imag();
    if (std::abs(b) <= std::abs(a)) {
      Part ratio = b / a, scale = a + b * ratio;
      return T(Part(1) / scale, -ratio / scale);
    }
    Part ratio = a / b, scale = a * ratio + b;
    return T(ratio / scale, Part(-1) / scale);
  } else if constexpr (std::is_integral_v<T>) {
    return convert<T>(1.0 / static_cast<double>(x));
  } else {
    return T(1) / x;
  }
}

template <class T>
inline T negate(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(-static_cast<Wrapping<T>>(x));
  else
    return -x;
}

// The length of (x, y) without overflow: the larger part times sqrt(1 + ratio²).
template <class T>
inline T length(T x, T y) {
  x = std::fabs(x);
  y = std::fabs(y);
  T high = x > y ? x : y, low = x > y ? y : x;
  T ratio = low / (high == 0 ? T(1) : high);
  T result = high * std::sqrt(std::fma(ratio, ratio, T(1)));
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  return (x == kInfinity) | (y == kInfinity) ? kInfinity : (x != x) | (y != y) ? x + y : result;
}

template <class T>
inline auto absolute(T x) {
  if constexpr (is_complex_type<T>)
    return length(x.real(), x.imag());
  else if constexpr (is_real<T>)
    return std::fabs(x);
  else if constexpr (std::is_signed_v<T>)
    return x < 0 ? negate(x) : x;
  else
    return x;
}

template <class T>
inline T conjugate(T x) {
  if constexpr (is_complex_type<T>)
    return T(x.real(), -x.imag());
  else
    return x;
}

template <class T>
inline bool is_nan(T x) {
  if constexpr (is_complex_type<T>)
    return (x.real() != x.real()) | (x.imag() != x.imag());
  else if constexpr (is_real<T>)
    return x != x;
  else
    return false;
}

template <class T>
inline bool is_infinite(T x) {
  if constexpr (is_complex_type<T>)
    return is_infinite(x.real()) | is_infinite(x.imag());
  else if constexpr (is_real<T>)
    return std::fabs(x) == std::numeric_limits<T>::infinity();
  else
    return false;
}

template <class T>
inline bool is_finite(T x) {
  if constexpr (is_complex_type<T>)
    return is_finite(x.real()) & is_finite(x.imag());
  else if constexpr (is_real<T>)
    return std::fabs(x) <= std::numeric_limits<T>::max();
  else
    return true;
}

template <class T>
inline bool sign_bit(T x) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  return std::bit_cast<Bits>(x) >> (8 * sizeof(T) - 1);
}

template <class T>
inline bool equal(T x, T y) {
  if constexpr (is_complex_type<T>)
    return (x.real() == y.real()) & (x.imag() == y.imag());
  else
    return x == y;
}
template <class T>
inline bool not_equal(T x, T y) {
  return !equal(x, y);
}

// Complex numbers compare by real part, then by imaginary part; NaN is unordered.
template <class T>
inline bool less(T x, T y) {
  if constexpr (is_complex_type<T>) {
    bool real_less = (x.real() < y.real()) & (x.imag() == x.imag()) & (y.imag() == y.imag());
    return real_less | ((x.real() == y.real()) & (x.imag() < y.imag()));
  } else {
    return x < y;
  }
}
template <class T>
inline bool less_equal(T x, T y) {
  if constexpr (is_complex_type<T>) {
    bool real_less = (x.real() < y.real()) & (x.imag() == x.imag()) & (y.imag() == y.imag());
    return real_less | ((x.real() == y.real()) & (x.imag() <= y.imag()));
  } else {
    return x <= y;
  }
}

template <class T>
inline bool truth(T x) {
  if constexpr (is_complex_type<T>)
    return (x.real() != 0) | (x.imag() != 0);
  else
    return x != T(0);
}
inline bool logical_and(bool x, bool y) { return x & y; }
inline bool logical_or(bool x, bool y) { return x | y; }
inline bool logical_not(bool x) { return !x; }

// One of two numbers, by their bits: compilers make no branches of it where choices follow choices.
template <class T>
inline T pick(bool first, T x, T y) {
  if constexpr (is_complex_type<T>) {
    return T(pick(first, x.real(), y.real()), pick(first, x.imag(), y.imag()));
  } else {
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    Bits mask = -static_cast<Bits>(first);
    return std::bit_cast<T>((std::bit_cast<Bits>(x) & mask) | (std::bit_cast<Bits>(y) & ~mask));
  }
}

// Of two that are equal the first, as NumPy has it for halves.
template <class T>
inline T first_maximum(T x, T y) {
  const bool first = less_equal(y, x) | is_nan(x);
  if constexpr (is_complex_type<T>)
    return pick(first, x, y);
  else
    return first ? x : y;
}
template <class T>
inline T first_minimum(T x, T y) {
  const bool first = less_equal(x, y) | is_nan(x);
  if constexpr (is_complex_type<T>)
    return pick(first, x, y);
  else
    return first ? x : y;
}
// Of two that are equal the second, which for zeros of opposite sign can be told: so does NumPy,
// because the machine does. Complex numbers are the first.
template <class T>
inline T maximum(T x, T y) {
  if constexpr (is_bool<T>)
    return x | y;
  else if constexpr (std::is_floating_point_v<T>)
    return less(y, x) | is_nan(x) ? x : y;
  else
    return first_maximum(x, y);
}
template <class T>
inline T minimum(T x, T y) {
  if constexpr (is_bool<T>)
    return x & y;
  else if constexpr (std::is_floating_point_v<T>)
    return less(x, y) | is_nan(x) ? x : y;
  else
    return first_minimum(x, y);
}
// Complex numbers in the order of bounds, where parts are compared as they are.
template <class T>
inline bool comes_earlier(T x, T y) {
  return (x.real() < y.real()) | ((x.real() == y.real()) & (x.imag() < y.imag()));
}
// Complex numbers equal to a bound become it.
template <class T>
inline T clip(T x, T low, T high) {
  if constexpr (std::is_floating_point_v<T>) {
    T raised = pick(less_equal(low, x) | is_nan(x), x, low);
    return pick(less_equal(raised, high) | is_nan(raised), raised, high);
  } else if constexpr (is_complex_type<T>) {
    T raised = pick(comes_earlier(low, x) | is_nan(x), x, low);
    return pick(comes_earlier(raised, high) | is_nan(raised), raised, high);
  } else {
    return minimum(maximum(x, low), high);
  }
}
template <class T>
inline T maximum_number(T x, T y) {
  if constexpr (is_bool<T>)
    return x | y;
  else
    return less_equal(y, x) | is_nan(y) ? x : y;
}
template <class T>
inline T minimum_number(T x, T y) {
  if constexpr (is_bool<T>)
    return x & y;
  else
    return less_equal(x, y) | is_nan(y) ? x : y;
}

template <class T>
inline T sign(T x) {
  if constexpr (is_complex_type<T>) {
    using Part = typename T::value_type;
    constexpr Part kNan = std::numeric_limits<Part>::quiet_NaN();
    Part size = std::hypot(x.real(), x.imag());
    if (is_nan(size) || (is_infinite(x.real()) && is_infinite(x.imag()))) return T(kNan, kNan);
    if (is_infinite(size)) {
      return is_infinite(x.real()) ? T(std::copysign(Part(1), x.real()), 0)
                                   : T(0, std::copysign(Part(1), x.imag()));
    }
    return size == 0 ? T(0, 0) : T(x.real() / size, x.imag() / size);
  } else if constexpr (is_real<T>) {
    return x > 0 ? T(1) : x < 0 ? T(-1) : x == 0 ? T(0) : x;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<T>((x > 0) - (x < 0));
  } else {
    return static_cast<T>(x != 0);
  }
}

template <class T>
inline T copy_sign(T x, T y) {
  return std::copysign(x, y);
}

template <class T>
inline T heaviside(T x, T y) {
  return x > 0 ? T(1) : x < 0 ? T(0) : x == 0 ? y : x;
}

template <class T>
inline T square_root(T x) {
  return std::sqrt(x);
}

template <class T>
inline T round_even(T x) {
  if constexpr (is_complex_type<T>)
    return T(std::rint(x.real()), std::rint(x.imag()));
  else
    return std::rint(x);
}
template <class T>
inline T round_down(T x) {
  if constexpr (is_real<T>)
    return std::floor(x);
  else
    return x;
}
template <class T>
inline T round_up(T x) {
  if constexpr (is_real<T>)
    return std::ceil(x);
  else
    return x;
}
template <class T>
inline T round_to_zero(T x) {
  if constexpr (is_real<T>)
    return std::trunc(x);
  else
    return x;
}

template <class T>
inline T bit_and(T x, T y) {
  return x & y;
}
template <class T>
inline T bit_or(T x, T y) {
  return x | y;
}
template <class T>
inline T bit_xor(T x, T y) {
  return x ^ y;
}
template <class T>
inline T bit_not(T x) {
  if constexpr (is_bool<T>)
    return !x;
  else
    return static_cast<T>(~x);
}

// Shifts by more than the width, or by a negative number, push every bit out.
template <class T>
inline T shift_left(T x, T y) {
  auto by = static_cast<Unsigned<T>>(y);
  return by < 8 * sizeof(T) ? static_cast<T>(static_cast<Wrapping<T>>(x) << by) : T(0);
}
template <class T>
inline T shift_right(T x, T y) {
  auto by = static_cast<Unsigned<T>>(y);
  return by < 8 * sizeof(T) ? static_cast<T>(x >> by) : static_cast<T>(x < T(0) ? -1 : 0);
}

// Neighbouring bits, pairs and fours are added side by side, then all bytes: loops become vectors.
template <class T>
inline std::uint8_t count_bits(T x) {
  using Bits = Unsigned<T>;
  constexpr Bits kAll = static_cast<Bits>(~Bits{0});
  constexpr Bits kPairs = kAll / 3, kFours = kAll / 5, kBytes = kAll / 17, kOnes = kAll / 255;
  auto bits = static_cast<Bits>(absolute(x));
  bits = static_cast<Bits>(bits - (bits >> 1 & kPairs));
  bits = static_cast<Bits>((bits & kFours) + (bits >> 2 & kFours));
  bits = static_cast<Bits>((bits + (bits >> 4)) & kBytes);
  return static_cast<std::uint8_t>(static_cast<Bits>(bits * kOnes) >> (8 * sizeof(Bits) - 8));
}

template <class T>
inline T greatest_divisor(T x, T y) {
  auto a = static_cast<Unsigned<T>>(absolute(x));
  auto b = static_cast<Unsigned<T>>(absolute(y));
  while (b != 0) {
    auto rest = static_cast<Unsigned<T>>(a % b);
    a = b;
    b = rest;
  }
  return static_cast<T>(a);
}
template <class T>
inline T least_multiple(T x, T y) {
  auto divisor = static_cast<Unsigned<T>>(greatest_divisor(x, y));
  if (divisor == 0) return T(0);
  auto a = static_cast<Unsigned<T>>(absolute(x));
  auto b = static_cast<Unsigned<T>>(absolute(y));
  return static_cast<T>(static_cast<Wrapping<T>>(a / divisor) * static_cast<Wrapping<T>>(b));
}

}  // namespace strider::nd::STRIDER_TARGET
