// What the CUDA runtime says went wrong, as errors of the library.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace strider::nd::cuda {

// Throws Error(kRuntime) unless `status` says success; `doing` ("copying to cuda:0") is part of the
// text. A failure that ends with this call is forgotten by the runtime.
void check(cudaError_t status, const char* doing);

// How many devices there are. If none, `reason` says whether the driver or the device is missing.
int count_devices(std::string& reason);

}  // namespace strider::nd::cuda
