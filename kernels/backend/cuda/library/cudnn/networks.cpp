// The contract of a backend's networks over cuDNN.
#include "kernels/backend/cuda/library/cudnn/networks.h"

#include "kernels/backend/cuda/library/cudnn/convolution.h"
#include "kernels/backend/cuda/library/cudnn/cudnn.h"
#include "kernels/backend/cuda/library/cudnn/recurrent.h"

namespace strider::nd::cuda {
namespace {

class CudnnNetworks : public Networks {
 public:
  CudnnNetworks(CudaDevice& device, DiskCache* choices)
      : cudnn_(device), convolution_(cudnn_, choices), recurrent_(cudnn_) {}

  const Cudnn& cudnn() const { return cudnn_; }

  bool convolve(DType dtype, const Convolution& shape, const std::byte* x, const std::byte* w,
                const std::byte* /*b*/, std::byte* y) override {
    return convolution_.run(ConvolutionWork::kForward, dtype, shape, {x, w, nullptr, y});
  }
  bool convolve_data_gradient(DType dtype, const Convolution& shape, const std::byte* dy,
                              const std::byte* w, std::byte* dx) override {
    return convolution_.run(ConvolutionWork::kData, dtype, shape, {nullptr, w, dy, dx});
  }
  bool convolve_weight_gradient(DType dtype, const Convolution& shape, const std::byte* dy,
                                const std::byte* x, std::byte* dw) override {
    return convolution_.run(ConvolutionWork::kWeights, dtype, shape, {x, nullptr, dy, dw});
  }

  std::int64_t trace_size(DType dtype, const Recurrent& shape) override {
    return recurrent_.trace_size(dtype, shape);
  }
  bool recur(DType dtype, const Recurrent& shape, const RecurrentOperands& operands,
             const RecurrentResults& results) override {
    return recurrent_.run(dtype, shape, operands, results);
  }
  bool recur_gradient(DType dtype, const Recurrent& shape, const RecurrentOperands& operands,
                      const RecurrentOutcome& outcome,
                      const RecurrentGradients& gradients) override {
    return recurrent_.gradient(dtype, shape, operands, outcome, gradients);
  }

 private:
  Cudnn cudnn_;
  CudnnConvolution convolution_;
  CudnnRecurrent recurrent_;
};

}  // namespace

OpenedCudnn open_cudnn(CudaDevice& device, DiskCache* choices) {
  auto networks = std::make_unique<CudnnNetworks>(device, choices);
  if (!networks->cudnn().is_open()) return {nullptr, networks->cudnn().reason()};
  return {std::move(networks), {}};
}

}  // namespace strider::nd::cuda
