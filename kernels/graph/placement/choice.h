// Choice: whether the host or a device computes what nobody has placed ("auto"). Costs are
// estimated from what a plan moves and from speeds that are measured once.
#pragma once

#include "kernels/backend/backend.h"
#include "kernels/graph/placement/cost.h"

namespace strider::nd {

// The backend that will have computed it first, copies included; the host until a device has shown
// that it would pay, and is ready.
Backend& choose_backend(const PlanCost& cost);
// Whether there may be a device to choose.
bool may_choose_device();
// The device that the choice may fall on; null as long as none is open.
Backend* chosen_device();
// Waits for the thread that opens the device, if it is at work.
void finish_opening();
// A plan of this cost has taken the host so many seconds.
void learn_host_speed(const PlanCost& cost, double seconds);

}  // namespace strider::nd
