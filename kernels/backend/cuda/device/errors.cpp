// Turns status codes into texts that say what to do.
#include "kernels/backend/cuda/device/errors.h"

#include <dlfcn.h>
#include <strider/nd/error.h>

namespace strider::nd::cuda {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

bool has_driver() {
  void* handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (handle) dlclose(handle);
  return handle != nullptr;
}

std::string explain_no_device(cudaError_t status) {
  if (!has_driver()) return "no NVIDIA driver is installed (libcuda.so.1 cannot be opened)";
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    cudaDriverGetVersion(&driver);
    return "the NVIDIA driver supports CUDA " + version_text(driver) + ", but " +
           version_text(CUDART_VERSION) + " is needed";
  }
  if (status == cudaSuccess || status == cudaErrorNoDevice)
    return "the NVIDIA driver finds no device";
  return cudaGetErrorString(status);
}

}  // namespace

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw Error(ErrorKind::kRuntime,
              std::string("CUDA failed while ") + doing + ": " + cudaGetErrorString(status));
}

int count_devices(std::string& reason) {
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  cudaGetLastError();
  reason = explain_no_device(status);
  return 0;
}

}  // namespace strider::nd::cuda
