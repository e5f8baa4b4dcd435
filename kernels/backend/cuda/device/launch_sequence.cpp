// A sequence ends where something else comes between, so that it may have several parts.
#include "kernels/backend/cuda/device/launch_sequence.h"

#include <cstdlib>
#include <cstring>
#include <utility>

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {
namespace {

// A graph's launch takes the host about as long as so many launches.
constexpr std::size_t kWorthAGraph = 5;
// Longer sequences go in parts, so that the device does not wait for the host.
constexpr std::size_t kLongest = 64;

bool are_graphs_wanted() {
  const char* text = std::getenv("STRIDER_CUDA_GRAPHS");
  return !text || std::strcmp(text, "0") != 0;
}

}  // namespace

LaunchSequence::LaunchSequence() : wanted_(are_graphs_wanted()) {}

void LaunchSequence::begin() {
  if (!wanted_) return;
  std::lock_guard<std::mutex> guard(lock_);
  ++sequences_;
}

void LaunchSequence::end(cudaStream_t stream) {
  if (!wanted_) return;
  std::lock_guard<std::mutex> guard(lock_);
  if (--sequences_ == 0) flush_locked(stream);
}

cudaError_t LaunchSequence::add(const Launch& launch, std::span<const std::byte> arguments,
                                cudaStream_t stream) {
  if (!wanted_) return launch.queue(arguments.data(), stream);
  std::lock_guard<std::mutex> guard(lock_);
  if (sequences_ == 0) return launch.queue(arguments.data(), stream);
  cudaError_t status = cudaSuccess;
  if (holds_) {
    launches_.add(launch, arguments);
    holds_ = graphs_.is_beginning(launches_);
    if (!holds_) status = launches_.queue(stream);
  } else {
    launches_.note(launch);
    status = launch.queue(arguments.data(), stream);
  }
  if (launches_.size() == kLongest) flush_locked(stream);
  return status;
}

void LaunchSequence::flush(cudaStream_t stream) {
  if (!wanted_) return;
  std::lock_guard<std::mutex> guard(lock_);
  flush_locked(stream);
}

void LaunchSequence::let_go(cudaStream_t stream) {
  if (!wanted_) return;
  std::lock_guard<std::mutex> guard(lock_);
  flush_locked(stream);
  graphs_.drop();
}

void LaunchSequence::flush_locked(cudaStream_t stream) {
  if (launches_.empty()) return;
  bool held = std::exchange(holds_, true);
  cudaError_t status = cudaSuccess;
  if (!held || !graphs_.queue(launches_, stream)) {
    if (launches_.size() >= kWorthAGraph) graphs_.note(launches_);
    if (held) status = launches_.queue(stream);
  }
  launches_.clear();
  check(status, "launching a kernel");
}

}  // namespace strider::nd::cuda
