// Quotient and root of float32 without branches. `odd` tells of operands that they are not made
// for, among them all whose result is not finite.
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

// The rounded quotient where it is `usual`.
inline float find_quotient(float x, float y, float& inverse, bool& usual) {
  const float start = start_reciprocal(y);
  inverse = std::fma(start, std::fma(-y, start, 1.0f), start);
  const float quotient = correct_quotient(x, y, inverse), size = std::fabs(quotient);
  usual = (std::fabs(x) >= kExact) & (size >= kLeastNormal) & (size <= kMost);
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
  odd |= !((x >= kExact) & (x <= kMost));
  return std::fma(std::fma(-near, near, x), start * 0.5f, near);
}

}  // namespace strider::nd::device
