// The backends of the plug-in.
#pragma once

#include <string_view>

#include "kernels/backend/backend.h"

namespace strider::nd::cuda {

// The backend of a GPU that is there, made at the first call. It stays until the process ends, and
// so does `ready`, a ReadyPack's bytes.
Backend& device_backend(int number, std::string_view ready);

// A backend without a device: every kernel that a GPU would run is compiled for two architectures,
// and the CPU computes the results in host memory. STRIDER_CUDA_COMPILE_ONLY asks for it.
Backend& compiling_backend(std::string_view ready);

}  // namespace strider::nd::cuda
