// Compiles the ready-made kernels and writes the file that the plug-in is built with:
//     strider_cuda_ready FILE ARCHITECTURES
// ARCHITECTURES are separated by commas, as CMake names them: 90, 80-real, native. What was
// compiled before, by this or another build, is taken from the folder where programs keep their
// kernels.
#include <cuda_runtime_api.h>
#include <strider/nd/error.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "kernels/backend/cuda/jit/digest.h"
#include "kernels/backend/cuda/jit/disk_cache.h"
#include "kernels/backend/cuda/jit/nvrtc.h"
#include "kernels/backend/cuda/jit/ready_set.h"
#include "kernels/backend/cuda/ready/pack.h"

namespace strider::nd::cuda {
namespace {

std::set<int> native_architectures() {
  std::set<int> numbers;
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) count = 0;
  for (int i = 0; i < count; ++i) {
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, i);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, i);
    numbers.insert(10 * major + minor);
  }
  return numbers;
}

// Those that machine code is asked for; drivers would take longer over portable code of all of a
// module's kernels than NVRTC takes over one.
std::set<int> read_architectures(const std::string& names) {
  std::set<int> numbers;
  std::stringstream list(names);
  for (std::string name; std::getline(list, name, ',');) {
    if (name == "native") {
      numbers.merge(native_architectures());
    } else if (!name.ends_with("-virtual") && std::atoi(name.c_str()) > 0) {
      numbers.insert(std::atoi(name.c_str()));
    }
  }
  return numbers;
}

class Packing {
 public:
  Packing(const std::vector<ReadyModule>& modules, int architecture)
      : modules_(modules), target_("sm_" + std::to_string(architecture)) {
    packed_.number = architecture;
    packed_.modules.resize(modules.size());
  }

  PackedArchitecture run() {
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
      threads.emplace_back([this] { work(); });
    }
    for (std::thread& thread : threads) thread.join();
    if (failure_) std::rethrow_exception(failure_);
    return std::move(packed_);
  }

 private:
  void work() try {
    for (std::size_t i; (i = next_++) < modules_.size();) {
      packed_.modules[i] = pack_module(modules_[i].keys, code_of(modules_[i].text));
    }
  } catch (...) {
    if (!failed_.exchange(true)) failure_ = std::current_exception();
    next_ = modules_.size();
  }

  std::string code_of(const std::string& text) {
    std::string key = "ready-made " + target_ + " " + compiler_ + "\n" + digest(text);
    if (std::optional<std::string> kept = disk_.find(key)) return *kept;
    std::string code = compile(text, target_);
    disk_.store(key, code);
    return code;
  }

  const std::vector<ReadyModule>& modules_;
  std::string target_, compiler_ = compiler_identity();
  DiskCache disk_{kernel_cache_folder(), kernel_cache_limit()};
  PackedArchitecture packed_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr failure_;
};

std::string make_pack(const std::string& names) {
  std::string reason;
  std::vector<PackedArchitecture> all;
  if (!has_nvrtc(&reason)) {
    std::fprintf(stderr, "no kernels are made beforehand: %s\n", reason.c_str());
    return pack(all);
  }
  std::vector<ReadyModule> modules = make_ready_modules();
  for (int number : read_architectures(names)) all.push_back(Packing(modules, number).run());
  return pack(all);
}

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A file that is right is left alone, so that nothing is built again for it.
bool write_file(const char* path, const std::string& content) {
  if (read_file(path) == content) return true;
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return file.good();
}

}  // namespace
}  // namespace strider::nd::cuda

int main(int count, char** arguments) try {
  if (count != 3) {
    std::fprintf(stderr, "usage: strider_cuda_ready FILE ARCHITECTURES\n");
    return 2;
  }
  bool written =
      strider::nd::cuda::write_file(arguments[1], strider::nd::cuda::make_pack(arguments[2]));
  if (!written) std::fprintf(stderr, "%s cannot be written\n", arguments[1]);
  return written ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
