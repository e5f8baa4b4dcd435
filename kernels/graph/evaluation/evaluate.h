// Running plans.
#pragma once

#include "kernels/graph/plan/passes.h"

namespace strider::nd {

// Runs a plan and fulfils its promises. With a target, the last loop writes its first output there
// instead; `delay` is then that of LoopMemory.
void run_plan(const Plan& plan, const Array* target, std::int64_t delay);
// Computes what is promised, wherever it then lies.
void compute(Storage& storage);
// The outermost promise above this one that somebody holds, or the last before nobody reads it.
Storage& wanted_above(Storage& storage);

}  // namespace strider::nd
