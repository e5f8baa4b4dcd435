// The elementary functions of complex numbers that kernels use, beside the C library's: at special
// values and around them, everything but NaN's bits agrees.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

// What the text finds in its own library.
namespace device_library {

using std::asinh, std::atan2, std::sqrt, std::tanh;
using std::copysign, std::fabs, std::fma, std::hypot, std::numeric_limits;
using std::exp, std::log, std::log1p, std::sin, std::cos, std::tan, std::sinh, std::cosh;

template <class T>
class complex {
 public:
  complex(T real = 0, T imag = 0) : real_(real), imag_(imag) {}
  T real() const { return real_; }
  T imag() const { return imag_; }

 private:
  T real_, imag_;
};

}  // namespace device_library

#define std device_library
#include "kernels/backend/cuda/jit/text/complex.h"
#undef std

namespace {

template <class T>
bool agrees(T expected, T found) {
  if (expected != expected || found != found) return expected != expected && found != found;
  if (expected == found) return std::signbit(expected) == std::signbit(found);
  constexpr T kSteps = 16 * std::numeric_limits<T>::denorm_min();
  return std::fabs(expected - found) <= T(1e-5) * std::fabs(expected) + kSteps;
}

template <class T>
std::vector<T> special_values() {
  constexpr T kMost = std::numeric_limits<T>::max(), kLeast = std::numeric_limits<T>::min();
  std::vector<T> values{0,  0.5, 0.7, 1,    T(0.99999), T(1.00001), 2,      T(1e-3),    T(1e-8), 3,
                        10, 30,  100, 1000, kMost,      kMost / 3,  kLeast, kLeast / 4, T(1e15)};
  values.push_back(std::numeric_limits<T>::infinity());
  for (std::size_t i = 0, count = values.size(); i < count; ++i) values.push_back(-values[i]);
  values.push_back(std::numeric_limits<T>::quiet_NaN());
  return values;
}

template <class T, class Expected, class Found>
void compare(const char* name, Expected expected, Found found) {
  CAPTURE(name);
  for (T x : special_values<T>()) {
    for (T y : special_values<T>()) {
      std::complex<T> wanted = expected(std::complex<T>(x, y));
      device_library::complex<T> got = found(device_library::complex<T>(x, y));
      bool same = agrees(wanted.real(), got.real()) && agrees(wanted.imag(), got.imag());
      CAPTURE(x);
      CAPTURE(y);
      if (!same) CHECK(wanted == std::complex<T>(got.real(), got.imag()));
    }
  }
}

}  // namespace

#define COMPARE(function)                                 \
  compare<T>(                                             \
      #function, [](auto z) { return std::function(z); }, \
      [](auto z) { return device_library::function(z); })

TEST_CASE_TEMPLATE("complex functions of kernels have C99's special values", T, float, double) {
  COMPARE(exp);
  COMPARE(log);
  COMPARE(sqrt);
  COMPARE(sin);
  COMPARE(cos);
  COMPARE(tan);
  COMPARE(sinh);
  COMPARE(cosh);
  COMPARE(tanh);
  COMPARE(asin);
  COMPARE(acos);
  COMPARE(atan);
  COMPARE(asinh);
  COMPARE(acosh);
  COMPARE(atanh);
}

TEST_CASE_TEMPLATE("infinite powers of complex numbers are C99's", T, float, double) {
  constexpr T kEndless = std::numeric_limits<T>::infinity();
  const T values[] = {0, -0.0, 1, -1, 0.5, -3, kEndless, -kEndless};
  for (T a : values) {
    for (T b : values) {
      for (T c : values) {
        for (T d : values) {
          if (a == 0 && b == 0) continue;
          std::complex<T> wanted = std::pow(std::complex<T>(a, b), std::complex<T>(c, d));
          auto got = device_library::pow(device_library::complex<T>(a, b),
                                         device_library::complex<T>(c, d));
          CAPTURE(a);
          CAPTURE(b);
          CAPTURE(c);
          CAPTURE(d);
          bool same = agrees(wanted.real(), got.real()) && agrees(wanted.imag(), got.imag());
          if (!same) CHECK(wanted == std::complex<T>(got.real(), got.imag()));
        }
      }
    }
  }
}
