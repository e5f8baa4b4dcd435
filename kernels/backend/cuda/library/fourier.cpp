// Plans hold no memory for what they compute in between: it comes from the device's pool.
#include "kernels/backend/cuda/library/fourier.h"

#include <strider/nd/error.h>

#include <algorithm>

#include "kernels/backend/cuda/library/elements.h"

namespace strider::nd::cuda {
namespace {

constexpr const char* kFile = "libcufft.so.12";

// Real lines are read as pairs, which must be aligned: the bytes to be moved where they are not.
std::size_t misplaced_bytes(const Transform& transform, const std::byte* from) {
  std::size_t item = transform.real == DType::kFloat32 ? sizeof(float) : sizeof(double);
  bool aligned = reinterpret_cast<std::uintptr_t>(from) % (2 * item) == 0;
  if (aligned || transform.kind != TransformKind::kRealToComplex) return 0;
  return static_cast<std::size_t>(transform.length * transform.count) * item;
}

}  // namespace

FourierKey key_of(const Transform& transform) {
  bool single = transform.real == DType::kFloat32;
  cufftType type = single ? CUFFT_C2C : CUFFT_Z2Z;
  if (transform.kind == TransformKind::kRealToComplex) type = single ? CUFFT_R2C : CUFFT_D2Z;
  if (transform.kind == TransformKind::kComplexToReal) type = single ? CUFFT_C2R : CUFFT_Z2D;
  return {type, transform.length, transform.count};
}

Fourier::Fourier(CudaDevice& device) : device_(device), library_(kFile) {
  if (!library_.is_open()) {
    reason_ = library_.reason();
    return;
  }
  find_functions();
  is_open_ = create_ && destroy_ && set_stream_ && set_allocation_ && set_work_ && make_plan_ &&
             run_c2c_ && run_r2c_ && run_c2r_ && run_z2z_ && run_d2z_ && run_z2d_;
  if (!is_open_) reason_ = library_.complaint("lacks functions");
}

void Fourier::find_functions() {
  library_.find("cufftCreate", create_);
  library_.find("cufftDestroy", destroy_);
  library_.find("cufftSetStream", set_stream_);
  library_.find("cufftSetAutoAllocation", set_allocation_);
  library_.find("cufftSetWorkArea", set_work_);
  library_.find("cufftMakePlanMany64", make_plan_);
  library_.find("cufftExecC2C", run_c2c_);
  library_.find("cufftExecR2C", run_r2c_);
  library_.find("cufftExecC2R", run_c2r_);
  library_.find("cufftExecZ2Z", run_z2z_);
  library_.find("cufftExecD2Z", run_d2z_);
  library_.find("cufftExecZ2D", run_z2d_);
}

void Fourier::check(cufftResult result, const char* doing) const {
  if (result == CUFFT_SUCCESS) return;
  ErrorKind kind = result == CUFFT_ALLOC_FAILED ? ErrorKind::kMemory : ErrorKind::kRuntime;
  throw Error(kind, std::string("cuFFT failed while ") + doing + ": code " +
                        std::to_string(static_cast<int>(result)));
}

bool Fourier::make(Plan& plan) const {
  if (create_(&plan.handle) != CUFFT_SUCCESS) return false;
  long long length = plan.key.length;
  bool done = set_allocation_(plan.handle, 0) == CUFFT_SUCCESS &&
              make_plan_(plan.handle, 1, &length, nullptr, 1, 0, nullptr, 1, 0, plan.key.type,
                         plan.key.count, &plan.work) == CUFFT_SUCCESS &&
              set_stream_(plan.handle, device_.stream()) == CUFFT_SUCCESS;
  if (!done) destroy_(plan.handle);
  return done;
}

const Fourier::Plan* Fourier::find(const FourierKey& key) {
  auto found =
      std::find_if(plans_.begin(), plans_.end(), [&](const Plan& plan) { return plan.key == key; });
  if (found != plans_.end()) {
    plans_.splice(plans_.begin(), plans_, found);
    return &plans_.front();
  }
  Plan plan{key, 0, 0};
  if (!make(plan)) {
    device_.leave_room(kOwnMemory);
    if (!make(plan)) return nullptr;
  }
  if (plans_.size() == kKept) {
    destroy_(plans_.back().handle);
    plans_.pop_back();
  }
  plans_.push_front(plan);
  return &plans_.front();
}

bool Fourier::transform(const Transform& transform, std::byte* from, std::byte* to) {
  device_.activate();
  const Plan* plan = find(key_of(transform));
  if (!plan) return false;
  Workspace work(device_, plan->work), moved(device_, misplaced_bytes(transform, from));
  if (moved.size()) {
    device_.copy(moved.start(), from, moved.size());
    from = moved.start();
  }
  if (work.size()) check(set_work_(plan->handle, work.start()), "preparing a transform");
  check(execute(*plan, transform.forward, from, to), "transforming");
  return true;
}

cufftResult Fourier::execute(const Plan& plan, bool forward, std::byte* from, std::byte* to) const {
  int direction = forward ? CUFFT_FORWARD : CUFFT_INVERSE;
  auto complex = [](std::byte* at) { return reinterpret_cast<cufftComplex*>(at); };
  auto wide = [](std::byte* at) { return reinterpret_cast<cufftDoubleComplex*>(at); };
  switch (plan.key.type) {
    case CUFFT_C2C:
      return run_c2c_(plan.handle, complex(from), complex(to), direction);
    case CUFFT_R2C:
      return run_r2c_(plan.handle, reinterpret_cast<cufftReal*>(from), complex(to));
    case CUFFT_C2R:
      return run_c2r_(plan.handle, complex(from), reinterpret_cast<cufftReal*>(to));
    case CUFFT_Z2Z:
      return run_z2z_(plan.handle, wide(from), wide(to), direction);
    case CUFFT_D2Z:
      return run_d2z_(plan.handle, reinterpret_cast<cufftDoubleReal*>(from), wide(to));
    default:
      return run_z2d_(plan.handle, wide(from), reinterpret_cast<cufftDoubleReal*>(to));
  }
}

}  // namespace strider::nd::cuda
