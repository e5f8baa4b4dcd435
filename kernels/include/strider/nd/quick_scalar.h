// The everyday operations of single elements, in a few instructions each.
#pragma once

#include <strider/nd/ops.h>
#include <strider/nd/scalar.h>

namespace strider::nd {

// The operation of two elements of which one type takes the other, or of one element. False where
// it is another operation or where its result may have to be told of (overflows, quotients by zero,
// results that are not normal numbers): what the loops compute.
bool apply_quickly(Op op, const Scalar& a, const Scalar& b, Scalar& out);
bool apply_quickly(Op op, const Scalar& a, Scalar& out);

}  // namespace strider::nd
