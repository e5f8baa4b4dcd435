// The floating-point conditions of elementary functions, as they follow from arguments and results.
#pragma once

#include <strider/nd/floating_errors.h>
#include <strider/nd/ops.h>

#include "kernels/instructions/basic.h"

namespace strider::nd::STRIDER_TARGET {

constexpr bool is_power(Op op) { return op == Op::kPower || op == Op::kFloatPower; }
constexpr bool has_pole(Op op) {
  return op == Op::kLog || op == Op::kLog2 || op == Op::kLog10 || op == Op::kLog1p ||
         op == Op::kArctanh;
}
constexpr bool may_underflow(Op op) { return op == Op::kExp || op == Op::kExp2 || is_power(op); }

// Whether numbers are compared that may be NaN, which is an invalid operation.
constexpr bool compares(Op op) { return op == Op::kLogaddexp || op == Op::kLogaddexp2; }

// The conditions that made this result.
template <Op kOp, class T>
inline std::uint8_t classify(T x, T y, T result) {
  if (is_nan(result)) {
    bool handed_on = !compares(kOp) && (is_nan(x) | is_nan(y));
    return handed_on ? 0 : FloatingErrors::kInvalid;
  }
  if (!is_finite(x) | !is_finite(y)) return 0;
  if (is_infinite(result)) {
    bool pole = has_pole(kOp) || (is_power(kOp) && x == 0);
    return pole ? FloatingErrors::kDivide : FloatingErrors::kOverflow;
  }
  bool vanished = std::fabs(result) < std::numeric_limits<T>::min() && !(is_power(kOp) && x == 0);
  return may_underflow(kOp) && vanished ? FloatingErrors::kUnderflow : 0;
}

}  // namespace strider::nd::STRIDER_TARGET
