// The ready-made kernels of one device, loaded when they are first asked for.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/jit/kernel_cache.h"
#include "kernels/backend/cuda/ready/pack.h"

namespace strider::nd::cuda {

class DeviceReadyKernels : public ReadyKernels {
 public:
  // `packed` stays.
  DeviceReadyKernels(CudaDevice& device, std::string_view packed)
      : device_(device), pack_(packed) {}

  std::shared_ptr<Kernel> find(const std::string& key) override;

 private:
  CudaDevice& device_;
  std::once_flag opened_;
  ReadyPack pack_;
  std::mutex lock_;  // guards what follows
  std::vector<std::shared_ptr<Kernel>> modules_;
};

}  // namespace strider::nd::cuda
