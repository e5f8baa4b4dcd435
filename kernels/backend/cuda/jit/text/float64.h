// Exponential, logarithm, quotient and root of float64, whose numbers lie in constant memory, where
// instructions read them. `odd` tells of operands that a function is not made for; nothing
// branches, so that what is computed of several points can be interleaved.
#pragma once

#include "kernels/backend/cuda/jit/text/machine.h"

#ifdef __CUDACC_RTC__
#define STRIDER_CONSTANT static __constant__
#else
#define STRIDER_CONSTANT static const
#endif

namespace strider::nd::device {

inline unsigned high_word(double x) {
  return static_cast<unsigned>(std::bit_cast<std::uint64_t>(x) >> 32);
}
inline unsigned low_word(double x) {
  return static_cast<unsigned>(std::bit_cast<std::uint64_t>(x));
}
inline double from_words(unsigned high, unsigned low) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(high) << 32 | low);
}
inline float high_part(double x) { return std::bit_cast<float>(high_word(x)); }

// The rounded quotient: a reciprocal by Newton's steps, the quotient corrected by its remainder.
inline double quick_divide(double x, double y, bool& odd) {
  const double start = from_words(high_word(start_reciprocal(y)), 1);
  double error = std::fma(-y, start, 1.0);
  error = std::fma(error, error, error);
  double inverse = std::fma(start, error, start);
  inverse = std::fma(inverse, std::fma(-y, inverse, 1.0), inverse);
  const double near = x * inverse;
  const double quotient = std::fma(inverse, std::fma(-y, near, x), near);
  constexpr float kNormal = std::bit_cast<float>(0x00100000u),
                  kFar = std::bit_cast<float>(0x03600000u);
  const float size = std::fma(0.0f, high_part(y), high_part(quotient));
  const bool usual = (std::fabs(high_part(x)) >= kFar) & (std::fabs(size) > kNormal);
  // 0 becomes 0 of the divisor's sign, as it should; -0 would lose its own.
  const bool nothing = (high_word(x) | low_word(x)) == 0;
  odd |= !(usual | (nothing & (size == size)));
  return quotient;
}

// The rounded quotient where many numbers are divided by y, of whose rounded reciprocal one
// correction is enough (Markstein's theorem): what depends on y alone is computed once.
inline double quick_divide_by(double x, double y, bool& odd) {
  constexpr double kLeastNormal = std::numeric_limits<double>::min(),
                   kMost = std::numeric_limits<double>::max();
  const double divisor = std::fabs(y), inverse = 1 / y;
  // Between these quotients are normal numbers and what their products lack of x is exact.
  const double least = divisor > 0x1p61 ? divisor * 0x1p-1021 : 0x1p-960;
  const double most = divisor < 2 ? divisor * 0x1p1022 : kMost;
  const unsigned begin = high_word(least) + 1, end = high_word(most);
  const unsigned size = high_word(x) & 0x7fffffffu;
  // Where x is 0, so is the quotient, of x's sign if y > 0.
  const bool nothing = ((size | low_word(x)) == 0) & (static_cast<int>(high_word(y)) > 0);
  odd |= !((divisor >= kLeastNormal) & (divisor <= 0x1p1021));
  odd |= !((size - begin < end - begin) | nothing);
  const double near = x * inverse;
  return std::fma(-inverse, std::fma(y, near, -x), near);
}

// The rounded root, in the same way.
inline double quick_root(double x, bool& odd) {
  const unsigned rest = high_word(x) - 0x03500000u;
  const double start = from_words(high_word(start_root(x)), rest);
  const double error = std::fma(-x, start * start, 1.0);
  const double inverse = std::fma(std::fma(error, 0.375, 0.5), start * error, start);
  const double near = x * inverse;
  const double half = from_words(high_word(inverse) - 0x00100000u, low_word(inverse));
  odd |= rest >= 0x7ca00000u;
  return std::fma(std::fma(-near, near, x), half, near);
}

inline double power_of_2(int exponent) {
  return from_words(static_cast<unsigned>(exponent + 1023) << 20, 0);
}

// 1 / ln 2, what rounds to whole numbers when it is added, -ln 2 in two parts, and
// (exp(r) - 1 - r) / r² for |r| <= ln 2 / 2.
STRIDER_CONSTANT double kExponential[] = {0x1.71547652b82fep+0,  0x1.8p52,
                                          -0x1.62e42fefa39efp-1, -0x1.abc9e3b39803fp-56,
                                          0x1.af389ecfc4b9cp-26, 0x1.28917c89a43a7p-22,
                                          0x1.71de0db2f6b19p-19, 0x1.a019b9149a41cp-16,
                                          0x1.a01a01a7c2efep-13, 0x1.6c16c17889ef1p-10,
                                          0x1.11111111109b5p-7,  0x1.5555555553d68p-5,
                                          0x1.5555555555556p-3,  0x1.0000000000001p-1};

// exp(x) / 2^n, where n is the low word of `shifted`.
inline double scaled_exponential(double x, double& shifted) {
  shifted = std::fma(x, kExponential[0], kExponential[1]);
  const double whole = shifted - kExponential[1];
  double rest = std::fma(whole, kExponential[2], x);
  rest = std::fma(whole, kExponential[3], rest);
  double sum = kExponential[4];
#pragma unroll
  for (int i = 5; i < 14; ++i) sum = std::fma(sum, rest, kExponential[i]);
  return std::fma(std::fma(sum, rest, 1.0), rest, 1.0);
}
// Of any operand.
inline double exponential_of(double x) {
  constexpr double kMost = 1100;  // beyond, results are 0 or infinite
  double shifted;
  const double scaled =
      scaled_exponential(std::fabs(x) > kMost ? std::copysign(kMost, x) : x, shifted);
  const int exponent = static_cast<int>(low_word(shifted)), half = exponent >> 1;
  return scaled * power_of_2(half) * power_of_2(exponent - half);
}
// The same where results are normal numbers or 0.
inline double quick_exponential(double x, bool& odd) {
  double shifted;
  const double scaled = scaled_exponential(x, shifted);
  constexpr unsigned kBelowAll = 0xc0875000u, kMinusInfinity = 0xfff00000u;  // of -746 and less
  const bool none = high_word(x) - kBelowAll < kMinusInfinity - kBelowAll;
  constexpr float kNormal = std::bit_cast<float>(0x40862000u);  // of 708
  odd |= !((std::fabs(high_part(x)) < kNormal) | none);
  const double result = from_words(high_word(scaled) + (low_word(shifted) << 20), low_word(scaled));
  return none ? 0.0 : result;
}

// (ln((1 + u / 2) / (1 - u / 2)) - u) / u³ in u², for numbers between the roots of 1/2 and 2.
STRIDER_CONSTANT double kLogarithm[] = {
    0x1.0c039c49989c6p-20, 0x1.0fbe95d716020p-18, 0x1.3b1c355a8f7a2p-16, 0x1.745cf9048dd95p-14,
    0x1.c71c720159177p-12, 0x1.2492492476cccp-9,  0x1.9999999999a38p-7,  0x1.5555555555555p-4,
    0x1.62e42fefa39efp-1,  0x1.abc9e3b39803fp-56, 0x1.0000080000000p+52};

// Of positive normal numbers.
inline double quick_logarithm(double x, bool& odd) {
  const unsigned high = high_word(x);
  odd |= high - 0x00100000u >= 0x7fe00000u;
  const int exponent = static_cast<int>(high - 0x3fe6a09eu) >> 20;
  const double number = from_words(high - (static_cast<unsigned>(exponent) << 20), low_word(x));
  const double power =
      from_words(0x43300000u, static_cast<unsigned>(exponent) ^ 0x80000000u) - kLogarithm[10];
  const double less = number - 1.0, more = number + 1.0, start = start_reciprocal(more);
  double error = std::fma(-more, start, 1.0);
  error = std::fma(error, error, error);
  const double inverse = std::fma(start, error, start), half = less * inverse;
  const double u = half + half, square = u * u, left = less - u;
  const double low = inverse * std::fma(less, -u, left + left);
  double sum = kLogarithm[0];
#pragma unroll
  for (int i = 1; i < 8; ++i) sum = std::fma(sum, square, kLogarithm[i]);
  const double big = std::fma(power, kLogarithm[8], u);
  const double lost = std::fma(-power, kLogarithm[8], big) - u;
  const double small = std::fma(u, sum * square, low) - lost;
  return big + std::fma(power, kLogarithm[9], small);
}

}  // namespace strider::nd::device
