// Lengths of time computed with numbers: products and quotients, rounded to even.
#pragma once

#include "interpreter/builtins/modules/dates/values.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"

namespace strider::lang {

// A sum of microseconds beyond any length of time is refused by make_delta all the same.
Value make_delta(const Integer& total, Type* cls = &TimeDelta::type_object());
// The floor of a quotient; ZeroDivisionError "integer division or modulo by zero".
Micros floor_quotient(Micros left, Micros right);
// The integer of so many microseconds.
Value micros_value(Micros total);
// The microseconds as a float of seconds, correctly rounded.
double seconds_of(Micros total);

// Whether a value is a float, numpy's among them.
inline bool is_real(const Value& value) {
  return value.is_float() || is_instance(value, float_type());
}
// A length times or divided by an int or float.
Value multiply_delta(const TimeDelta& delta, const Value& number);
Value divide_delta(const TimeDelta& delta, const Value& number);
Value floor_divide_delta(const TimeDelta& delta, const Value& integer);
// left / right as a float.
double quotient_of(const TimeDelta& left, const TimeDelta& right);

}  // namespace strider::lang
