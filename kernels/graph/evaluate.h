// Running a plan for results that go into an array.
#pragma once

#include "kernels/graph/passes.h"

namespace strider::nd {

// Runs a plan whose last loop writes its first output to `target` instead of fulfilling the
// promise. `delay` is that of LoopMemory.
void run_into(const Plan& plan, std::byte* target, std::int64_t delay);

}  // namespace strider::nd
