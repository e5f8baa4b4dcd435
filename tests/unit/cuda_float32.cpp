// The forms of float32's functions that do not branch, on the host: quotients and roots are the
// processor's to the bit, or odd, or not finite; logarithms are near it.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>

#include "kernels/backend/cuda/jit/text/float32.h"

using namespace strider::nd::device;

namespace {

constexpr int kTrials = 2000000;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool is_same(float x, float y) {
  return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
}

// Numbers near 1, their last bits all set now and then, and any bits.
class Numbers {
 public:
  float next(bool any) {
    auto bits = static_cast<std::uint32_t>(random_());
    if (any) return std::bit_cast<float>(bits);
    if (bits % 8 == 0) bits |= 0x7ffff8u;
    return std::bit_cast<float>((bits & 0x807fffffu) | 0x3f800000u);
  }

 private:
  std::mt19937 random_{1};
};

// The form for one number, with what is asked of that.
float divide_one(float x, float y, bool& odd) {
  odd |= !is_numerator(x);
  return quick_divide_one(x, y, odd);
}

// Of all forms of the quotient. Those that are not finite are tested for that by others.
int count_wrong(float x, float y, int& odds) {
  int wrong = 0;
  for (auto* divide :
       {&quick_divide, &quick_divide_by, &quick_divide_into, &quick_divide_bare, &divide_one}) {
    bool odd = false;
    float quotient = divide(x, y, odd);
    odd |= !std::isfinite(quotient);
    if (divide == &quick_divide_bare) odd |= !std::isnormal(quotient);
    wrong += !odd && !is_same(quotient, x / y);
    odds += odd;
  }
  return wrong;
}

}  // namespace

TEST_CASE("quotients of floats that do not branch are rounded ones, or odd") {
  Numbers numbers;
  int wrong = 0, odds_near_1 = 0, odds = 0;
  for (int i = 0; i < kTrials; ++i) {
    bool any = i % 2;
    wrong += count_wrong(numbers.next(any), numbers.next(any), any ? odds : odds_near_1);
  }
  CHECK(wrong == 0);
  CHECK(odds_near_1 == 0);
  CHECK(odds < kTrials);
}

TEST_CASE("quotients of floats by all numbers between 1 and 2") {
  int wrong = 0, odds = 0;
  for (std::uint32_t last = 0; last < 1u << 23; ++last) {
    float y = std::bit_cast<float>(0x3f800000u | last);
    wrong += count_wrong(1, y, odds) + count_wrong(0x1.fffffep0f, y, odds);
  }
  CHECK(wrong == 0);
  CHECK(odds == 0);
}

TEST_CASE("nothing is divided by positive numbers without ado, and keeps its sign") {
  int wrong = 0, odds = 0;
  for (float y : {1.0f, 3.0f, 1e-30f, 1e30f}) {
    wrong += count_wrong(0.0f, y, odds) + count_wrong(-0.0f, y, odds);
  }
  CHECK(wrong == 0);
  CHECK(odds == 24);  // where nothing is not looked for
}

TEST_CASE("quotients that are not finite, too small, or of such numbers are odd") {
  const float nan = std::nanf("");
  for (auto [x, y] : {std::pair{1.0f, 0.0f},
                      {0.0f, 0.0f},
                      {0.0f, nan},
                      {nan, 1.0f},
                      {1.0f, nan},
                      {kInfinity, 2.0f},
                      {kInfinity, kInfinity},
                      {1.0f, kInfinity},
                      {0.0f, kInfinity},
                      {1e38f, 1e-5f},
                      {1e-38f, 10.0f},
                      {1e-40f, 1.0f},
                      {1.0f, 1e-40f},
                      {1.0f, 3e38f}}) {
    CAPTURE(x);
    CAPTURE(y);
    int odds = 0;
    count_wrong(x, y, odds);
    CHECK(odds == 5);
  }
}

TEST_CASE("roots of floats that do not branch are rounded ones, or odd") {
  int wrong = 0, odds = 0;
  for (std::uint32_t bits = 0x0d800000u; bits < 0x7f800000u; bits += 37) {
    float x = std::bit_cast<float>(bits);
    bool odd = false;
    wrong += !is_same(quick_root(x, odd), std::sqrt(x));
    odds += odd;
  }
  CHECK(wrong == 0);
  CHECK(odds == 0);
  for (float x : {0.0f, -0.0f, -1.0f, 1e-40f, kInfinity, std::nanf("")}) {
    bool odd = false;
    float root = quick_root(x, odd);
    CHECK((odd || !std::isfinite(root)));
  }
}

TEST_CASE("logarithms of floats") {
  double worst = 0;
  for (std::uint32_t bits = 0x00800000u; bits < 0x7f800000u; bits += 101) {
    float x = std::bit_cast<float>(bits);
    bool odd = false;
    double exact = std::log(static_cast<double>(x)), found = quick_logarithm(x, odd);
    auto rounded = std::fabs(static_cast<float>(exact));
    double ulp = std::nextafter(rounded, kInfinity) - rounded;
    worst = std::max(worst, std::fabs(found - exact) / ulp);
    if (odd) worst = kInfinity;
  }
  CHECK(worst < 1.3);
  bool odd = false;
  CHECK(quick_logarithm(1, odd) == 0);
  CHECK_FALSE(odd);
  for (float x : {0.0f, -0.0f, -1.0f, 1e-40f, kInfinity, -kInfinity, std::nanf("")}) {
    odd = false;
    quick_logarithm(x, odd);
    CHECK(odd);
  }
}

TEST_CASE("the larger and the smaller of two floats") {
  CHECK(larger(1, 2) == 2);
  CHECK(smaller(1, 2) == 1);
  const float nan = std::nanf("");
  for (auto* choose : {&larger, &smaller}) {
    CHECK(std::isnan(choose(nan, 1)));
    CHECK(std::isnan(choose(1, nan)));
  }
  for (auto [x, y] : {std::pair{0.0f, -0.0f}, {-0.0f, 0.0f}}) {
    CHECK(is_same(larger(x, y), 0.0f));
    CHECK(is_same(smaller(x, y), -0.0f));
  }
}
