// Element types as NVIDIA's libraries name them, and what their functions need besides: the numbers
// one and zero.
#pragma once

#include <library_types.h>
#include <strider/nd/dtype.h>

#include <complex>
#include <cstddef>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/workspace.h"

namespace strider::nd::cuda {

// float32, float64, complex64 or complex128.
struct Elements {
  int letter;  // of S, D, C and Z, from 0
  std::size_t size, real_size;
  cudaDataType type, real;
  bool imaginary;
};

inline Elements elements_of(DType dtype) {
  switch (dtype) {
    case DType::kFloat32:
      return {0, 4, 4, CUDA_R_32F, CUDA_R_32F, false};
    case DType::kFloat64:
      return {1, 8, 8, CUDA_R_64F, CUDA_R_64F, false};
    case DType::kComplex64:
      return {2, 8, 4, CUDA_C_32F, CUDA_R_32F, true};
    default:
      return {3, 16, 8, CUDA_C_64F, CUDA_R_64F, true};
  }
}

// A number of each type; a real one is the first half of the complex one. The libraries read
// complex numbers as a whole, which must lie at multiples of their size.
class Factor {
 public:
  explicit Factor(float value) : single_(value), double_(static_cast<double>(value)) {}
  const void* as(const Elements& elements) const {
    bool single = elements.real == CUDA_R_32F;
    return single ? static_cast<const void*>(&single_) : static_cast<const void*>(&double_);
  }

 private:
  alignas(8) std::complex<float> single_;
  alignas(16) std::complex<double> double_;
};

}  // namespace strider::nd::cuda
