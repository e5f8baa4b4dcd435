// KeptLaunches: what a loop's run has left for the next one: the launches, in whose arguments no
// more than addresses and scalars are another run's. Knows no texts and looks for no kernels.
#pragma once

#include <memory>
#include <vector>

#include "kernels/backend/cuda/jit/kernel_cache.h"
#include "kernels/backend/cuda/jit/rendering.h"

namespace strider::nd::cuda {

class LaunchQueue;

class KeptLaunches : public Preparation {
 public:
  // What `queue` was given for a loop with these operands, whose launches took `scratch` bytes at
  // each request. Kernels may go meanwhile; then the loop is rendered again.
  KeptLaunches(LaunchQueue& queue, const std::shared_ptr<Kernel>& kernel, Rendering rendering,
               const LoopMemory& memory, bool watched, std::vector<std::size_t> scratch);

  // The launches that are kept with a loop, where they can be used with these operands; else null.
  static const KeptLaunches* find(const BoundLoop& bound, const LaunchQueue& queue);

  // Null where it has gone.
  std::shared_ptr<Kernel> kernel() const { return kernel_.lock(); }
  // Queues them. The kernel must be held.
  void launch(const BoundLoop& bound) const;

 private:
  bool fits(const BoundLoop& bound) const;

  LaunchQueue& queue_;
  std::weak_ptr<Kernel> kernel_;
  std::vector<const void*> entries_;       // of the calls
  mutable std::vector<KernelCall> calls_;  // a loop belongs to one thread
  std::vector<ChangingField> changing_;
  std::vector<std::size_t> scratch_;
  LoopMemory memory_;  // where operands were
  bool watched_;       // conditions were told
};

}  // namespace strider::nd::cuda
