// Turns status codes into texts that say what to do.
#include "kernels/backend/cuda/device/errors.h"

#include <strider/nd/error.h>

#include <atomic>
#include <cstdint>

#include "kernels/backend/plugin.h"
#include "kernels/core/blocked_signals.h"

namespace strider::nd::cuda {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string explain_no_device(cudaError_t status) {
  if (!has_nvidia_driver()) return "no NVIDIA driver is installed (libcuda.so.1 cannot be opened)";
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

// Whether the process can do nothing more on the device.
bool is_fatal(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorDevicesUnavailable:
      return true;
    default:
      return false;
  }
}

// Whether the current device's end was reported before; it is from now on.
bool was_reported() {
  static std::atomic<std::uint64_t> reported{0};  // bits of devices
  int device = 0;
  cudaGetDevice(&device);
  std::uint64_t bit = std::uint64_t{1} << (device & 63);
  return reported.fetch_or(bit) & bit;
}

}  // namespace

void check(cudaError_t status, const char* doing) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  std::string text = cudaGetErrorString(status);
  ErrorKind kind =
      status == cudaErrorMemoryAllocation ? ErrorKind::kMemory : ErrorKind::kRuntime;
  if (!is_fatal(status)) throw Error(kind, std::string("CUDA failed while ") + doing + ": " + text);
  if (was_reported())
    throw Error(ErrorKind::kRuntime, "the GPU cannot be used since it failed earlier: " + text);
  throw Error(ErrorKind::kRuntime, "the GPU failed, and cannot be used any more by this process: " +
                                       text + " (seen while " + doing + ")");
}

int count_devices(std::string& reason) {
  BlockedSignals blocked;  // the driver, which this wakes, starts threads
  int count = 0;
  cudaError_t status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return count;
  cudaGetLastError();
  reason = explain_no_device(status);
  return 0;
}

}  // namespace strider::nd::cuda
