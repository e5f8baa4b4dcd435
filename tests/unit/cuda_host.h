// Runs the texts of kernels on the host, emulated.
#pragma once

#include <map>
#include <new>

#include "kernels/backend/cuda/emulator/compiler.h"
#include "kernels/backend/cuda/emulator/emulated_kernel.h"
#include "tests/unit/cuda_check.h"

namespace strider::nd::cuda {

class HostExecutor : public Executor {
 public:
  ~HostExecutor() override { clear(); }

  std::byte* take(std::size_t bytes) override {
    memory_.push_back(::operator new (bytes + 256, std::align_val_t{256}));
    std::memset(memory_.back(), 0xab, bytes);
    return static_cast<std::byte*>(memory_.back());
  }
  std::byte* upload(const Bytes& bytes) override {
    std::byte* to = take(bytes.size());
    std::memcpy(to, bytes.data(), bytes.size());
    return to;
  }
  void download(const std::byte* from, Bytes& bytes) override {
    std::memcpy(bytes.data(), from, bytes.size());
  }
  void clear() override {
    for (void* each : memory_) ::operator delete (each, std::align_val_t{256});
    memory_.clear();
  }
  void run(const std::string& text, const Rendering& rendering) override {
    std::shared_ptr<Kernel>& kernel = kernels_[rendering.key];
    if (!kernel) kernel = emulator::load(emulator::compile(text));
    for (const KernelCall& call : rendering.calls) emulator::run(kernel->entry(call.entry), call);
  }

 private:
  std::vector<void*> memory_;
  std::map<std::string, std::shared_ptr<Kernel>> kernels_;
};

}  // namespace strider::nd::cuda
