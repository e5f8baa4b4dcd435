// Runs loops on a GPU: renders them, finds their kernels and queues the launches.
#include "kernels/backend/cuda/backend.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/device/loaded_kernel.h"
#include "kernels/backend/cuda/jit/disk_cache.h"
#include "kernels/backend/cuda/jit/kernel_cache.h"
#include "kernels/backend/cuda/jit/nvrtc.h"
#include "kernels/backend/cuda/jit/rendering.h"
#include "kernels/backend/cuda/library/cuda_library.h"
#include "kernels/backend/cuda/precompiled/arranger.h"
#include "kernels/backend/cuda/workspace.h"
#include "kernels/core/log.h"

namespace strider::nd::cuda {
namespace {

// Memory between the launches of a loop, given back once they are queued.
class DeviceScratch : public Scratch {
 public:
  explicit DeviceScratch(CudaDevice& device) : device_(device) {}
  std::byte* take(std::size_t bytes) override {
    return taken_.emplace_back(device_, bytes).start();
  }

 private:
  CudaDevice& device_;
  std::vector<Workspace> taken_;
};

// Compiles for one device and loads into it.
class DeviceKernels : public KernelMaker {
 public:
  explicit DeviceKernels(CudaDevice& device) : device_(device) {}

  std::string identity() override {
    std::call_once(asked_, [this] {
      int driver = 0;
      cudaDriverGetVersion(&driver);
      architecture_ = architecture_for(device_.capability());
      identity_ = architecture_ + " " + compiler_identity() + " driver " + std::to_string(driver);
    });
    return identity_;
  }
  std::string compile(const std::string& text) override {
    identity();
    Stopwatch watch;
    std::string code = cuda::compile(text, architecture_);
    if (is_logged(LogSubject::kRendering)) {
      log_line("compiled for " + architecture_ + ": " +
               bytes_text(static_cast<double>(code.size())) + " in " + time_text(watch.seconds()));
    }
    return code;
  }
  std::shared_ptr<Kernel> load(const std::string& machine_code) override {
    return load_kernel(device_, machine_code);
  }

 private:
  CudaDevice& device_;
  std::once_flag asked_;
  std::string architecture_, identity_;
};

bool watches(const FusedLoop& loop) {
  return !loop.folds.empty() || std::any_of(loop.steps.begin(), loop.steps.end(),
                                            [](const Step& step) { return step.watched != 0; });
}

// A loop with its launches and the memory that they need.
class Prepared {
 public:
  Prepared(BoundLoop& bound, CudaDevice& device) : bound_(bound), scratch_(device) {
    rendering_ = render(*bound.loop, bound.memory, bound.late_conditions, device.facts(), scratch_);
  }

  const std::string& key() const { return rendering_.key; }
  const std::vector<KernelCall>& calls() const { return rendering_.calls; }
  std::string text() const { return kernel_text(*bound_.loop, bound_.memory, rendering_.key); }

 private:
  const BoundLoop& bound_;
  DeviceScratch scratch_;
  Rendering rendering_;
};

class CudaBackend : public Backend {
 public:
  explicit CudaBackend(int number) : device_(number) {
    if (!disk_.reason().empty() && is_logged(LogSubject::kRendering))
      log_line("kernels are not kept on disk: " + disk_.reason());
  }

  std::string name() const override { return device_.name(); }
  Device* device() override { return &device_; }
  Arranger* arranger() override { return &arranger_; }
  Library* library() override { return &library_; }
  RendererChoice choose_renderer(const FusedLoop&) const override { return {"cuda", ""}; }

  // One launch for all loops where rows allow it.
  void run(std::span<BoundLoop> pass, std::int64_t rows) override {
    for (BoundLoop& bound : pass) {
      const FusedLoop& loop = *bound.loop;
      if (watches(loop)) bound.late_conditions = device_.take_words(loop.steps.size() + 1);
    }
    if (!run_together(pass, rows)) run_apart(pass);
  }

  void stop_compiling() { kernels_.stop(); }

 private:
  bool run_together(std::span<BoundLoop> pass, std::int64_t rows) {
    if (rows < 2 || pass.size() < 2) return false;
    std::vector<PassLoop> loops;
    for (BoundLoop& bound : pass) {
      loops.push_back({bound.loop, &bound.memory, bound.late_conditions});
    }
    std::optional<Rendering> rendering = render_pass(loops, rows, device_.facts());
    if (!rendering) return false;
    std::shared_ptr<Kernel> kernel =
        kernels_.wait(rendering->key, [&] { return pass_text(loops, rows); });
    for (const KernelCall& call : rendering->calls) device_.launch(kernel->entry(call.entry), call);
    return true;
  }

  // What is not compiled yet is begun for all loops before the first is waited for.
  void run_apart(std::span<BoundLoop> pass) {
    std::deque<Prepared> prepared;
    for (BoundLoop& bound : pass) prepared.emplace_back(bound, device_);
    for (std::size_t i = 1; i < prepared.size(); ++i) {
      if (prepared[i].calls().empty()) continue;
      kernels_.find_or_start(prepared[i].key(), [&] { return prepared[i].text(); });
    }
    for (Prepared& each : prepared) {
      if (each.calls().empty()) continue;
      std::shared_ptr<Kernel> kernel = kernels_.wait(each.key(), [&] { return each.text(); });
      for (const KernelCall& call : each.calls()) device_.launch(kernel->entry(call.entry), call);
    }
  }

  CudaDevice device_;
  CudaArranger arranger_{device_};
  CudaLibrary library_{device_};
  DiskCache disk_{kernel_cache_folder(), kernel_cache_limit()};
  DeviceKernels maker_{device_};
  KernelCache kernels_{maker_, disk_};
};

}  // namespace

Backend& device_backend(int number) {
  static std::mutex lock;
  static auto* backends = new std::map<int, CudaBackend*>;  // arrays that die at exit need them
  std::lock_guard<std::mutex> guard(lock);
  CudaBackend*& backend = (*backends)[number];
  if (!backend) {
    backend = new CudaBackend(number);
    if (backends->size() == 1) {
      std::atexit([] {
        for (auto& [number, each] : *backends) each->stop_compiling();
      });
    }
  }
  return *backend;
}

}  // namespace strider::nd::cuda
