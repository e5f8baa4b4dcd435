// LaunchList: launches in their order, of kernels and of graphs that libraries have queued. Knows
// nothing of what they do.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/backend/cuda/device/recorder.h"

namespace strider::nd::cuda {

// What is launched, but for the values of its arguments.
struct Launch {
  const void* kernel = nullptr;                // or
  std::shared_ptr<const RecordedGraph> graph;  // that has no arguments
  dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::size_t argument_bytes = 0;  // of a kernel's only parameter

  // Whether a graph's launch becomes the other by other arguments alone.
  bool operator==(const Launch& other) const;
  cudaError_t queue(const std::byte* arguments, cudaStream_t stream) const;
};

class LaunchList {
 public:
  void add(const Launch& launch, std::span<const std::byte> arguments);
  // The same without values, for a list that is not queued.
  void note(const Launch& launch);
  void clear();

  std::size_t size() const { return launches_.size(); }
  bool empty() const { return launches_.empty(); }
  const Launch& operator[](std::size_t i) const { return launches_[i]; }
  std::span<const std::byte> arguments(std::size_t i) const {
    return std::span(arguments_).subspan(places_[i], launches_[i].argument_bytes);
  }
  // What went wrong in the first that failed; those behind it are not queued.
  cudaError_t queue(cudaStream_t stream) const;
  // Gives a launch other values.
  void set_arguments(std::size_t i, std::span<const std::byte> arguments);

  bool begins_like(const LaunchList& other) const;
  friend bool operator==(const LaunchList& a, const LaunchList& b) {
    return a.launches_ == b.launches_;
  }

 private:
  std::vector<Launch> launches_;
  std::vector<std::size_t> places_;  // of each one's arguments
  std::vector<std::byte> arguments_;
};

}  // namespace strider::nd::cuda
