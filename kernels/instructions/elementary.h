// The elementary functions of real numbers, and of complex ones in NumPy's ways (branch cuts, base
// 2 and 10 through the natural logarithm).
#pragma once

#include "kernels/instructions/basic.h"

namespace strider::nd::STRIDER_TARGET {

inline constexpr double kLn2 = 0.693147180559945309417232121458176568;
inline constexpr double kLog2E = 1.44269504088896340735992468100189214;
inline constexpr double kLog10E = 0.434294481903251827651128918916605082;

template <class T>
inline T exponential(T x) {
  return std::exp(x);
}

template <class T>
inline T exponential2(T x) {
  if constexpr (is_complex_type<T>) {
    using Part = typename T::value_type;
    return std::exp(T(x.real() * Part(kLn2), x.imag() * Part(kLn2)));
  } else {
    return std::exp2(x);
  }
}

template <class T>
inline T exponential_less_1(T x) {
  if constexpr (is_complex_type<T>) {
    using Part = typename T::value_type;
    Part half_sine = std::sin(x.imag() / 2);
    return T(std::expm1(x.real()) * std::cos(x.imag()) - 2 * half_sine * half_sine,
             std::exp(x.real()) * std::sin(x.imag()));
  } else {
    return std::expm1(x);
  }
}

template <class T>
inline T logarithm(T x) {
  return std::log(x);
}

template <class T>
inline T logarithm2(T x) {
  if constexpr (is_complex_type<T>) {
    using Part = typename T::value_type;
    T natural = std::log(x);
    return T(natural.real() * Part(kLog2E), natural.imag() * Part(kLog2E));
  } else {
    return std::log2(x);
  }
}

template <class T>
inline T logarithm10(T x) {
  if constexpr (is_complex_type<T>) {
    using Part = typename T::value_type;
    T natural = std::log(x);
    return T(natural.real() * Part(kLog10E), natural.imag() * Part(kLog10E));
  } else {
    return std::log10(x);
  }
}

template <class T>
inline T logarithm_plus_1(T x) {
  if constexpr (is_complex_type<T>) {
    auto size = std::hypot(x.real() + 1, x.imag());
    return T(std::log(size), std::atan2(x.imag(), x.real() + 1));
  } else {
    return std::log1p(x);
  }
}

template <class T>
inline T cube_root(T x) {
  return std::cbrt(x);
}

// log(exp(x) + exp(y)) from the larger one, so that nothing overflows.
template <class T>
inline T log_add_exp(T x, T y) {
  if (x == y) return x + T(kLn2);
  T gap = x - y;
  if (gap > 0) return x + std::log1p(std::exp(-gap));
  return gap <= 0 ? y + std::log1p(std::exp(gap)) : gap;
}
template <class T>
inline T log_add_exp2(T x, T y) {
  if (x == y) return x + 1;
  T gap = x - y;
  if (gap > 0) return x + T(kLog2E) * std::log1p(std::exp2(-gap));
  return gap <= 0 ? y + T(kLog2E) * std::log1p(std::exp2(gap)) : gap;
}

template <class T>
inline T sine(T x) {
  return std::sin(x);
}
template <class T>
inline T cosine(T x) {
  return std::cos(x);
}
template <class T>
inline T tangent(T x) {
  return std::tan(x);
}
template <class T>
inline T arc_sine(T x) {
  return std::asin(x);
}
template <class T>
inline T arc_cosine(T x) {
  return std::acos(x);
}
template <class T>
inline T arc_tangent(T x) {
  return std::atan(x);
}
template <class T>
inline T arc_tangent2(T y, T x) {
  return std::atan2(y, x);
}
template <class T>
inline T hypotenuse(T x, T y) {
  if constexpr (std::is_same_v<T, float>) {  // float64 holds the squares exactly
    if (is_infinite(x) | is_infinite(y)) return std::numeric_limits<T>::infinity();
    double a = x, b = y;
    return static_cast<T>(std::sqrt(a * a + b * b));
  } else {
    return std::hypot(x, y);
  }
}
template <class T>
inline T hyperbolic_sine(T x) {
  return std::sinh(x);
}
template <class T>
inline T hyperbolic_cosine(T x) {
  return std::cosh(x);
}
template <class T>
inline T hyperbolic_tangent(T x) {
  return std::tanh(x);
}
template <class T>
inline T area_sine(T x) {
  return std::asinh(x);
}
template <class T>
inline T area_cosine(T x) {
  return std::acosh(x);
}
template <class T>
inline T area_tangent(T x) {
  return std::atanh(x);
}

// Integers by repeated squaring; the caller has refused negative exponents.
template <class T>
inline T integer_power(T x, T y) {
  Wrapping<T> base = static_cast<Wrapping<T>>(x), result = 1;
  for (auto bits = static_cast<Unsigned<T>>(y); bits != 0; bits >>= 1) {
    if (bits & 1) result *= base;
    base *= base;
  }
  return static_cast<T>(result);
}

// NaN, which raises invalid.
template <class T>
inline T invalid_power() {
  using Part = typename T::value_type;
  volatile Part infinity = std::numeric_limits<Part>::infinity();
  Part nan = infinity - infinity;
  return T(nan, nan);
}

// Small whole exponents of complex numbers multiply, so that they are exact where they can be; each
// product and sum is rounded. From exponents of four on, and below zero, NumPy begins with a
// product by one, which takes the sign from zeros and makes NaN of infinities.
template <class T>
inline T complex_power(T x, T y) {
  if (y.real() == 0 && y.imag() == 0) return T(1, 0);
  if (x.real() == 0 && x.imag() == 0) {
    if (y.real() > 0) return T(0, 0);
    return invalid_power<T>();
  }
  if (y.imag() == 0 && y.real() != y.real()) return invalid_power<T>();
  if (y.imag() != 0 || y.real() != std::trunc(y.real()) || std::fabs(y.real()) >= 100) {
    return std::pow(x, y);
  }
  int exponent = static_cast<int>(y.real());
  T base = x, result = T(1, 0);
  bool first = 0 < exponent && exponent < 4;
  for (int bits = exponent < 0 ? -exponent : exponent; bits != 0; bits >>= 1) {
    if (bits & 1) {
      result = first ? base : multiply_plainly(result, base);
      first = false;
    }
    if (bits > 1) base = multiply_plainly(base, base);
  }
  return exponent < 0 ? divide(T(1, 0), result) : result;
}

template <class T>
inline T power(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return integer_power(x, y);
  else if constexpr (is_complex_type<T>)
    return complex_power(x, y);
  else
    return std::pow(x, y);
}

}  // namespace strider::nd::STRIDER_TARGET
