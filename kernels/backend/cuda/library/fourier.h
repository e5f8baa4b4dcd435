// cuFFT: transforms of lines, opened at the first use; plans are kept for their next use.
#pragma once

#include <cufft.h>

#include <list>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/toolkit.h"
#include "kernels/backend/library.h"

namespace strider::nd::cuda {

// What a plan depends on.
struct FourierKey {
  cufftType type;
  std::int64_t length, count;
  bool operator==(const FourierKey&) const = default;
};

FourierKey key_of(const Transform& transform);

class Fourier {
 public:
  // Check is_open() before anything else.
  explicit Fourier(CudaDevice& device);
  Fourier(const Fourier&) = delete;

  bool is_open() const { return is_open_; }
  const std::string& reason() const { return reason_; }

  // As the contract's.
  bool transform(const Transform& transform, std::byte* from, std::byte* to);

 private:
  struct Plan {
    FourierKey key;
    cufftHandle handle;
    std::size_t work;  // bytes that a transform needs besides
  };

  static constexpr std::size_t kKept = 32;

  void find_functions();
  void check(cufftResult result, const char* doing) const;
  // The plan of a key, made if need be; null where there can be none.
  const Plan* find(const FourierKey& key);
  bool make(Plan& plan) const;
  cufftResult execute(const Plan& plan, bool forward, std::byte* from, std::byte* to) const;

  CudaDevice& device_;
  ToolkitLibrary library_;
  std::string reason_;
  bool is_open_ = false;
  std::list<Plan> plans_;  // the one used last comes first
  decltype(cufftCreate)* create_ = nullptr;
  decltype(cufftDestroy)* destroy_ = nullptr;
  decltype(cufftSetStream)* set_stream_ = nullptr;
  decltype(cufftSetAutoAllocation)* set_allocation_ = nullptr;
  decltype(cufftSetWorkArea)* set_work_ = nullptr;
  decltype(cufftMakePlanMany64)* make_plan_ = nullptr;
  decltype(cufftExecC2C)* run_c2c_ = nullptr;
  decltype(cufftExecR2C)* run_r2c_ = nullptr;
  decltype(cufftExecC2R)* run_c2r_ = nullptr;
  decltype(cufftExecZ2Z)* run_z2z_ = nullptr;
  decltype(cufftExecD2Z)* run_d2z_ = nullptr;
  decltype(cufftExecZ2D)* run_z2d_ = nullptr;
};

}  // namespace strider::nd::cuda
