// cuSOLVER: factors, singular values and eigenvalues of matrices, opened at the first use. Outcomes
// that depend on the elements are read from the device, which waits for it.
#pragma once

#include <cusolverDn.h>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/cuda/library/blas.h"
#include "kernels/backend/cuda/library/elements.h"
#include "kernels/backend/cuda/library/solver_functions.h"
#include "kernels/backend/cuda/toolkit.h"
#include "kernels/backend/library.h"

namespace strider::nd::cuda {

class Solver {
 public:
  // Check is_open() before anything else. `blas` is open.
  Solver(CudaDevice& device, Blas& blas);
  Solver(const Solver&) = delete;

  bool is_open() const { return handle_ != nullptr; }
  const std::string& reason() const { return reason_; }

  // As the contract's.
  Outcome solve(const Elements& elements, const ColumnStack& a, const ColumnStack& b);
  Outcome factor_lu(const Elements& elements, const ColumnStack& a, std::int64_t* pivots);
  Outcome factor_cholesky(const Elements& elements, const ColumnStack& a, bool upper);
  Outcome factor_qr(const Elements& elements, const ColumnStack& a, std::byte* scalars);
  Outcome form_q(const Elements& elements, const ColumnStack& q, std::int64_t reflections,
                 const std::byte* scalars);
  Outcome decompose_singular(const Elements& elements, SingularVectors vectors,
                             const ColumnStack& a, std::byte* s, std::byte* u, std::byte* vh);
  Outcome decompose_symmetric(const Elements& elements, const ColumnStack& a, bool lower,
                              bool vectors, std::byte* values);
  Outcome decompose_general(const Elements& elements, const ColumnStack& a, std::byte* values,
                            std::byte* vectors);

 private:
  class Addresses;
  class Info;

  void check(cusolverStatus_t status, const char* doing) const;
  // Asks for the work space of a call, then makes it: call(space, bytes, host_space, host_bytes).
  template <class Size, class Call>
  void with_work(const char* doing, Size&& size, Call&& call);
  void factor_one(const Elements& elements, std::int64_t n, std::byte* a, std::int64_t* pivots,
                  int* info);
  Outcome solve_together(const Elements& elements, const ColumnStack& a, const ColumnStack& b);
  Outcome factor_together(const Elements& elements, const ColumnStack& a, std::int64_t* pivots);
  void widen_vectors(const Elements& elements, std::int64_t n, const std::byte* values,
                     const std::byte* packed, std::byte* vectors);

  CudaDevice& device_;
  Blas& blas_;
  ToolkitLibrary library_;
  std::string reason_;
  cusolverDnHandle_t handle_ = nullptr;
  cusolverDnParams_t parameters_ = nullptr;
  SolverFunctions functions_;
};

}  // namespace strider::nd::cuda
