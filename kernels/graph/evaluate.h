// Running plans other than for their promise alone: folds, and results that go into an array.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/ops.h>

#include "kernels/graph/plan.h"

namespace strider::nd {

// Folds a promised array along axes (bits of `reduced`) into accumulators: starting values or, with
// `from_first`, nothing yet. They lie dense in the order of the array's strides. Raises the fold's
// own conditions. False when the elements must be in memory first.
bool fold_promise(Op op, const Array& array, std::uint64_t reduced, const Array& accumulator,
                  bool from_first);

// Runs a plan whose last loop writes its first output to `target` instead of fulfilling the
// promise. `delay` is that of LoopMemory.
void run_into(Plan& plan, std::byte* target, std::int64_t delay);

}  // namespace strider::nd
