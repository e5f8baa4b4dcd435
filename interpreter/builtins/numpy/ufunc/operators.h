// Operators: the language's operator signs as operations of the array library, on arrays and
// scalars in any mix.
#pragma once

#include <strider/nd/ops.h>

#include <optional>

#include "interpreter/runtime/type/slots.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// The elementwise operation of a sign; none for `@`.
std::optional<nd::Op> elementwise_op(BinaryOperator op);
nd::Op elementwise_op(CompareOperator op);

// left OP right where at least one is an array or a NumPy scalar; Empty when the other operand is
// to decide (its class refuses arrays, or is nothing that an array can hold).
Value binary_arrays(BinaryOperator op, const Value& left, const Value& right);
Value compare_arrays(CompareOperator op, const Value& left, const Value& right);
Value unary_array(UnaryOperator op, const Value& operand);
// array OP= right.
Value inplace_array(BinaryOperator op, const Value& self, const Value& right);
// True when `other` wants to handle operators with arrays itself: __array_ufunc__ is None, or a
// higher __array_priority__ without __array_ufunc__.
bool defers_to(const Value& other);

}  // namespace strider::lang
