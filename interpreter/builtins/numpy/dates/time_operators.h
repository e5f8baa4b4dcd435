// Operators and ufuncs of moments and lengths of time, of small arrays and single ones: what they
// give where no rule of numpy's files in npx has to be asked.
#pragma once

#include <strider/nd/ops.h>

#include "interpreter/builtins/numpy/dates/calendar.h"
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

// Gives the class of times, or of arrays of them, these operators.
void give_time_operators(Type& type);

// quicken_times(moment, span, make_dtype): these classes are those of times, which are made, shown,
// hashed and combined natively from now on; make_dtype(kind, unit) makes dtypes of arrays.
Value quicken_times(const Parameters& p);
// time_objects(counts, kind, unit, classes): counts as objects of Python's date, datetime and
// timedelta, which are the classes; None where one takes more care.
Value time_objects(const Parameters& p);
// One count as such an object; Empty where it takes more care.
Value time_object(Count count, bool moment, TimeUnit unit);
// dtype_of_time(time): the dtype of the arrays that hold it.
Value dtype_of_time(const Parameters& p);

}  // namespace strider::lang
