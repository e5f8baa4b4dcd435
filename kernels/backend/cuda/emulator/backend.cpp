// Grids are cut for a small processor, so that threads take several points even of small arrays. A
// kernel that does not compile ends the program: nothing else may stand in for it.
#include "kernels/backend/cuda/emulator/backend.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "kernels/backend/cuda/emulator/compiler.h"
#include "kernels/backend/cuda/emulator/emulated_kernel.h"
#include "kernels/backend/cuda/jit/disk_cache.h"
#include "kernels/backend/cuda/jit/kernel_cache.h"
#include "kernels/backend/cuda/loop_runner.h"
#include "kernels/backend/mirror/mirror.h"

namespace strider::nd::cuda {
namespace {

class EmulatedKernels : public KernelMaker {
 public:
  std::string identity() override {
    static const std::string identity = "emulated by " + emulator::compiler_identity();
    return identity;
  }
  std::string compile(const std::string& text) override {
    try {
      return emulator::compile(text);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::abort();
    }
  }
  std::shared_ptr<Kernel> load(const std::string& machine_code) override {
    return emulator::load(machine_code);
  }
};

class EmulatedQueue : public LaunchQueue {
 public:
  explicit EmulatedQueue(Device& device) : device_(device) {
    facts_.processors = 2;
    facts_.threads_per_processor = 512;
    LaunchShape& shape = facts_.shape;
    shape.waves = shape.waves_watched = shape.waves_heavy = shape.waves_folding = 2;
  }
  Device& device() override { return device_; }
  const DeviceFacts& facts() override { return facts_; }
  std::uint32_t* take_words(std::size_t count) override {
    std::lock_guard<std::mutex> guard(lock_);
    if (next_ + count > words_.size()) next_ = 0;
    std::uint32_t* taken = words_.data() + next_;
    std::fill_n(taken, count, 0u);
    next_ += count;
    return taken;
  }
  void launch(const void* kernel, const KernelCall& call) override {
    std::lock_guard<std::mutex> guard(lock_);
    emulator::run(kernel, call);
  }

 private:
  Device& device_;
  DeviceFacts facts_;
  std::mutex lock_;
  std::vector<std::uint32_t> words_ = std::vector<std::uint32_t>(1 << 16);
  std::size_t next_ = 0;
};

class EmulatingBackend : public Backend {
 public:
  explicit EmulatingBackend(int number) : mirror_(mirror_backend(number)) {}

  std::string name() const override { return mirror_.name(); }
  Device* device() override { return mirror_.device(); }
  Arranger* arranger() override { return mirror_.arranger(); }
  Library* library() override { return mirror_.library(); }
  Networks* networks() override { return mirror_.networks(); }
  RendererChoice choose_renderer(const FusedLoop&) const override { return {"cuda", ""}; }
  KernelCounts kernel_counts() override {
    KernelCounts counts = kernels_.counts();
    counts.unfused = runner_.unfused_count();
    counts.hits += runner_.again_count();
    return counts;
  }
  void run(std::span<BoundLoop> pass, std::int64_t rows) override { runner_.run(pass, rows); }
  void run_side_by_side(std::span<BoundLoop> loops) override { runner_.run_side_by_side(loops); }
  void stop_compiling() override { kernels_.stop(); }

 private:
  Backend& mirror_;
  EmulatedKernels maker_;
  DiskCache disk_{kernel_cache_folder(), kernel_cache_limit()};
  KernelCache kernels_{maker_, disk_};
  EmulatedQueue queue_{*mirror_.device()};
  LoopRunner runner_{queue_, kernels_, true};
};

}  // namespace

Backend* emulating_backend(int number, std::string& reason) {
  if (!emulator::has_compiler(reason)) return nullptr;
  static std::mutex lock;
  static EmulatingBackend* backends[kMirrors];  // arrays that die at exit need them
  if (number >= kMirrors) {
    reason = "there are " + std::to_string(kMirrors) + " emulated devices";
    return nullptr;
  }
  std::lock_guard<std::mutex> guard(lock);
  if (!backends[number]) backends[number] = new EmulatingBackend(number);
  return backends[number];
}

}  // namespace strider::nd::cuda
