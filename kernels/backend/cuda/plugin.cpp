// The plug-in's one entry.
#include "kernels/backend/plugin.h"

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {
namespace {

Backend* open(int number, std::string& reason) {
  int count = count_devices(reason);
  if (number < count) return &cpu_backend();
  if (count > 0) reason = "devices are counted from 0, and there " +
                          (count == 1 ? "is 1" : "are " + std::to_string(count));
  return nullptr;
}

}  // namespace
}  // namespace strider::nd::cuda

extern "C" __attribute__((visibility("default"))) const strider::nd::Plugin* strider_plugin() {
  using namespace strider::nd;
  static const Plugin plugin{kPluginContract, STRIDER_VERSION, cuda::open};
  return &plugin;
}
