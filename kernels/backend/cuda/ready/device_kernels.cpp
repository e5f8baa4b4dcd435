// A module is loaded with all of its kernels, which differ in what stands before their names.
#include "kernels/backend/cuda/ready/device_kernels.h"

#include <utility>

#include "kernels/backend/cuda/device/loaded_kernel.h"
#include "kernels/backend/cuda/jit/ready_set.h"

namespace strider::nd::cuda {
namespace {

class KernelOfModule : public Kernel {
 public:
  KernelOfModule(std::shared_ptr<Kernel> module, std::string prefix)
      : module_(std::move(module)), prefix_(std::move(prefix)) {}
  const void* entry(const std::string& name) override { return module_->entry(prefix_ + name); }

 private:
  std::shared_ptr<Kernel> module_;
  std::string prefix_;
};

}  // namespace

std::shared_ptr<Kernel> DeviceReadyKernels::find(const std::string& key) {
  std::call_once(opened_, [this] {
    pack_.open(device_.capability());
    modules_.resize(pack_.module_count());
  });
  std::optional<ReadyPack::Place> place = pack_.find(key);
  if (!place) return nullptr;
  std::lock_guard<std::mutex> guard(lock_);
  std::shared_ptr<Kernel>& module = modules_[place->module];
  if (!module) {
    std::string code = pack_.machine_code(place->module);
    if (code.empty()) return nullptr;
    module = load_kernel(device_, code);
  }
  return std::make_shared<KernelOfModule>(module, ready_prefix(place->number));
}

}  // namespace strider::nd::cuda
