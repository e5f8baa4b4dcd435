// LoopRunner: the launches of passes, from the kernels that are there. While a kernel is compiled,
// and where it cannot be, its loops run one instruction at a time, by kernels that were made
// beforehand, with the same results. Talks to no device but through LaunchQueue.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/backend/backend.h"
#include "kernels/backend/cuda/jit/kernel_cache.h"
#include "kernels/backend/cuda/jit/rendering.h"
#include "kernels/core/device.h"

namespace strider::nd::cuda {

// Where launches go.
class LaunchQueue {
 public:
  virtual ~LaunchQueue() = default;
  virtual Device& device() = 0;
  virtual const DeviceFacts& facts() = 0;
  // Words for the conditions of a loop's steps, all 0.
  virtual std::uint32_t* take_words(std::size_t count) = 0;
  virtual void launch(const void* kernel, const KernelCall& call) = 0;
};

// Whether a program waits for kernels that are not there: STRIDER_CUDA_COMPILE=wait; else it goes
// on without them (background).
bool waits_for_compiler();

class LoopRunner {
 public:
  LoopRunner(LaunchQueue& queue, KernelCache& kernels, bool waits)
      : queue_(queue), kernels_(kernels), waits_(waits) {}

  // As Backend::run and run_side_by_side.
  void run(std::span<BoundLoop> pass, std::int64_t rows);
  void run_side_by_side(std::span<BoundLoop> loops);
  std::int64_t unfused_count() const { return unfused_; }
  // How often a loop needed no kernel to be looked for.
  std::int64_t again_count() const { return again_; }

 private:
  class Work;

  void take_words(std::span<BoundLoop> loops);
  bool run_again(std::span<BoundLoop> pass);
  bool run_in_place(BoundLoop& bound);
  bool run_together(std::span<BoundLoop> pass, std::int64_t rows);
  void run_apart(std::span<BoundLoop> pass);
  std::shared_ptr<Kernel> start(const std::string& key, const KernelCache::MakeText& make_text);
  std::shared_ptr<Kernel> find(const std::string& key, const KernelCache::MakeText& make_text);
  void keep(std::span<const BoundLoop> loops, const std::shared_ptr<Kernel>& kernel,
            const Rendering& rendering, std::vector<std::size_t> scratch);
  bool add_unfused(Work& work, BoundLoop& bound);
  bool has_room(std::size_t bytes);

  LaunchQueue& queue_;
  KernelCache& kernels_;
  const bool waits_;
  std::atomic<std::int64_t> unfused_{0}, again_{0};
};

}  // namespace strider::nd::cuda
