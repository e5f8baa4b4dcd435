// Helpers that math and cmath share. Private to these modules.
#pragma once

#include <cmath>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"

namespace strider::lang {

[[noreturn]] inline void raise_domain_error() { raise(errors::ValueError, "math domain error"); }
[[noreturn]] inline void raise_range_error() { raise(errors::OverflowError, "math range error"); }

// The exact int behind a value that is one or has __index__; TypeError otherwise.
inline Value to_exact_int(const Value& value) {
  if (value.is_int()) return value;
  if (is_integer(value)) return exact_int(value);
  if (auto* slot = type_of(value)->slots.to_index) return exact_int(slot(value));
  raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(value));
}

// abs(a - b) <= max(relative * max(abs(a), abs(b)), absolute), given the three magnitudes.
inline bool within_tolerance(double difference, double a, double b, double relative,
                             double absolute) {
  return difference <= std::fabs(relative * b) || difference <= std::fabs(relative * a) ||
         difference <= absolute;
}

// The rows of math's functions of integers (math_integers.cpp) and of sums (math_sums.cpp).
extern const NativeRow kIntegerMathFunctions[];
extern const std::size_t kIntegerMathFunctionCount;
extern const NativeRow kSumMathFunctions[];
extern const std::size_t kSumMathFunctionCount;

}  // namespace strider::lang
