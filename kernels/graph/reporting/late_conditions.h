// Floating-point conditions that a device tells only once it has been waited for.
#pragma once

#include "kernels/graph/plan/plan.h"

namespace strider::nd {

class Device;

// Remembers whom a loop's conditions concern. `words` are a BoundLoop's late conditions.
void expect_conditions(Device& device, const PlannedLoop& planned, std::uint32_t* words);

// Tells what operations met on a device that has been waited for.
void tell_what_was_met(Device& device);

}  // namespace strider::nd
