// CudaNetworks: what a GPU does for neural networks. Convolutions and LSTMs are cuDNN's, opened
// when it is first needed; where it cannot be, the host computes them and the log says why. Pooling
// and response normalisation have kernels of their own, which know which of equal maxima comes
// first, and so have steps of optimisers.
#pragma once

#include <memory>
#include <mutex>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

class DiskCache;

class CudaNetworks : public Networks {
 public:
  // `choices` keeps which of cuDNN's algorithms were fastest; null: nothing does.
  explicit CudaNetworks(CudaDevice& device, DiskCache* choices = nullptr);
  ~CudaNetworks() override;

  bool convolve(DType dtype, const Convolution& convolution, const std::byte* x, const std::byte* w,
                const std::byte* b, std::byte* y) override;
  bool convolve_data_gradient(DType dtype, const Convolution& convolution, const std::byte* dy,
                              const std::byte* w, std::byte* dx) override;
  bool convolve_weight_gradient(DType dtype, const Convolution& convolution, const std::byte* dy,
                                const std::byte* x, std::byte* dw) override;
  bool pool(DType dtype, const Pooling& pooling, const std::byte* x, std::byte* y) override;
  bool pool_gradient(DType dtype, const Pooling& pooling, const std::byte* dy, const std::byte* x,
                     const std::byte* y, std::byte* dx) override;
  bool normalize_response(DType dtype, const ResponseNorm& norm, const std::byte* x,
                          std::byte* y) override;
  bool normalize_response_gradient(DType dtype, const ResponseNorm& norm, const std::byte* dy,
                                   const std::byte* x, const std::byte* y, std::byte* dx) override;
  std::int64_t trace_size(DType dtype, const Recurrent& recurrent) override;
  bool recur(DType dtype, const Recurrent& recurrent, const RecurrentOperands& operands,
             const RecurrentResults& results) override;
  bool recur_gradient(DType dtype, const Recurrent& recurrent, const RecurrentOperands& operands,
                      const RecurrentOutcome& outcome,
                      const RecurrentGradients& gradients) override;
  bool step_adam(DType dtype, const AdamStep& step, std::span<const AdamElements> parts) override;

 private:
  // cuDNN, opened at the first call; where it cannot be, what refuses everything, and the log has
  // said why.
  Networks& cudnn();

  CudaDevice& device_;
  DiskCache* choices_;
  std::mutex lock_;  // cuDNN does one thing at a time
  std::unique_ptr<Networks> cudnn_;
};

}  // namespace strider::nd::cuda
