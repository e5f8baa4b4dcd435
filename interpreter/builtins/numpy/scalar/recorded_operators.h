// Operators of NumPy scalars that a device has still to compute: recorded as operators of 0-d
// arrays, with the types and warnings that scalars have.
#pragma once

#include <strider/nd/ops.h>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Of numbers of which at least one is a pending scalar. Empty where that is not to be recorded:
// other operands, results that may be other than those of arrays, recording is off.
Value record_binary(nd::Op op, const Value& left, const Value& right);
Value record_unary(nd::Op op, const Value& operand);

}  // namespace strider::lang
