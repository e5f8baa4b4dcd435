// Arithmetic on the immediate numbers, inline in the nodes; everything else goes to the protocols.
#pragma once

#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"

namespace strider::lang {

// Whether an operand counts as a small int: bools do in arithmetic, but & | ^ of two stay bools.
template <BinaryOperator kOp>
inline bool counts_as_int(const Value& value) {
  using Op = BinaryOperator;
  constexpr bool kBitwise = kOp == Op::kBitAnd || kOp == Op::kBitOr || kOp == Op::kBitXor;
  return value.is_int() || (!kBitwise && value.is_bool());
}

// True and `result` set when both are small ints or floats and the operation needs no further
// thought.
template <BinaryOperator kOp>
[[gnu::always_inline]] inline bool fast_binary(const Value& a, const Value& b, Value& result) {
  using Op = BinaryOperator;
  if (counts_as_int<kOp>(a) && counts_as_int<kOp>(b)) {
    std::int64_t x = a.as_int(), y = b.as_int(), r = 0;
    if constexpr (kOp == Op::kAdd) {
      if (__builtin_add_overflow(x, y, &r)) return false;
    } else if constexpr (kOp == Op::kSub) {
      if (__builtin_sub_overflow(x, y, &r)) return false;
    } else if constexpr (kOp == Op::kMult) {
      if (__builtin_mul_overflow(x, y, &r)) return false;
    } else if constexpr (kOp == Op::kBitAnd) {
      r = x & y;
    } else if constexpr (kOp == Op::kBitOr) {
      r = x | y;
    } else if constexpr (kOp == Op::kBitXor) {
      r = x ^ y;
    } else if constexpr (kOp == Op::kFloorDiv || kOp == Op::kMod) {
      if (y <= 0) return false;  // rare: zero, and the overflow of INT64_MIN // -1
      std::int64_t quotient = x / y, rest = x % y;
      if (rest < 0) {
        rest += y;
        --quotient;
      }
      r = kOp == Op::kMod ? rest : quotient;
    } else if constexpr (kOp == Op::kRShift) {
      if (y < 0 || y > 63) return false;
      r = x >> y;
    } else {
      return false;
    }
    result = Value::integer(r);
    return true;
  }
  double x, y;
  if (a.is_float()) {
    x = a.as_float();
    if (b.is_float())
      y = b.as_float();
    else if (b.is_int())
      y = static_cast<double>(b.as_int());
    else
      return false;
  } else if (a.is_int() && b.is_float()) {
    x = static_cast<double>(a.as_int());
    y = b.as_float();
  } else {
    return false;
  }
  if constexpr (kOp == Op::kAdd)
    result = Value::real(x + y);
  else if constexpr (kOp == Op::kSub)
    result = Value::real(x - y);
  else if constexpr (kOp == Op::kMult)
    result = Value::real(x * y);
  else if constexpr (kOp == Op::kDiv) {
    if (y == 0) return false;
    result = Value::real(x / y);
  } else {
    return false;
  }
  return true;
}

}  // namespace strider::lang
