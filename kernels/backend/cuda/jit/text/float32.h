// Quotient, root and logarithm of float32 without branches. `odd` tells of operands that they are
// not made for; of quotients and roots only where the result is finite, which it is not where an
// operand is not.
#pragma once

#include "kernels/backend/cuda/jit/text/machine.h"

namespace strider::nd::device {

inline constexpr float kLeastNormal = std::numeric_limits<float>::min(),
                       kMost = std::numeric_limits<float>::max();
// From here on what a quotient's or a root's product lacks of its operand is exact.
inline constexpr float kExact = 0x1p-100f;

// The quotient by a number whose rounded reciprocal is known: by Markstein's theorem one correction
// rounds it. Where x is 0, so is the quotient, of x's sign if y > 0.
inline float correct_quotient(float x, float y, float inverse) {
  const float near = x * inverse;
  return std::fma(-inverse, std::fma(y, near, -x), near);
}

// The rounded quotient where it is `usual`, or not finite.
inline float find_quotient(float x, float y, float& inverse, bool& usual) {
  const float start = start_reciprocal(y);
  inverse = std::fma(start, std::fma(-y, start, 1.0f), start);
  const float quotient = correct_quotient(x, y, inverse);
  usual = (std::fabs(x) >= kExact) & (std::fabs(quotient) >= kLeastNormal);
  return quotient;
}

// The rounded quotient.
inline float quick_divide(float x, float y, bool& odd) {
  float inverse;
  bool usual;
  const float quotient = find_quotient(x, y, inverse, usual);
  odd |= !(usual | ((x == 0) & (inverse > 0)));
  return quotient;
}
// The same of an x that is seldom 0.
inline float quick_divide_into(float x, float y, bool& odd) {
  float inverse;
  bool usual;
  const float quotient = find_quotient(x, y, inverse, usual);
  odd |= !usual;
  return quotient;
}
// The same of one number for many points, of which is_numerator() was asked once.
inline bool is_numerator(float x) { return std::fabs(x) >= kExact; }
inline float quick_divide_one(float x, float y, bool& odd) {
  float inverse;
  bool usual;
  const float quotient = find_quotient(x, y, inverse, usual);
  odd |= !(std::fabs(quotient) >= kLeastNormal);
  return quotient;
}
// The same where whoever reads the quotient finds it odd if it is no normal number.
inline float quick_divide_bare(float x, float y, bool& odd) {
  float inverse;
  bool usual;
  odd |= !(std::fabs(x) >= kExact);
  return find_quotient(x, y, inverse, usual);
}

// The rounded quotient where many numbers are divided by y: what depends on y alone is computed
// once.
inline float quick_divide_by(float x, float y, bool& odd) {
  const float divisor = std::fabs(y);
  odd |= !((divisor >= kLeastNormal) & (divisor <= 0x1p125f));
  const float least = divisor > 0x1p25f ? divisor * 0x1p-125f : kExact;
  const float most = divisor < 2 ? divisor * 0x1p126f : kMost;
  // By twice its bits without a sign, 0 is the largest of all, and usual where y > 0.
  const unsigned bias = y > 0 ? ~0u : 0;
  const unsigned size = 2 * std::bit_cast<unsigned>(x) + bias;
  odd |= !((size >= 2 * std::bit_cast<unsigned>(least) + bias) & (std::fabs(x) <= most));
  return correct_quotient(x, y, 1 / y);
}

// The rounded root.
inline float quick_root(float x, bool& odd) {
  const float start = start_root(x), near = x * start;
  odd |= !(x >= kExact);
  return std::fma(std::fma(-near, near, x), start * 0.5f, near);
}

// (ln(1 + r) - r + r² / 2) / r³ for |r| <= 1/3, and ln 2 / 2²³.
inline constexpr float kLogarithmSeries[] = {
    0x1.1b09d8p-3f, -0x1.35b3c6p-3f, 0x1.1f9624p-3f, -0x1.515a6ep-3f,
    0x1.99c31ep-3f, -0x1.000b1cp-2f, 0x1.555528p-2f, -0.5f};
inline constexpr float kLogarithmOfBit = 0x1.62e43p-24f;

// The logarithm to 1.3 ULP, of positive normal numbers.
inline float find_logarithm(float x) {
  const unsigned bits = std::bit_cast<unsigned>(x);
  // What brings it between 2/3 and 4/3 is a power of 2, whose exponent begins at bit 23.
  const unsigned power = (bits - 0x3f2aaaabu) & 0xff800000u;
  const float rest = std::bit_cast<float>(bits - power) - 1;
  float sum = kLogarithmSeries[0];
#pragma unroll
  for (int i = 1; i < 8; ++i) sum = std::fma(sum, rest, kLogarithmSeries[i]);
  const float near = std::fma(sum * rest, rest, rest);
  return std::fma(static_cast<float>(static_cast<int>(power)), kLogarithmOfBit, near);
}
inline float quick_logarithm(float x, bool& odd) {
  odd |= !((x >= kLeastNormal) & (x <= kMost));
  return find_logarithm(x);
}

}  // namespace strider::nd::device
