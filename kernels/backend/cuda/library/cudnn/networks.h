// Opens what cuDNN does for neural networks. Known without cuDNN's headers: where the plug-in is
// built without them, it never opens.
#pragma once

#include <memory>
#include <string>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

class DiskCache;

struct OpenedCudnn {
  std::unique_ptr<Networks> networks;  // null: not open
  std::string reason;                  // why not
};

// Convolutions and LSTMs; the rest is refused. Results of a convolution get no b. `choices` keeps
// which algorithms were fastest; null: nothing does.
OpenedCudnn open_cudnn(CudaDevice& device, DiskCache* choices);

}  // namespace strider::nd::cuda
