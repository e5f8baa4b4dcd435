// Folding promised arrays: the map and the reduction in one loop.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/ops.h>

namespace strider::nd {

// Folds a promised array along axes (bits of `reduced`) into accumulators: starting values or, with
// `from_first`, nothing yet. They lie dense in the order of the array's strides. Raises the fold's
// own conditions. False when the elements must be in memory first.
bool fold_promise(Op op, const Array& array, std::uint64_t reduced, const Array& accumulator,
                  bool from_first);

}  // namespace strider::nd
