// Where ready-made kernels run.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/backend/cuda/workspace.h"

namespace strider::nd::cuda {

// A device and its stream; the device is the calling thread's.
struct Queue {
  Device& device;
  cudaStream_t stream;
};

// Throws unless a launch went well.
void check_launch(cudaError_t status);

}  // namespace strider::nd::cuda
