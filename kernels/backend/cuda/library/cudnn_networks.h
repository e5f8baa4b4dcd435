// What cuDNN does for neural networks. Known without cuDNN's headers: where the plug-in is built
// without them, this never opens.
#pragma once

#include <memory>
#include <string>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

class DiskCache;

class CudnnNetworks {
 public:
  // Check is_open() before anything else.
  // `choices` keeps which algorithms were fastest; null: nothing does.
  CudnnNetworks(CudaDevice& device, DiskCache* choices);
  ~CudnnNetworks();

  bool is_open() const;
  // Why it is not open.
  const std::string& reason() const;

  // As the contract's; results of a convolution get no b.
  bool convolve(DType dtype, const Convolution& convolution, const std::byte* x, const std::byte* w,
                std::byte* y);
  bool convolve_data_gradient(DType dtype, const Convolution& convolution, const std::byte* dy,
                              const std::byte* w, std::byte* dx);
  bool convolve_weight_gradient(DType dtype, const Convolution& convolution, const std::byte* dy,
                                const std::byte* x, std::byte* dw);
  std::int64_t trace_size(DType dtype, const Recurrent& recurrent);
  bool recur(DType dtype, const Recurrent& recurrent, const RecurrentOperands& operands,
             const RecurrentResults& results);
  bool recur_gradient(DType dtype, const Recurrent& recurrent, const RecurrentOperands& operands,
                      const RecurrentOutcome& outcome, const RecurrentGradients& gradients);

 private:
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace strider::nd::cuda
