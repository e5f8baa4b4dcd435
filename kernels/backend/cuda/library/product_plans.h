// Products of matrices by cuBLASLt: the algorithm for a shape is asked for once and kept. What it
// has none for, cuBLAS multiplies. Opened only where STRIDER_CUBLASLT=1.
#pragma once

#include <cublasLt.h>

#include <cstdint>
#include <list>
#include <memory>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/library/elements.h"
#include "kernels/backend/cuda/toolkit.h"

namespace strider::nd::cuda {

// out = left right, column by column: m by k, k by n. Stacks step forwards, in elements.
struct ColumnProduct {
  struct Matrix {
    bool turned = false;
    std::int64_t leading = 0, step = 0;
    friend bool operator==(const Matrix&, const Matrix&) = default;
  };

  cudaDataType type = CUDA_R_32F;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  std::int64_t m = 0, n = 0, k = 0, count = 1;
  Matrix left, right;
  std::uint32_t alignment = 0;  // that all addresses are multiples of

  friend bool operator==(const ColumnProduct&, const ColumnProduct&) = default;
};

class ProductPlans {
 public:
  explicit ProductPlans(CudaDevice& device);
  ~ProductPlans();
  ProductPlans(const ProductPlans&) = delete;

  bool is_open() const { return handle_ != nullptr; }
  // False where there is no algorithm, or it fails; the alignment is found from the addresses.
  bool multiply(ColumnProduct product, const Elements& elements, const std::byte* left,
                const std::byte* right, std::byte* out);

 private:
  struct Functions {
    decltype(cublasLtCreate)* create = nullptr;
    decltype(cublasLtMatmul)* multiply = nullptr;
    decltype(cublasLtMatmulAlgoGetHeuristic)* suggest = nullptr;
    decltype(cublasLtMatmulDescCreate)* create_product = nullptr;
    decltype(cublasLtMatmulDescSetAttribute)* set_product = nullptr;
    decltype(cublasLtMatmulDescDestroy)* destroy_product = nullptr;
    decltype(cublasLtMatrixLayoutCreate)* create_layout = nullptr;
    decltype(cublasLtMatrixLayoutSetAttribute)* set_layout = nullptr;
    decltype(cublasLtMatrixLayoutDestroy)* destroy_layout = nullptr;
    decltype(cublasLtMatmulPreferenceCreate)* create_preference = nullptr;
    decltype(cublasLtMatmulPreferenceSetAttribute)* set_preference = nullptr;
    decltype(cublasLtMatmulPreferenceDestroy)* destroy_preference = nullptr;

    bool find_all(const ToolkitLibrary& library);
  };
  class Plan;

  Plan& find(const ColumnProduct& product);

  CudaDevice& device_;
  std::unique_ptr<ToolkitLibrary> library_;
  Functions functions_;
  cublasLtHandle_t handle_ = nullptr;
  std::list<Plan> plans_;  // the last used first
};

}  // namespace strider::nd::cuda
