// It comes from the device's pool.
#include "kernels/backend/cuda/workspace.h"

#include <algorithm>

#include "kernels/core/device.h"
#include "kernels/core/node.h"

namespace strider::nd::cuda {

Workspace::Workspace(Device& device, std::size_t bytes)
    : device_(device), bytes_(bytes), start_(device.allocate(std::max<std::size_t>(bytes, 1))) {
  if (!start_) throw_no_memory(bytes, &device, "what is computed in between");
}

std::optional<Workspace> Workspace::if_free(Device& device, std::size_t bytes) {
  std::byte* start = device.take(std::max<std::size_t>(bytes, 1));
  if (!start) return std::nullopt;
  return Workspace(device, bytes, start);
}

Workspace::~Workspace() {
  if (start_) device_.free(start_, std::max<std::size_t>(bytes_, 1));
}

}  // namespace strider::nd::cuda
