// Puts together what runs loops on a GPU.
#include "kernels/backend/cuda/backend.h"

#include <strider/nd/threads.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/device/loaded_kernel.h"
#include "kernels/backend/cuda/jit/disk_cache.h"
#include "kernels/backend/cuda/jit/kernel_cache.h"
#include "kernels/backend/cuda/jit/nvrtc.h"
#include "kernels/backend/cuda/library/cuda_library.h"
#include "kernels/backend/cuda/library/cuda_networks.h"
#include "kernels/backend/cuda/loop_runner.h"
#include "kernels/backend/cuda/precompiled/arranger.h"
#include "kernels/backend/cuda/ready/device_kernels.h"
#include "kernels/core/log.h"

namespace strider::nd::cuda {
namespace {

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

class DeviceQueue : public LaunchQueue {
 public:
  explicit DeviceQueue(CudaDevice& device) : device_(device) {}
  Device& device() override { return device_; }
  const DeviceFacts& facts() override { return device_.facts(); }
  std::uint32_t* take_words(std::size_t count) override { return device_.take_words(count); }
  void launch(const void* kernel, const KernelCall& call) override { device_.launch(kernel, call); }

 private:
  CudaDevice& device_;
};

// Threads that compile beside the program, which keeps half of the cores.
std::size_t compiling_threads() {
  constexpr int kMost = 8;
  return static_cast<std::size_t>(std::clamp(thread_count() / 2, 1, kMost));
}

class CudaBackend : public Backend {
 public:
  CudaBackend(int number, std::string_view ready) : device_(number), ready_(device_, ready) {
    if (!disk_.reason().empty() && is_logged(LogSubject::kRendering))
      log_line("kernels are not kept on disk: " + disk_.reason());
  }

  std::string name() const override { return device_.name(); }
  Device* device() override { return &device_; }
  Arranger* arranger() override { return &arranger_; }
  Library* library() override { return &library_; }
  Networks* networks() override { return &networks_; }
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
  CudaDevice device_;
  CudaArranger arranger_{device_};
  CudaLibrary library_{device_};
  DiskCache disk_{kernel_cache_folder(), kernel_cache_limit()};
  CudaNetworks networks_{device_, &disk_};
  DeviceKernels maker_{device_};
  DeviceReadyKernels ready_;
  KernelCache kernels_{maker_, disk_, 2048, &ready_, compiling_threads()};
  DeviceQueue queue_{device_};
  LoopRunner runner_{queue_, kernels_, waits_for_compiler()};
};

}  // namespace

Backend& device_backend(int number, std::string_view ready) {
  static std::mutex lock;
  static auto* backends = new std::map<int, CudaBackend*>;  // arrays that die at exit need them
  std::lock_guard<std::mutex> guard(lock);
  CudaBackend*& backend = (*backends)[number];
  if (!backend) backend = new CudaBackend(number, ready);
  return *backend;
}

}  // namespace strider::nd::cuda
