// math's functions of integers: factorial, comb, perm, gcd, lcm, isqrt. Any size.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "interpreter/builtins/modules/numbers/math_support.h"
#include "interpreter/types/numbers/integer_limbs.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// first * (first + 1) * … * last by halves, so that factors stay of like size.
Integer product_of_range(std::int64_t first, std::int64_t last) {
  if (first > last) return 1;
  if (last - first < 8) {
    Integer product = first;
    for (std::int64_t factor = first + 1; factor <= last; ++factor) product *= factor;
    return product;
  }
  std::int64_t middle = first + (last - first) / 2;
  return product_of_range(first, middle) * product_of_range(middle + 1, last);
}

constexpr auto kSmallFactorials = [] {
  std::array<std::int64_t, 21> all{1};
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = all[i - 1] * static_cast<std::int64_t>(i);
  return all;
}();

Value math_factorial(const Parameters& p) {
  Value number = to_exact_int(p[0]);
  if (number.is_int() && static_cast<std::uint64_t>(number.as_int()) < kSmallFactorials.size())
    return Value::integer(kSmallFactorials[static_cast<std::size_t>(number.as_int())]);
  if (integer_is_negative(number))
    raise(errors::ValueError, "factorial() not defined for negative values");
  if (!number.is_int() || number.as_int() > 100000000)
    raise(errors::OverflowError, "factorial() argument should not exceed {}", INT64_MAX);
  return from_integer(product_of_range(1, number.as_int()));
}

// The ways to choose k of n, in order or not; false where 64 bits do not hold what is on the way.
bool count_choices(const Value& n_value, const Value& k_value, bool ordered, std::int64_t& ways) {
  if (!n_value.is_int() || !k_value.is_int()) return false;
  std::int64_t n = n_value.as_int(), k = k_value.as_int();
  if (k < 0 || k > n) return false;
  if (!ordered) k = std::min(k, n - k);
  ways = 1;
  for (std::int64_t i = 1; i <= k; ++i) {
    std::int64_t factor = ordered ? n - i + 1 : n - k + i;
    if (__builtin_mul_overflow(ways, factor, &ways)) return false;
    if (!ordered) ways /= i;
  }
  return true;
}

// The non-negative arguments n and k of comb and perm.
struct Choice {
  Integer n, k;
};

Choice read_choice(const Value& n, const Value& k, const char* k_message) {
  Choice choice{to_integer(to_exact_int(n)), to_integer(to_exact_int(k))};
  if (choice.n < 0) raise(errors::ValueError, "n must be a non-negative integer");
  if (choice.k < 0) raise(errors::ValueError, "{}", k_message);
  return choice;
}

std::int64_t small_count(const Integer& count, const char* function) {
  if (count > 100000000) raise(errors::OverflowError, "{} result is too large", function);
  return static_cast<std::int64_t>(count);
}

// n * (n - 1) * … of `count` factors.
Integer falling_product(const Integer& n, std::int64_t count) {
  if (n <= INT64_MAX) {
    auto last = static_cast<std::int64_t>(n);
    return product_of_range(last - count + 1, last);
  }
  Integer product = 1;
  for (std::int64_t i = 0; i < count; ++i) product *= n - i;
  return product;
}

Value math_perm(const Parameters& p) {
  if (p[1].is_none()) return math_factorial(p);
  if (std::int64_t ways; count_choices(p[0], p[1], true, ways)) return Value::integer(ways);
  Choice choice = read_choice(p[0], p[1], "k must be a non-negative integer");
  if (choice.k > choice.n) return Value::integer(0);
  return from_integer(falling_product(choice.n, small_count(choice.k, "perm()")));
}

Value math_comb(const Parameters& p) {
  if (std::int64_t ways; count_choices(p[0], p[1], false, ways)) return Value::integer(ways);
  Choice choice = read_choice(p[0], p[1], "k must be a non-negative integer");
  if (choice.k > choice.n) return Value::integer(0);
  Integer rest = choice.n - choice.k;
  std::int64_t count = small_count(std::min(choice.k, rest), "comb()");
  return from_integer(falling_product(choice.n, count) / product_of_range(1, count));
}

constexpr unsigned kLeadingBits = 60;

// One step of Lehmer's way to the greatest common divisor (Knuth 4.5.2, algorithm L): several
// divisions at once, as the leading bits say. `a` is not less than `b`, and larger than 60 bits.
void lehmer_step(Integer& a, Integer& b) {
  auto shift = static_cast<unsigned>(boost::multiprecision::msb(a)) + 1 - kLeadingBits;
  std::int64_t x = bits_from(a, shift, kLeadingBits), y = bits_from(b, shift, kLeadingBits);
  std::int64_t xa = 1, xb = 0, ya = 0, yb = 1;
  bool odd = false;
  while (y != ya) {
    std::int64_t quotient = (x + (xa - 1)) / (y - ya);
    std::int64_t next_b = xb + quotient * yb, next_y = x - quotient * y;
    if (next_b > next_y) break;
    x = std::exchange(y, next_y);
    std::int64_t next_a = xa + quotient * ya;
    xa = std::exchange(yb, next_a);
    xb = std::exchange(ya, next_b);
    odd = !odd;
  }
  if (xb == 0) {
    a %= b;
    swap(a, b);
    return;
  }
  if (odd)
    combine(a, b, -xb, xa, yb, -ya);
  else
    combine(a, b, xa, -xb, -ya, yb);
}

Integer gcd_of_large(Integer a, Integer b) {
  a = abs(a);
  b = abs(b);
  if (a < b) swap(a, b);
  // Numbers of different sizes are brought to the smaller one's by a division.
  if (b != 0 && boost::multiprecision::msb(a) > boost::multiprecision::msb(b) + kLeadingBits) {
    a %= b;
    swap(a, b);
  }
  while (b != 0 && boost::multiprecision::msb(a) >= kLeadingBits) lehmer_step(a, b);
  if (b == 0) return a;
  return std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
}

// One division brings both to the smaller one's size; then differences, without branches that
// depend on the numbers (Stein).
std::uint64_t small_gcd(std::uint64_t a, std::uint64_t b) {
  if (a > b) std::swap(a, b);
  if (a == 0) return b;
  b %= a;
  if (b == 0) return a;
  int twos = std::countr_zero(a | b);
  a >>= std::countr_zero(a);
  while (b != 0) {
    b >>= std::countr_zero(b);
    std::uint64_t smaller = std::min(a, b);
    b = std::max(a, b) - smaller;
    a = smaller;
  }
  return a << twos;
}

Value gcd_of(const Value& left, const Value& right) {
  if (left.is_int() && right.is_int() && left.as_int() != INT64_MIN && right.as_int() != INT64_MIN)
    return Value::integer(
        static_cast<std::int64_t>(small_gcd(static_cast<std::uint64_t>(std::abs(left.as_int())),
                                            static_cast<std::uint64_t>(std::abs(right.as_int())))));
  return from_integer(gcd_of_large(to_integer(left), to_integer(right)));
}

Value absolute(const Value& value) {
  if (!integer_is_negative(value)) return value;
  return from_integer(-to_integer(value));
}

Value math_gcd(const Parameters& p) {
  Value result = Value::integer(0);
  for (const Value& item : p[0].as<Tuple>()->items()) {
    Value number = to_exact_int(item);
    if (!result.is_int() || result.as_int() != 1) result = gcd_of(result, number);
  }
  return absolute(result);
}

Value math_lcm(const Parameters& p) {
  Value result = Value::integer(1);
  for (const Value& item : p[0].as<Tuple>()->items()) {
    Value number = to_exact_int(item);
    if (result.is_int() && result.as_int() == 0) continue;
    if (number.is_int() && number.as_int() == 0) {
      result = number;
      continue;
    }
    Integer divisor = to_integer(gcd_of(result, number));
    result = absolute(from_integer(to_integer(result) / divisor * to_integer(number)));
  }
  return result;
}

// The root by Newton's steps, each of which doubles how many leading bits are right; what it is
// found from has no more bits than that step needs.
Integer integer_root(const Integer& number) {
  if (number == 0) return 0;
  std::size_t half = msb(number) / 2, known = 0;
  Integer root = 1, quotient, rest;
  for (int shift = static_cast<int>(std::bit_width(half)) - 1; shift >= 0; --shift) {
    std::size_t before = known;
    known = half >> shift;
    Integer leading = number >> (2 * half - before - known + 1);
    divide_magnitudes(leading, root, quotient, rest);
    root = shifted_left(root, known - before - 1) + quotient;
  }
  return root * root > number ? Integer(root - 1) : root;
}

// The root of a double is next to that of the number, which may have more bits.
std::int64_t small_root(std::int64_t number) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(number)));
  auto square = [](std::int64_t side) { return static_cast<std::uint64_t>(side) * side; };
  while (square(root) > static_cast<std::uint64_t>(number)) --root;
  while (square(root + 1) <= static_cast<std::uint64_t>(number)) ++root;
  return root;
}

Value math_isqrt(const Parameters& p) {
  Value number = to_exact_int(p[0]);
  if (number.is_int() && number.as_int() >= 0) return Value::integer(small_root(number.as_int()));
  if (integer_is_negative(number))
    raise(errors::ValueError, "isqrt() argument must be nonnegative");
  return from_integer(integer_root(to_integer(number)));
}

}  // namespace

const NativeRow kIntegerMathFunctions[] = {
    {"factorial(n, /)", math_factorial, "n!"},
    {"perm(n, k=None, /)", math_perm, "Ordered ways to choose k of n items."},
    {"comb(n, k, /)", math_comb, "Unordered ways to choose k of n items."},
    {"gcd(*integers)", math_gcd, "The greatest common divisor."},
    {"lcm(*integers)", math_lcm, "The least common multiple."},
    {"isqrt(n, /)", math_isqrt, "The integer part of the square root."},
};
const std::size_t kIntegerMathFunctionCount = std::size(kIntegerMathFunctions);

}  // namespace strider::lang
