// Arguments lie one behind the other, so that a list that is filled again takes no memory.
#include "kernels/backend/cuda/device/launch_list.h"

#include <algorithm>

namespace strider::nd::cuda {
namespace {

constexpr std::size_t kAligned = alignof(std::max_align_t);

bool same(const dim3& a, const dim3& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

}  // namespace

bool Launch::operator==(const Launch& other) const {
  return kernel == other.kernel && graph == other.graph && same(grid, other.grid) &&
         same(block, other.block) && shared_bytes == other.shared_bytes &&
         argument_bytes == other.argument_bytes;
}

cudaError_t Launch::queue(const std::byte* arguments, cudaStream_t stream) const {
  if (graph) return graph->queue(stream);
  void* parameters[] = {const_cast<std::byte*>(arguments)};
  return cudaLaunchKernel(kernel, grid, block, parameters, shared_bytes, stream);
}

void LaunchList::add(const Launch& launch, std::span<const std::byte> arguments) {
  std::size_t place = (arguments_.size() + kAligned - 1) / kAligned * kAligned;
  arguments_.resize(place);
  arguments_.insert(arguments_.end(), arguments.begin(), arguments.end());
  launches_.push_back(launch);
  places_.push_back(place);
}

void LaunchList::note(const Launch& launch) {
  launches_.push_back(launch);
  places_.push_back(0);
}

void LaunchList::clear() {
  launches_.clear();
  places_.clear();
  arguments_.clear();
}

cudaError_t LaunchList::queue(cudaStream_t stream) const {
  for (std::size_t i = 0; i < size(); ++i) {
    cudaError_t status = launches_[i].queue(arguments(i).data(), stream);
    if (status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

void LaunchList::set_arguments(std::size_t i, std::span<const std::byte> arguments) {
  std::copy(arguments.begin(), arguments.end(),
            arguments_.begin() + static_cast<std::ptrdiff_t>(places_[i]));
}

bool LaunchList::begins_like(const LaunchList& other) const {
  return other.size() <= size() &&
         std::equal(other.launches_.begin(), other.launches_.end(), launches_.begin());
}

}  // namespace strider::nd::cuda
