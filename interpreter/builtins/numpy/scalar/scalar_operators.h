// Operators of NumPy scalars, fast for a scalar with a scalar or a Python number.
#pragma once

#include "interpreter/runtime/slots.h"

namespace strider::lang {

Value binary_scalar(BinaryOperator op, const Value& self, const Value& other);
Value reflected_scalar(BinaryOperator op, const Value& self, const Value& other);
Value unary_scalar(UnaryOperator op, const Value& self);
Value compare_scalar(CompareOperator op, const Value& self, const Value& other);

}  // namespace strider::lang
