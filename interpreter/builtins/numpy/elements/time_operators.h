// Operators and ufuncs of moments and lengths of time, of small arrays and single ones: what they
// give where no rule of numpy's files in npx has to be asked.
#pragma once

#include <strider/nd/ops.h>

#include "interpreter/builtins/numpy/elements/boxed_classes.h"

namespace strider::lang {

// Whether an operand is a time or an array of times.
inline bool counts_time(const Value& value) {
  return is_time_array(value) || is_time_scalar(value);
}

// What a ufunc gives for two operands, or one; Empty where npx has to see to it: other units and
// operands, conditions to warn of, errors, large arrays.
Value combine_times(nd::Op op, const Value& first, const Value& second);
Value change_times(nd::Op op, const Value& operand);

// Gives the classes of times these operators.
void quicken_time_operators();

}  // namespace strider::lang
