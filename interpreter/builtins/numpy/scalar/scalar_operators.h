// Operators of NumPy scalars, fast for a scalar with a scalar or a Python number.
#pragma once

#include <strider/nd/scalar.h>

#include "interpreter/runtime/type/slots.h"

namespace strider::lang {

// The scalar that a NumPy scalar or a Python number is beside one of `dtype`; false for other
// values and for integers that do not fit (the general path has the error).
bool get_partner(const Value& value, nd::DType dtype, nd::Scalar& result);

// Whether a scalar does not take an operator with that: products of matrices, and quotients of
// complex numbers rounded to whole ones.
bool refuses(BinaryOperator op, const Value& self, const Value& other);
Value binary_scalar(BinaryOperator op, const Value& self, const Value& other);
Value reflected_scalar(BinaryOperator op, const Value& self, const Value& other);
Value unary_scalar(UnaryOperator op, const Value& self);
Value compare_scalar(CompareOperator op, const Value& self, const Value& other);

}  // namespace strider::lang
