// What the CUDA runtime says went wrong, as errors of the library.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace strider::nd::cuda {

// Throws Error(kRuntime), or kMemory, unless `status` says success; `doing` ("copying to the
// device") is part of the text. What a kernel did wrong comes up in some later call and leaves the
// device useless to this process: that is said the first time, and referred to from then on. Other
// failures are forgotten.
void check(cudaError_t status, const char* doing);

// How many devices there are. If none, `reason` says whether the driver or the device is missing.
int count_devices(std::string& reason);

}  // namespace strider::nd::cuda
