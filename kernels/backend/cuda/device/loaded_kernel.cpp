// Uses the runtime's libraries of code.
#include "kernels/backend/cuda/device/loaded_kernel.h"

#include <mutex>
#include <unordered_map>

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {
namespace {

class LoadedKernel : public Kernel {
 public:
  LoadedKernel(CudaDevice& device, const std::string& machine_code)
      : device_(device), stream_(device.stream()) {
    cudaError_t status = load(machine_code);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      device.leave_room(kOwnMemory);
      status = load(machine_code);
    }
    check(status, "loading a kernel");
  }
  ~LoadedKernel() override {
    device_.let_go_of_kernels();
    cudaStreamSynchronize(stream_);
    cudaLibraryUnload(library_);
    cudaGetLastError();
  }

  const void* entry(const std::string& name) override {
    std::lock_guard<std::mutex> guard(lock_);
    auto found = entries_.find(name);
    if (found != entries_.end()) return found->second;
    cudaKernel_t kernel = nullptr;
    device_.activate();
    check(cudaLibraryGetKernel(&kernel, library_, name.c_str()), "finding a kernel");
    entries_.emplace(name, kernel);
    return kernel;
  }

 private:
  cudaError_t load(const std::string& machine_code) {
    return cudaLibraryLoadData(&library_, machine_code.data(), nullptr, nullptr, 0, nullptr,
                               nullptr, 0);
  }

  CudaDevice& device_;
  cudaStream_t stream_;
  cudaLibrary_t library_ = nullptr;
  std::mutex lock_;
  std::unordered_map<std::string, cudaKernel_t> entries_;
};

}  // namespace

std::shared_ptr<Kernel> load_kernel(CudaDevice& device, const std::string& machine_code) {
  return std::make_shared<LoadedKernel>(device, machine_code);
}

}  // namespace strider::nd::cuda
