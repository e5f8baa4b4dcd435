// What ready-made kernels are doing when they fail.
#include "kernels/backend/cuda/precompiled/queue.h"

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {

void check_launch(cudaError_t status) { check(status, "arranging elements"); }

}  // namespace strider::nd::cuda
