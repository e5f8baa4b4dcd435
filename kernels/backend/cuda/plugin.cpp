// The plug-in's one entry.
#include "kernels/backend/plugin.h"

#include <cstdlib>
#include <cstring>

#include "kernels/backend/cuda/backend.h"
#include "kernels/backend/cuda/device/errors.h"
#include "kernels/backend/cuda/emulator/backend.h"
#include "kernels/backend/cuda/jit/nvrtc.h"
#include "kernels/backend/cuda/ready/packed.h"

namespace strider::nd::cuda {
namespace {

bool compiles_only() {
  const char* text = std::getenv("STRIDER_CUDA_COMPILE_ONLY");
  return text && *text && std::strcmp(text, "0") != 0;
}

bool emulates() {
  const char* asked = std::getenv("STRIDER_RENDERER");
  return asked && std::strcmp(asked, "emulator") == 0;
}

Backend* open_compiling(int number, std::string& reason) {
  if (number == 0) return has_nvrtc(&reason) ? &compiling_backend(packed_kernels()) : nullptr;
  reason = "where kernels are only compiled there is one device";
  return nullptr;
}

Backend* open(int number, std::string& reason) {
  if (emulates()) return emulating_backend(number, reason);
  if (compiles_only()) return open_compiling(number, reason);
  int count = count_devices(reason);
  if (number < count)
    return has_nvrtc(&reason) ? &device_backend(number, packed_kernels()) : nullptr;
  if (count > 0) {
    reason = "devices are counted from 0, and there " +
             (count == 1 ? std::string("is 1") : "are " + std::to_string(count));
  }
  return nullptr;
}

}  // namespace
}  // namespace strider::nd::cuda

extern "C" __attribute__((visibility("default"))) const strider::nd::Plugin* strider_plugin() {
  using namespace strider::nd;
  static const Plugin plugin{kPluginContract, STRIDER_VERSION, cuda::open};
  return &plugin;
}
