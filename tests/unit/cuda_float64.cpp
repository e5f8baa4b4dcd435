// The forms of float64's functions that do not branch, on the host: quotients and roots are the
// processor's, exponentials and logarithms within 1 ULP of long double's.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>

#include "kernels/backend/cuda/jit/text/float64.h"

using namespace strider::nd::device;

namespace {

constexpr int kTrials = 400000;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Numbers of three kinds: near 1, between -10 and 10, any bits.
class Numbers {
 public:
  double next(int kind) {
    std::uint64_t bits = random_();
    if (kind == 0) return std::bit_cast<double>((bits >> 12) | 0x3ff0000000000000u);
    if (kind == 1) return between(-10, 10);
    return std::bit_cast<double>(bits);
  }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53;
  }

 private:
  std::mt19937_64 random_{1};
};

double ulps(double got, long double wanted) {
  double near = std::fabs(static_cast<double>(wanted));
  return static_cast<double>(std::fabs(got - wanted) / (std::nextafter(near, kInfinity) - near));
}
bool is_same(double x, double y) {
  return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
}

}  // namespace

TEST_CASE("quotients and roots that do not branch are rounded ones, or odd") {
  Numbers numbers;
  int wrong = 0, odds = 0;
  for (int i = 0; i < kTrials; ++i) {
    double x = i % 17 ? numbers.next(i % 3) : 0.0, y = numbers.next(i % 3);
    bool odd = false;
    double quotient = quick_divide(x, y, odd);
    wrong += !odd && !is_same(quotient, x / y);
    odds += odd && i % 3 != 2;
    odd = false;
    double size = std::fabs(x), root = quick_root(size, odd);
    wrong += !odd && !is_same(root, std::sqrt(size));
  }
  CHECK(wrong == 0);
  CHECK(odds == 0);
  for (auto [x, y] : {std::pair{-0.0, 1.0}, {1.0, 0.0}, {0.0, 0.0}, {1e-320, 1.0}, {1.0, 1e-320}}) {
    bool odd = false;
    quick_divide(x, y, odd);
    CHECK(odd);
  }
}

TEST_CASE("quotients of many numbers by one that do not branch are rounded ones, or odd") {
  Numbers numbers;
  int wrong = 0, odds = 0;
  const auto divide = [&](double x, double y) {
    bool odd = false;
    const double quotient = quick_divide_by(x, y, odd);
    wrong += !odd && !is_same(quotient, x / y);
    return odd;
  };
  for (int i = 0; i < kTrials; ++i) {
    double x = i % 17 ? numbers.next(i % 3) : 0.0, y = numbers.next(i % 3);
    odds += divide(x, y) && i % 3 == 0;
    odds += divide(x, -std::fabs(y)) && i % 3 == 0 && x != 0;
  }
  // Quotients a little below 1, of which the first guess may be further off than others.
  for (int i = 0; i < kTrials; ++i) {
    const double y = numbers.between(1, 2);
    odds += divide(y - (i % 4000 + 1) * 0x1p-52, y);
  }
  CHECK(wrong == 0);
  CHECK(odds == 0);
  CHECK(!divide(-0.0, 1.0));
  CHECK(!divide(0x1p1000, 0x1p-20));
  CHECK(wrong == 0);
  for (auto [x, y] : {std::pair{0.0, -1.0},
                      {1.0, 0.0},
                      {0.0, 0.0},
                      {1e-320, 1.0},
                      {1.0, 1e-320},
                      {1.0, 1.7e308},
                      {1e-300, 1e200},
                      {1e200, 1e-200},
                      {0x1p-970, 1.0},
                      {kInfinity, 1.0},
                      {std::nan(""), 1.0},
                      {1.0, kInfinity},
                      {1.0, std::nan("")}}) {
    CHECK(divide(x, y));
  }
}

TEST_CASE("exponentials of any number, and those that do not ask") {
  Numbers numbers;
  double worst = 0;
  int wrong = 0;
  for (int i = 0; i < kTrials; ++i) {
    double x = i % 2 ? numbers.between(-708, 709) : numbers.between(-2, 2);
    worst = std::max(worst, ulps(exponential_of(x), std::exp(static_cast<long double>(x))));
    double any = i % 2 ? numbers.next(2) : numbers.between(-800, 800);
    bool odd = false;
    double quick = quick_exponential(any, odd);
    wrong += !odd && !is_same(quick, exponential_of(any));
  }
  CHECK(worst < 1);
  CHECK(wrong == 0);
  CHECK(exponential_of(kInfinity) == kInfinity);
  CHECK(exponential_of(-kInfinity) == 0);
  CHECK(std::isnan(exponential_of(std::nan(""))));
  CHECK(exponential_of(709.79) == kInfinity);
  CHECK(exponential_of(-745.1) == 0x1p-1074);
}

TEST_CASE("logarithms of positive normal numbers") {
  Numbers numbers;
  double worst = 0;
  for (int i = 0; i < kTrials; ++i) {
    double apart = numbers.between(-1e-3, 1e-3) * std::exp2(-(i % 40));
    double x = i % 3 == 0 ? 1 + apart : std::fabs(numbers.next(i % 3));
    bool odd = false;
    double quick = quick_logarithm(x, odd);
    if (!odd && x != 1) {
      worst = std::max(worst, ulps(quick, std::log(static_cast<long double>(x))));
    }
  }
  CHECK(worst < 1);
  for (double x : {0.0, -1.0, 1e-320, kInfinity}) {
    bool odd = false;
    quick_logarithm(x, odd);
    CHECK(odd);
  }
  bool odd = false;
  CHECK(quick_logarithm(1, odd) == 0);
  CHECK(!odd);
}
