// Row-major out = a b is column-major out' = b' a', so the operands change places; a matrix packed
// by rows is, column by column, its own transpose.
#include "kernels/backend/cuda/library/blas.h"

#include <strider/nd/error.h>
#include <strider/nd/precision.h>

#include "kernels/backend/cuda/device/errors.h"

namespace strider::nd::cuda {
namespace {

constexpr const char* kFile = "libcublas.so.13";
constexpr const char kLetters[] = "SDCZ";

const Factor kOne(1), kZero(0);

// Work space of the size that the library takes by itself: which algorithms it chooses depends on
// it. A graph cannot be recorded with the library's.
std::size_t usual_space(int capability) {
  bool large = capability / 10 == 9 || capability / 10 == 10;
  return std::size_t{large ? 32u : 4u} << 20;
}

// Stacks that go backwards are taken apart: the library's steps are not negative.

std::int64_t bytes_of(const Elements& elements) { return static_cast<std::int64_t>(elements.size); }

MatrixStack nth(const MatrixStack& stack, std::int64_t i, const Elements& elements) {
  MatrixStack one = stack;
  one.count = 1;
  one.at += i * stack.step * bytes_of(elements);
  return one;
}

}  // namespace

Blas::Blas(CudaDevice& device) : device_(device), library_(kFile), plans_(device) {
  if (!library_.is_open()) {
    reason_ = library_.reason();
    return;
  }
  find_functions();
  if (!create_ || !set_stream_ || !gemm_ || !gemm_stack_ || !getrs_[3]) {
    reason_ = library_.complaint("lacks functions");
    return;
  }
  device_.activate();
  if (create_(&handle_) != CUBLAS_STATUS_SUCCESS) {
    device_.leave_room(kOwnMemory);
    check(create_(&handle_), "starting");
  }
  if (set_workspace_) {
    space_bytes_ = usual_space(device_.capability());
    if (!went_well(cudaMalloc(&space_, space_bytes_))) space_ = nullptr;
  }
  check(go_to(device_.stream()), "starting");
}

cublasStatus_t Blas::go_to(cudaStream_t stream) {
  cublasStatus_t status = set_stream_(handle_, stream);
  if (status != CUBLAS_STATUS_SUCCESS || !space_) return status;
  return set_workspace_(handle_, space_, space_bytes_);
}

void Blas::find_functions() {
  library_.find("cublasCreate_v2", create_);
  library_.find("cublasSetStream_v2", set_stream_);
  library_.find("cublasSetWorkspace_v2", set_workspace_);
  library_.find("cublasSetPointerMode_v2", set_pointer_mode_);
  library_.find("cublasGetStatusString", status_text_);
  library_.find("cublasGemmEx_64", gemm_);
  library_.find("cublasGemmStridedBatchedEx_64", gemm_stack_);
  library_.find("cublasDotEx_64", dot_);
  for (int i = 0; i < 4; ++i) {
    std::string start = std::string("cublas") + kLetters[i];
    library_.find((start + "gemv_v2_64").c_str(), gemv_[i]);
    library_.find((start + "gemvStridedBatched_64").c_str(), gemv_stack_[i]);
    library_.find((start + "getrfBatched").c_str(), getrf_[i]);
    library_.find((start + "getrsBatched").c_str(), getrs_[i]);
  }
}

void Blas::check(cublasStatus_t status, const char* doing) const {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  std::string text = status_text_ ? status_text_(status) : std::to_string(status);
  ErrorKind kind = status == CUBLAS_STATUS_ALLOC_FAILED ? ErrorKind::kMemory : ErrorKind::kRuntime;
  throw Error(kind, std::string("cuBLAS failed while ") + doing + ": " + text);
}

bool Blas::multiply(DType dtype, const MatrixStack& a, const MatrixStack& b, std::byte* out) {
  if (!is_inexact(dtype)) return false;
  auto lies_a = layout_of(a), lies_b = layout_of(b);
  if (!lies_a || !lies_b) return false;
  Elements elements = elements_of(dtype);
  if (a.rows == 1 && b.columns == 1 && a.count == 1) {
    dot(elements, a, b, out);
  } else if (b.columns == 1) {
    multiply_vector(elements, {a.rows, a.columns, *lies_a, a.at, a.step, a.count}, b, out);
  } else if (a.rows == 1) {
    MatrixLayout turned{!lies_b->by_rows, lies_b->leading};
    multiply_vector(elements, {b.columns, b.rows, turned, b.at, b.step, a.count}, a, out);
  } else {
    multiply_matrices(elements, a, *lies_a, b, *lies_b, out);
  }
  return true;
}

void Blas::dot(const Elements& elements, const MatrixStack& a, const MatrixStack& b,
               std::byte* out) {
  device_.activate();
  check(set_pointer_mode_(handle_, CUBLAS_POINTER_MODE_DEVICE), "multiplying vectors");
  cublasStatus_t status = dot_(handle_, a.columns, a.at, elements.type, *vector_step(a), b.at,
                               elements.type, *vector_step(b), out, elements.type, elements.type);
  check(set_pointer_mode_(handle_, CUBLAS_POINTER_MODE_HOST), "multiplying vectors");
  check(status, "multiplying vectors");
}

void Blas::multiply_vector(const Elements& elements, const MatrixVector& matrix,
                           const MatrixStack& vector, std::byte* out) {
  if (matrix.count > 1 && (matrix.step < 0 || vector.step < 0)) {
    for (std::int64_t i = 0; i < matrix.count; ++i) {
      MatrixVector one = matrix;
      one.count = 1;
      one.at += i * matrix.step * bytes_of(elements);
      multiply_vector(elements, one, nth(vector, i, elements),
                      out + i * matrix.rows * bytes_of(elements));
    }
    return;
  }
  bool turned = matrix.layout.by_rows;
  cublasOperation_t operation = turned ? CUBLAS_OP_T : CUBLAS_OP_N;
  std::int64_t m = turned ? matrix.columns : matrix.rows, n = turned ? matrix.rows : matrix.columns;
  const void *one = kOne.as(elements), *zero = kZero.as(elements);
  std::int64_t step = *vector_step(vector);
  device_.activate();
  cublasStatus_t status =
      matrix.count == 1
          ? gemv_[elements.letter](handle_, operation, m, n, one, matrix.at, matrix.layout.leading,
                                   vector.at, step, zero, out, 1)
          : gemv_stack_[elements.letter](handle_, operation, m, n, one, matrix.at,
                                         matrix.layout.leading, matrix.step, vector.at, step,
                                         vector.step, zero, out, 1, matrix.rows, matrix.count);
  check(status, "multiplying a matrix and a vector");
}

void Blas::multiply_matrices(const Elements& elements, const MatrixStack& a,
                             const MatrixLayout& lies_a, const MatrixStack& b,
                             const MatrixLayout& lies_b, std::byte* out) {
  if (a.count > 1 && (a.step < 0 || b.step < 0)) {
    for (std::int64_t i = 0; i < a.count; ++i) {
      multiply_matrices(elements, nth(a, i, elements), lies_a, nth(b, i, elements), lies_b,
                        out + i * a.rows * b.columns * bytes_of(elements));
    }
    return;
  }
  auto operation = [](const MatrixLayout& lies) {
    return lies.by_rows ? CUBLAS_OP_N : CUBLAS_OP_T;
  };
  std::int64_t m = b.columns, n = a.rows, k = a.columns;
  const void *one = kOne.as(elements), *zero = kZero.as(elements);
  bool single = elements.real == CUDA_R_32F;
  cublasComputeType_t compute = single ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F;
  if (single && is_tf32_allowed()) compute = CUBLAS_COMPUTE_32F_FAST_TF32;
  ColumnProduct product{elements.type,
                        compute,
                        m,
                        n,
                        k,
                        a.count,
                        {!lies_b.by_rows, lies_b.leading, b.step},
                        {!lies_a.by_rows, lies_a.leading, a.step},
                        0};
  if (plans_.multiply(product, elements, b.at, a.at, out)) return;
  auto queue = [&] {
    return a.count == 1
               ? gemm_(handle_, operation(lies_b), operation(lies_a), m, n, k, one, b.at,
                       elements.type, lies_b.leading, a.at, elements.type, lies_a.leading, zero,
                       out, elements.type, m, compute, CUBLAS_GEMM_DEFAULT)
               : gemm_stack_(handle_, operation(lies_b), operation(lies_a), m, n, k, one, b.at,
                             elements.type, lies_b.leading, b.step, a.at, elements.type,
                             lies_a.leading, a.step, zero, out, elements.type, m, m * n, a.count,
                             compute, CUBLAS_GEMM_DEFAULT);
  };
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  if (space_) {
    Replay& replay = replays_.find({product, b.at, a.at, out});
    auto there = [&](cudaStream_t stream) { return go_to(stream); };
    status = replay.run(device_, recorder_, there, queue);
  } else {
    device_.activate();
    status = queue();
  }
  check(status, "multiplying matrices");
}

void Blas::factor_lu(const Elements& elements, int n, void* const* matrices, int* pivots, int* info,
                     int count) {
  check(getrf_[elements.letter](handle_, n, matrices, n, pivots, info, count),
        "factoring matrices");
}

void Blas::solve_factored(const Elements& elements, int n, int columns, void* const* matrices,
                          const int* pivots, void* const* b, int count) {
  int wrong = 0;
  check(getrs_[elements.letter](handle_, CUBLAS_OP_N, n, columns, matrices, n, pivots, b, n, &wrong,
                                count),
        "solving systems");
}

}  // namespace strider::nd::cuda
