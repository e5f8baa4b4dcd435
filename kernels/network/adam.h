// One array's step of Adam in host memory.
#pragma once

#include "kernels/backend/networks.h"

namespace strider::nd {

template <class T>
void move_by_adam(const AdamStep& step, const AdamElements& part);

}  // namespace strider::nd
