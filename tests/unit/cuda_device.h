// Runs the texts of kernels on the first GPU, through CUDA's runtime alone.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <map>
#include <stdexcept>
#include <thread>

#include "kernels/backend/cuda/jit/nvrtc.h"
#include "tests/unit/cuda_check.h"

namespace strider::nd::cuda {

inline void must(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(error));
  }
}

class DeviceExecutor : public Executor {
 public:
  DeviceExecutor() {
    cudaDeviceProp properties;
    must(cudaGetDeviceProperties(&properties, 0), "device");
    architecture_ = "sm_" + std::to_string(properties.major * 10 + properties.minor);
    facts_.processors = properties.multiProcessorCount;
    facts_.threads_per_processor = properties.maxThreadsPerMultiProcessor;
    must(cudaMalloc(&memory_, kMemory), "memory");
  }

  const DeviceFacts& device_facts() const { return facts_; }

  std::byte* take(std::size_t bytes) override {
    std::byte* at = static_cast<std::byte*>(memory_) + used_;
    used_ += (bytes + 511) / 256 * 256;
    if (used_ > kMemory) throw std::runtime_error("the trial needs more memory");
    return at;
  }
  std::byte* upload(const Bytes& bytes) override {
    std::byte* to = take(bytes.size());
    must(cudaMemcpy(to, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "upload");
    return to;
  }
  void download(const std::byte* from, Bytes& bytes) override {
    must(cudaMemcpy(bytes.data(), from, bytes.size(), cudaMemcpyDeviceToHost), "download");
  }
  void clear() override { used_ = 0; }

  void run(const std::string& text, const Rendering& rendering) override {
    Module& module = modules_[rendering.key];
    if (!module.library) load(module, text);
    for (const KernelCall& call : rendering.calls) launch(module, call);
    must(cudaDeviceSynchronize(), rendering.key.c_str());
  }
  // Seconds of one run of the calls, the best of several.
  double time(const std::string& text, const Rendering& rendering) {
    run(text, rendering);
    cudaEvent_t begin, end;
    must(cudaEventCreate(&begin), "event");
    must(cudaEventCreate(&end), "event");
    float best = 1e9f;
    for (int i = 0; i < 10; ++i) {
      must(cudaEventRecord(begin), "event");
      for (const KernelCall& call : rendering.calls) launch(modules_[rendering.key], call);
      must(cudaEventRecord(end), "event");
      must(cudaEventSynchronize(end), "event");
      float milliseconds = 0;
      must(cudaEventElapsedTime(&milliseconds, begin, end), "event");
      best = std::min(best, milliseconds);
    }
    return best * 1e-3;
  }

  // Compiles many texts at once.
  void prepare(const std::map<std::string, std::string>& texts) {
    std::vector<std::pair<std::string, std::string>> list(texts.begin(), texts.end());
    std::vector<std::string> codes(list.size());
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
      threads.emplace_back([&] {
        for (std::size_t k = next++; k < list.size(); k = next++) {
          codes[k] = compile(list[k].second, architecture_);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t k = 0; k < list.size(); ++k) {
      modules_[list[k].first].code = std::move(codes[k]);
    }
  }

 private:
  static constexpr std::size_t kMemory = std::size_t{6} << 30;

  struct Module {
    std::string code;
    cudaLibrary_t library = nullptr;
    std::map<std::string, cudaKernel_t> kernels;
  };

  void load(Module& module, const std::string& text) {
    if (module.code.empty()) module.code = compile(text, architecture_);
    must(cudaLibraryLoadData(&module.library, module.code.data(), nullptr, nullptr, 0, nullptr,
                             nullptr, 0),
         "load");
  }
  void launch(Module& module, const KernelCall& call) {
    cudaKernel_t& kernel = module.kernels[call.entry];
    if (!kernel) must(cudaLibraryGetKernel(&kernel, module.library, call.entry.c_str()), "kernel");
    void* arguments[] = {const_cast<std::byte*>(call.arguments.data())};
    auto function = reinterpret_cast<const void*>(kernel);
    must(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                              static_cast<int>(call.shared_bytes)),
         "shared memory");
    must(cudaLaunchKernel(function,
                          dim3(call.grid[0], call.grid[1], call.grid[2]),
                          dim3(call.block[0], call.block[1], call.block[2]), arguments,
                          call.shared_bytes, nullptr),
         call.entry.c_str());
  }

  std::string architecture_;
  DeviceFacts facts_;
  void* memory_ = nullptr;
  std::size_t used_ = 0;
  std::map<std::string, Module> modules_;
};

}  // namespace strider::nd::cuda
