// Where there are no headers of cuDNN to build with.
#include "kernels/backend/cuda/library/cudnn_networks.h"

namespace strider::nd::cuda {

struct CudnnNetworks::Parts {
  std::string reason = "the plug-in was built without the headers of cuDNN 9";
};

CudnnNetworks::CudnnNetworks(CudaDevice&, DiskCache*) : parts_(std::make_unique<Parts>()) {}

CudnnNetworks::~CudnnNetworks() = default;

bool CudnnNetworks::is_open() const { return false; }

const std::string& CudnnNetworks::reason() const { return parts_->reason; }

bool CudnnNetworks::convolve(DType, const Convolution&, const std::byte*, const std::byte*,
                             std::byte*) {
  return false;
}

bool CudnnNetworks::convolve_data_gradient(DType, const Convolution&, const std::byte*,
                                           const std::byte*, std::byte*) {
  return false;
}

bool CudnnNetworks::convolve_weight_gradient(DType, const Convolution&, const std::byte*,
                                             const std::byte*, std::byte*) {
  return false;
}

std::int64_t CudnnNetworks::trace_size(DType, const Recurrent&) { return -1; }

bool CudnnNetworks::recur(DType, const Recurrent&, const RecurrentOperands&,
                          const RecurrentResults&) {
  return false;
}

bool CudnnNetworks::recur_gradient(DType, const Recurrent&, const RecurrentOperands&,
                                   const RecurrentOutcome&, const RecurrentGradients&) {
  return false;
}

}  // namespace strider::nd::cuda
