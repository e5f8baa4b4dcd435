// Steps of Adam on a GPU. All addresses are the device's. Everything is queued.
#pragma once

#include "kernels/backend/cuda/precompiled/queue.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

// As the contract of networks says; a launch for every few dozen parts.
void move_by_adam(const Queue& queue, DType dtype, const AdamStep& step,
                  std::span<const AdamElements> parts);

}  // namespace strider::nd::cuda
