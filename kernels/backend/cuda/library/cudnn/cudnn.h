// cuDNN, opened at the first use: its functions, its handle and its descriptors. Knows no
// operations.
#pragma once

#include <cudnn.h>

#include <optional>
#include <string>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/library/cudnn/functions.h"
#include "kernels/backend/cuda/toolkit.h"

namespace strider::nd::cuda {

class Cudnn {
 public:
  // Check is_open() before anything else.
  explicit Cudnn(CudaDevice& device);
  Cudnn(const Cudnn&) = delete;

  bool is_open() const { return handle_ != nullptr; }
  // Why it is not open.
  const std::string& reason() const { return reason_; }

  CudaDevice& device() const { return device_; }
  cudnnHandle_t handle() const { return handle_; }
  const CudnnFunctions& functions() const { return functions_; }
  // Throws unless all went well.
  void check(cudnnStatus_t status, const char* doing) const;

 private:
  CudaDevice& device_;
  ToolkitLibrary library_;
  CudnnFunctions functions_;
  std::string reason_;
  cudnnHandle_t handle_ = nullptr;
};

// A descriptor, which lives as long as this.
template <class Kind>
class Descriptor {
 public:
  Descriptor(const Cudnn& cudnn, cudnnStatus_t (*create)(Kind*), cudnnStatus_t (*destroy)(Kind))
      : destroy_(destroy) {
    cudnn.check(create(&kind_), "describing an operation");
  }
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() { destroy_(kind_); }

  operator Kind() const { return kind_; }

 private:
  Kind kind_ = nullptr;
  cudnnStatus_t (*destroy_)(Kind);
};

using TensorDescriptor = Descriptor<cudnnTensorDescriptor_t>;

// float32 or float64.
inline cudnnDataType_t cudnn_type(DType dtype) {
  return dtype == DType::kFloat32 ? CUDNN_DATA_FLOAT : CUDNN_DATA_DOUBLE;
}

// What cuDNN may do to the numbers. TF32 changes nothing but float32.
inline cudnnMathType_t cudnn_math(DType dtype, bool tf32) {
  return dtype == DType::kFloat32 && !tf32 ? CUDNN_FMA_MATH : CUDNN_DEFAULT_MATH;
}

}  // namespace strider::nd::cuda
