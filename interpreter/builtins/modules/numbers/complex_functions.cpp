// Complex functions by W. Kahan, "Branch Cuts for Complex Elementary Functions" (1987). Infinities
// and NaNs are left to the C library.
#include "interpreter/builtins/modules/numbers/complex_functions.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

namespace strider::lang {
namespace {

constexpr double kLarge = DBL_MAX / 4;

bool is_finite(const Complex128& z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); }

bool is_large(const Complex128& z) {
  return std::fabs(z.real()) > kLarge || std::fabs(z.imag()) > kLarge;
}

// log(2 |z|) of a large number, without overflow.
double log_of_double(const Complex128& z) {
  return std::log(std::hypot(z.real() / 2, z.imag() / 2)) + 2 * M_LN2;
}

Complex128 times_i(const Complex128& z) { return {-z.imag(), z.real()}; }
Complex128 over_i(const Complex128& z) { return {z.imag(), -z.real()}; }

}  // namespace

Complex128 complex_sqrt(const Complex128& z) {
  if (!is_finite(z)) return std::sqrt(z);
  double x = std::fabs(z.real()), y = std::fabs(z.imag());
  if (x == 0 && y == 0) return {0.0, z.imag()};
  double root;
  if (x < DBL_MIN && y < DBL_MIN) {
    x = std::ldexp(x, 53);
    root = std::ldexp(std::sqrt(x + std::hypot(x, std::ldexp(y, 53))), -27);
  } else {
    x /= 8;
    root = 2 * std::sqrt(x + std::hypot(x, y / 8));
  }
  double other = y / (2 * root);
  if (z.real() >= 0) return {root, std::copysign(other, z.imag())};
  return {other, std::copysign(root, z.imag())};
}

Complex128 complex_log(const Complex128& z) {
  double x = std::fabs(z.real()), y = std::fabs(z.imag());
  if (!is_finite(z) || (x == 0 && y == 0)) return std::log(z);
  double length;
  if (x > kLarge || y > kLarge) {
    length = std::log(std::hypot(x / 2, y / 2)) + M_LN2;
  } else if (x < DBL_MIN && y < DBL_MIN) {
    length = std::log(std::hypot(std::ldexp(x, DBL_MANT_DIG), std::ldexp(y, DBL_MANT_DIG))) -
             DBL_MANT_DIG * M_LN2;
  } else {
    double size = std::hypot(x, y), most = std::max(x, y), least = std::min(x, y);
    bool near_one = 0.71 <= size && size <= 1.73;
    length = near_one ? std::log1p((most - 1) * (most + 1) + least * least) / 2 : std::log(size);
  }
  return {length, std::atan2(z.imag(), z.real())};
}

Complex128 complex_acos(const Complex128& z) {
  if (!is_finite(z)) return std::acos(z);
  if (is_large(z)) {
    double size = log_of_double(z);
    return {std::atan2(std::fabs(z.imag()), z.real()),
            z.real() < 0 ? -std::copysign(size, z.imag()) : std::copysign(size, -z.imag())};
  }
  Complex128 left = complex_sqrt({1 - z.real(), -z.imag()});
  Complex128 right = complex_sqrt({1 + z.real(), z.imag()});
  return {2 * std::atan2(left.real(), right.real()),
          std::asinh(right.real() * left.imag() - right.imag() * left.real())};
}

Complex128 complex_acosh(const Complex128& z) {
  if (!is_finite(z)) return std::acosh(z);
  if (is_large(z)) return {log_of_double(z), std::atan2(z.imag(), z.real())};
  Complex128 left = complex_sqrt({z.real() - 1, z.imag()});
  Complex128 right = complex_sqrt({z.real() + 1, z.imag()});
  return {std::asinh(left.real() * right.real() + left.imag() * right.imag()),
          2 * std::atan2(left.imag(), right.real())};
}

Complex128 complex_asinh(const Complex128& z) {
  if (!is_finite(z)) return std::asinh(z);
  if (is_large(z)) {
    double size = log_of_double(z);
    return {z.imag() >= 0 ? std::copysign(size, z.real()) : -std::copysign(size, -z.real()),
            std::atan2(z.imag(), std::fabs(z.real()))};
  }
  Complex128 left = complex_sqrt({1 + z.imag(), -z.real()});
  Complex128 right = complex_sqrt({1 - z.imag(), z.real()});
  return {std::asinh(left.real() * right.imag() - right.real() * left.imag()),
          std::atan2(z.imag(), left.real() * right.real() - left.imag() * right.imag())};
}

Complex128 complex_asin(const Complex128& z) {
  return is_finite(z) ? over_i(complex_asinh(times_i(z))) : std::asin(z);
}

Complex128 complex_atanh(const Complex128& z) {
  if (!is_finite(z)) return std::atanh(z);
  if (z.real() < 0 || std::signbit(z.real())) return -complex_atanh(-z);
  double x = z.real(), y = std::fabs(z.imag());
  if (x > std::sqrt(kLarge) || y > std::sqrt(kLarge)) {
    double size = std::hypot(x / 2, z.imag() / 2);
    return {x / 4 / size / size, -std::copysign(M_PI / 2, -z.imag())};
  }
  if (x == 1 && y < std::sqrt(DBL_MIN))
    return {-std::log(std::sqrt(y) / std::sqrt(std::hypot(y, 2.0))),
            std::copysign(std::atan2(2.0, -y) / 2, z.imag())};
  return {std::log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4,
          -std::atan2(-2 * z.imag(), (1 - x) * (1 + x) - y * y) / 2};
}

Complex128 complex_atan(const Complex128& z) {
  return is_finite(z) ? over_i(complex_atanh(times_i(z))) : std::atan(z);
}

Complex128 complex_tanh(const Complex128& z) {
  if (!is_finite(z)) return std::tanh(z);
  double x = z.real(), y = z.imag();
  if (std::fabs(x) > std::log(kLarge))
    return {std::copysign(1.0, x), 4 * std::sin(y) * std::cos(y) * std::exp(-2 * std::fabs(x))};
  double slope = std::tanh(x), tangent = std::tan(y), narrow = 1 / std::cosh(x);
  double product = slope * tangent, divisor = 1 + product * product;
  return {slope * (1 + tangent * tangent) / divisor, tangent / divisor * narrow * narrow};
}

Complex128 complex_tan(const Complex128& z) {
  return is_finite(z) ? over_i(complex_tanh(times_i(z))) : std::tan(z);
}

}  // namespace strider::lang
