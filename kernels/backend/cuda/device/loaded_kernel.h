// Machine code that was loaded into a device.
#pragma once

#include <memory>
#include <string>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/jit/kernel_cache.h"

namespace strider::nd::cuda {

// The entry points of `machine_code`, to be launched on the device. When it goes, it waits for what
// was queued.
std::shared_ptr<Kernel> load_kernel(CudaDevice& device, const std::string& machine_code);

}  // namespace strider::nd::cuda
