// cuBLAS: products of matrices, opened at the first use. Those that come again with everything at
// the same addresses are replayed as graphs, which take the host a quarter of the time.
#pragma once

#include <cublas_v2.h>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/device/replays.h"
#include "kernels/backend/cuda/library/elements.h"
#include "kernels/backend/cuda/library/product_plans.h"
#include "kernels/backend/cuda/toolkit.h"
#include "kernels/backend/library.h"
#include "kernels/backend/matrix_layout.h"

namespace strider::nd::cuda {

class Blas {
 public:
  // Check is_open() before anything else.
  explicit Blas(CudaDevice& device);
  Blas(const Blas&) = delete;

  bool is_open() const { return handle_ != nullptr; }
  // Why it is not open.
  const std::string& reason() const { return reason_; }

  // As the contract's. float32 is multiplied and added as float32, unless TF32 is allowed.
  bool multiply(DType dtype, const MatrixStack& a, const MatrixStack& b, std::byte* out);

  // LU factors of many matrices at once, in place; int pivots and info words on the device.
  // `matrices` are their addresses, on the device.
  void factor_lu(const Elements& elements, int n, void* const* matrices, int* pivots, int* info,
                 int count);
  // Solves with these factors: b (n by columns each) becomes x.
  void solve_factored(const Elements& elements, int n, int columns, void* const* matrices,
                      const int* pivots, void* const* b, int count);

 private:
  // A matrix as routines that count column by column take it.
  struct MatrixVector {
    std::int64_t rows, columns;
    MatrixLayout layout;
    const std::byte* at;
    std::int64_t step, count;
  };

  void find_functions();
  void check(cublasStatus_t status, const char* doing) const;
  // What is called next is queued there, and uses the handle's own work space.
  cublasStatus_t go_to(cudaStream_t stream);
  void dot(const Elements& elements, const MatrixStack& a, const MatrixStack& b, std::byte* out);
  void multiply_vector(const Elements& elements, const MatrixVector& matrix,
                       const MatrixStack& vector, std::byte* out);
  void multiply_matrices(const Elements& elements, const MatrixStack& a, const MatrixLayout& lies_a,
                         const MatrixStack& b, const MatrixLayout& lies_b, std::byte* out);

  // Functions of four element types that differ in their pointers alone.
  using Gemv = cublasStatus_t(cublasHandle_t, cublasOperation_t, std::int64_t, std::int64_t,
                              const void*, const void*, std::int64_t, const void*, std::int64_t,
                              const void*, void*, std::int64_t);
  using GemvStack = cublasStatus_t(cublasHandle_t, cublasOperation_t, std::int64_t, std::int64_t,
                                   const void*, const void*, std::int64_t, long long, const void*,
                                   std::int64_t, long long, const void*, void*, std::int64_t,
                                   long long, std::int64_t);
  using Getrf = cublasStatus_t(cublasHandle_t, int, void* const*, int, int*, int*, int);
  using Getrs = cublasStatus_t(cublasHandle_t, cublasOperation_t, int, int, const void* const*, int,
                               const int*, void* const*, int, int*, int);

  struct PlacedProduct {
    ColumnProduct product;
    const std::byte *left, *right;
    std::byte* out;
    friend bool operator==(const PlacedProduct&, const PlacedProduct&) = default;
  };
  static constexpr std::size_t kReplays = 64;

  CudaDevice& device_;
  ToolkitLibrary library_;
  ProductPlans plans_;
  Recorder recorder_;
  Replays<PlacedProduct> replays_{kReplays};
  void* space_ = nullptr;  // null: the library's, and nothing is replayed
  std::size_t space_bytes_ = 0;
  std::string reason_;
  cublasHandle_t handle_ = nullptr;
  decltype(cublasCreate_v2)* create_ = nullptr;
  decltype(cublasSetStream_v2)* set_stream_ = nullptr;
  decltype(cublasSetWorkspace_v2)* set_workspace_ = nullptr;
  decltype(cublasSetPointerMode_v2)* set_pointer_mode_ = nullptr;
  decltype(cublasGetStatusString)* status_text_ = nullptr;
  decltype(cublasGemmEx_64)* gemm_ = nullptr;
  decltype(cublasGemmStridedBatchedEx_64)* gemm_stack_ = nullptr;
  decltype(cublasDotEx_64)* dot_ = nullptr;
  Gemv* gemv_[4] = {};
  GemvStack* gemv_stack_[4] = {};
  Getrf* getrf_[4] = {};
  Getrs* getrs_[4] = {};
};

}  // namespace strider::nd::cuda
