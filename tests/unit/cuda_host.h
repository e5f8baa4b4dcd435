// Runs the texts of kernels on the host, compiled by its compiler over cuda_emulation.h.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <new>
#include <stdexcept>

#include "tests/unit/cuda_check.h"

namespace strider::nd::cuda {

class HostExecutor : public Executor {
 public:
  explicit HostExecutor(std::string root) : root_(std::move(root)) {}
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
    void*& library = libraries_[rendering.key];
    if (!library) library = build(text);
    using Emulate = void (*)(void*, const unsigned*, unsigned, const void*, std::size_t);
    auto emulate = reinterpret_cast<Emulate>(dlsym(library, "emulate"));
    for (const KernelCall& call : rendering.calls) {
      void* entry = dlsym(library, call.entry.c_str());
      if (!entry) throw std::runtime_error("no entry " + call.entry);
      emulate(entry, call.grid, call.block[0], call.arguments.data(), call.arguments.size());
    }
  }

 private:
  void* build(const std::string& text) {
    std::string base =
        "/tmp/strider-cuda-" + std::to_string(getpid()) + "-" + std::to_string(libraries_.size());
    std::ofstream(base + ".cpp") << "#include \"tests/unit/cuda_emulation.h\"\n" << text;
    std::string command =
        "c++ -std=c++20 -w -Wno-psabi -O1 -g0 -mfma -ffp-contract=off -fno-math-errno "
        "-fPIC -fno-gnu-unique -fvisibility=hidden -shared -I'" +
        root_ + "' " + base + ".cpp -o " + base + ".so";
    bool built = std::system(command.c_str()) == 0;
    void* library = built ? dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    std::remove((base + ".so").c_str());
    if (!library) throw std::runtime_error("does not build: " + base + ".cpp");
    std::remove((base + ".cpp").c_str());
    return library;
  }

  std::string root_;
  std::vector<void*> memory_;
  std::map<std::string, void*> libraries_;
};

}  // namespace strider::nd::cuda
