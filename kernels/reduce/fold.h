// Folds an array along some of its axes into an accumulator that already holds starting values.
#pragma once

#include <strider/nd/array.h>

#include <cstdint>

#include "kernels/backend/cpu/kernels.h"

namespace strider::nd {

// Combines every element of `array` into `accumulator`, whose shape is the array's with extent 1
// along the reduced axes (bits of `reduced`) and whose type is the fold's. `where` (may be null)
// broadcasts to the array. With `by_lanes` the one reduced axis is walked innermost. Sums of
// inexact types add in NumPy's order.
void fold_into(Op op, const Array& array, std::uint64_t reduced, const Array& accumulator,
               const Array* where, bool by_lanes = false);

}  // namespace strider::nd
