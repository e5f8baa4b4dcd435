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
// Whether it says success; else the error is forgotten, by who can do without what failed.
inline bool went_well(cudaError_t status) {
  if (status == cudaSuccess) return true;
  cudaGetLastError();
  return false;
}

// How many devices there are. If none, `reason` says whether the driver or the device is missing.
int count_devices(std::string& reason);

}  // namespace strider::nd::cuda
