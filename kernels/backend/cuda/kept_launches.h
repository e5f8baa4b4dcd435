// KeptLaunches: what a run of loops has left for the next one: the launches, in whose arguments no
// more than addresses and scalars are another run's. Knows no texts and looks for no kernels.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kernels/backend/cuda/jit/kernel_cache.h"
#include "kernels/backend/cuda/jit/rendering.h"

namespace strider::nd::cuda {

class LaunchQueue;

class KeptLaunches : public Preparation {
 public:
  // What `queue` was given for these loops, one or all of a pass, whose launches took `scratch`
  // bytes at each request. Kernels may go meanwhile; then the loops are rendered again.
  KeptLaunches(LaunchQueue& queue, const std::shared_ptr<Kernel>& kernel, Rendering rendering,
               std::span<const BoundLoop> loops, std::vector<std::size_t> scratch);

  // The launches that are kept with these loops, where they can be used with these operands; else
  // null.
  static const KeptLaunches* find(std::span<const BoundLoop> loops, const LaunchQueue& queue);

  // How many loops they run.
  std::size_t loop_count() const { return before_.size(); }
  // Null where it has gone.
  std::shared_ptr<Kernel> kernel() const { return kernel_.lock(); }
  // Queues them. The kernel must be held.
  void launch(std::span<const BoundLoop> loops) const;

 private:
  // Of a loop, when it ran.
  struct Before {
    const FusedLoop* loop;  // which has these launches as long as it lives
    LoopMemory memory;
    bool watched;
  };

  bool fits(std::span<const BoundLoop> loops) const;
  bool lie_alike(std::span<const BoundLoop> loops) const;

  LaunchQueue& queue_;
  std::weak_ptr<Kernel> kernel_;
  std::vector<const void*> entries_;       // of the calls
  mutable std::vector<KernelCall> calls_;  // loops belong to one thread
  std::vector<ChangingField> changing_;
  std::vector<OperandReach> reaches_;
  std::vector<std::size_t> scratch_;
  std::vector<Before> before_;
};

}  // namespace strider::nd::cuda
