// LaunchSequence: the launches of a computation. What has not come before is queued at once. What
// begins like a sequence that has come before is held until that is whole, and goes as one graph.
// Knows nothing of what kernels do. STRIDER_CUDA_GRAPHS=0 has all queued at once.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <mutex>
#include <span>

#include "kernels/backend/cuda/device/launch_graphs.h"
#include "kernels/backend/cuda/device/launch_list.h"

namespace strider::nd::cuda {

class LaunchSequence {
 public:
  LaunchSequence();

  // From now on launches belong together, until as many ends as beginnings have come.
  void begin();
  // Throws what went wrong in a launch that was held.
  void end(cudaStream_t stream);
  // What went wrong, where it was queued at once.
  cudaError_t add(const Launch& launch, std::span<const std::byte> arguments, cudaStream_t stream);
  // Queues what is held: before anything else is queued, waited for or given back.
  void flush(cudaStream_t stream);
  // The same, and forgets all kernels.
  void let_go(cudaStream_t stream);

 private:
  void flush_locked(cudaStream_t stream);

  const bool wanted_;
  std::mutex lock_;  // launches are in one order for all threads
  int sequences_ = 0;
  bool holds_ = true;    // what comes next, and all of the list so far
  LaunchList launches_;  // without arguments where they are not held
  LaunchGraphs graphs_;
};

}  // namespace strider::nd::cuda
