// The parts of cuDNN lie beside libcudnn.so.9, which opens them when it needs them.
#include "kernels/backend/cuda/library/cudnn/cudnn.h"

#include <cuda_runtime_api.h>
#include <strider/nd/error.h>

#include "kernels/core/blocked_signals.h"

namespace strider::nd::cuda {
namespace {

constexpr const char* kFile = "libcudnn.so.9";

// Why functions that are all there cannot be used; empty where they can.
std::string unusable(const ToolkitLibrary& library, const CudnnFunctions& functions) {
  if (!functions.are_there()) return library.complaint("lacks functions");
  std::size_t runtime = functions.runtime_version() / 1000;
  if (runtime == CUDART_VERSION / 1000) return "";
  return library.complaint("is made for CUDA " + std::to_string(runtime) + ", not for " +
                           std::to_string(CUDART_VERSION / 1000));
}

}  // namespace

Cudnn::Cudnn(CudaDevice& device) : device_(device), library_(kFile), functions_(library_) {
  reason_ = library_.is_open() ? unusable(library_, functions_) : library_.reason();
  if (!reason_.empty()) return;
  BlockedSignals blocked;  // the library starts threads
  device_.activate();
  cudnnStatus_t status = functions_.create(&handle_);
  if (status != CUDNN_STATUS_SUCCESS) {
    device_.leave_room(kOwnMemory);
    status = functions_.create(&handle_);
  }
  if (status != CUDNN_STATUS_SUCCESS) {
    handle_ = nullptr;
    reason_ = library_.complaint("does not start: ") + functions_.error_text(status);
    return;
  }
  check(functions_.set_stream(handle_, device_.stream()), "starting");
}

void Cudnn::check(cudnnStatus_t status, const char* doing) const {
  if (status == CUDNN_STATUS_SUCCESS) return;
  bool memory = status == CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED ||
                status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
  throw Error(memory ? ErrorKind::kMemory : ErrorKind::kRuntime,
              std::string("cuDNN failed while ") + doing + ": " + functions_.error_text(status));
}

}  // namespace strider::nd::cuda
