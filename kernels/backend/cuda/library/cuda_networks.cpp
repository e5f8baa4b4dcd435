// Hands each piece of work to cuDNN or to a kernel.
#include "kernels/backend/cuda/library/cuda_networks.h"

#include <climits>

#include "kernels/backend/cuda/library/cudnn/networks.h"
#include "kernels/backend/cuda/library/opening.h"
#include "kernels/backend/cuda/precompiled/adam.h"
#include "kernels/backend/cuda/precompiled/planes.h"

namespace strider::nd::cuda {
namespace {

Queue queue_of(CudaDevice& device) { return {device, device.stream()}; }

// Whether the kernels can count what is in a plane, and in it with its edges.
bool is_countable(const Pooling& pooling) {
  auto whole = [](const WindowAxis& axis) {
    return axis.before + axis.extent + axis.after + axis.size;
  };
  return whole(pooling.rows) <= INT_MAX / whole(pooling.columns);
}

}  // namespace

CudaNetworks::CudaNetworks(CudaDevice& device, DiskCache* choices)
    : device_(device), choices_(choices) {}

CudaNetworks::~CudaNetworks() = default;

Networks& CudaNetworks::cudnn() {
  if (!cudnn_) {
    OpenedCudnn opened = open_cudnn(device_, choices_);
    if (!opened.networks) say_host_computes(opened.reason);
    cudnn_ = opened.networks ? std::move(opened.networks) : std::make_unique<Networks>();
  }
  return *cudnn_;
}

bool CudaNetworks::convolve(DType dtype, const Convolution& convolution, const std::byte* x,
                            const std::byte* w, const std::byte* b, std::byte* y) {
  std::lock_guard<std::mutex> guard(lock_);
  if (!cudnn().convolve(dtype, convolution, x, w, nullptr, y)) return false;
  if (b) {
    add_to_planes(queue_of(device_), dtype, y, b, convolution.batch, convolution.filters,
                  convolution.rows.places() * convolution.columns.places());
  }
  return true;
}

bool CudaNetworks::convolve_data_gradient(DType dtype, const Convolution& convolution,
                                          const std::byte* dy, const std::byte* w, std::byte* dx) {
  std::lock_guard<std::mutex> guard(lock_);
  return cudnn().convolve_data_gradient(dtype, convolution, dy, w, dx);
}

bool CudaNetworks::convolve_weight_gradient(DType dtype, const Convolution& convolution,
                                            const std::byte* dy, const std::byte* x,
                                            std::byte* dw) {
  std::lock_guard<std::mutex> guard(lock_);
  return cudnn().convolve_weight_gradient(dtype, convolution, dy, x, dw);
}

bool CudaNetworks::pool(DType dtype, const Pooling& pooling, const std::byte* x, std::byte* y) {
  if (!is_countable(pooling)) return false;
  pool_planes(queue_of(device_), dtype, pooling, x, y);
  return true;
}

bool CudaNetworks::pool_gradient(DType dtype, const Pooling& pooling, const std::byte* dy,
                                 const std::byte* x, const std::byte*, std::byte* dx) {
  if (!is_countable(pooling)) return false;
  pool_planes_gradient(queue_of(device_), dtype, pooling, dy, x, dx);
  return true;
}

bool CudaNetworks::normalize_response(DType dtype, const ResponseNorm& norm, const std::byte* x,
                                      std::byte* y) {
  cuda::normalize_response(queue_of(device_), dtype, norm, x, y);
  return true;
}

bool CudaNetworks::normalize_response_gradient(DType dtype, const ResponseNorm& norm,
                                               const std::byte* dy, const std::byte* x,
                                               const std::byte* y, std::byte* dx) {
  cuda::normalize_response_gradient(queue_of(device_), dtype, norm, dy, x, y, dx);
  return true;
}

std::int64_t CudaNetworks::trace_size(DType dtype, const Recurrent& recurrent) {
  std::lock_guard<std::mutex> guard(lock_);
  return cudnn().trace_size(dtype, recurrent);
}

bool CudaNetworks::recur(DType dtype, const Recurrent& recurrent, const RecurrentOperands& operands,
                         const RecurrentResults& results) {
  std::lock_guard<std::mutex> guard(lock_);
  return cudnn().recur(dtype, recurrent, operands, results);
}

bool CudaNetworks::recur_gradient(DType dtype, const Recurrent& recurrent,
                                  const RecurrentOperands& operands,
                                  const RecurrentOutcome& outcome,
                                  const RecurrentGradients& gradients) {
  std::lock_guard<std::mutex> guard(lock_);
  return cudnn().recur_gradient(dtype, recurrent, operands, outcome, gradients);
}

bool CudaNetworks::step_adam(DType dtype, const AdamStep& step,
                             std::span<const AdamElements> parts) {
  move_by_adam(queue_of(device_), dtype, step, parts);
  return true;
}

}  // namespace strider::nd::cuda
