// cuDNN with what is built on it.
#include "kernels/backend/cuda/library/cudnn_networks.h"

#include "kernels/backend/cuda/library/cudnn.h"
#include "kernels/backend/cuda/library/cudnn_convolution.h"
#include "kernels/backend/cuda/library/cudnn_recurrent.h"

namespace strider::nd::cuda {

struct CudnnNetworks::Parts {
  Parts(CudaDevice& device, DiskCache* choices) : cudnn(device), convolution(cudnn, choices) {}

  Cudnn cudnn;
  CudnnConvolution convolution;
  CudnnRecurrent recurrent{cudnn};
};

CudnnNetworks::CudnnNetworks(CudaDevice& device, DiskCache* choices)
    : parts_(std::make_unique<Parts>(device, choices)) {}

CudnnNetworks::~CudnnNetworks() = default;

bool CudnnNetworks::is_open() const { return parts_->cudnn.is_open(); }

const std::string& CudnnNetworks::reason() const { return parts_->cudnn.reason(); }

bool CudnnNetworks::convolve(DType dtype, const Convolution& convolution, const std::byte* x,
                             const std::byte* w, std::byte* y) {
  return parts_->convolution.forward(dtype, convolution, x, w, y);
}

bool CudnnNetworks::convolve_data_gradient(DType dtype, const Convolution& convolution,
                                           const std::byte* dy, const std::byte* w, std::byte* dx) {
  return parts_->convolution.data_gradient(dtype, convolution, dy, w, dx);
}

bool CudnnNetworks::convolve_weight_gradient(DType dtype, const Convolution& convolution,
                                             const std::byte* dy, const std::byte* x,
                                             std::byte* dw) {
  return parts_->convolution.weight_gradient(dtype, convolution, dy, x, dw);
}

std::int64_t CudnnNetworks::trace_size(DType dtype, const Recurrent& recurrent) {
  return parts_->recurrent.trace_size(dtype, recurrent);
}

bool CudnnNetworks::recur(DType dtype, const Recurrent& recurrent,
                          const RecurrentOperands& operands, const RecurrentResults& results) {
  return parts_->recurrent.run(dtype, recurrent, operands, results);
}

bool CudnnNetworks::recur_gradient(DType dtype, const Recurrent& recurrent,
                                   const RecurrentOperands& operands,
                                   const RecurrentOutcome& outcome,
                                   const RecurrentGradients& gradients) {
  return parts_->recurrent.gradient(dtype, recurrent, operands, outcome, gradients);
}

}  // namespace strider::nd::cuda
