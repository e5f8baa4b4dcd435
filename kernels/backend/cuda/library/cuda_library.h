// CudaLibrary: NVIDIA's libraries behind the contract of a device's. Each is opened when it is
// first needed; where it cannot be, the host computes and the log says why.
#pragma once

#include <memory>
#include <mutex>

#include "kernels/backend/cuda/device/cuda_device.h"
#include "kernels/backend/library.h"

namespace strider::nd::cuda {

class Blas;
class Fourier;
class Solver;

class CudaLibrary : public Library {
 public:
  explicit CudaLibrary(CudaDevice& device);
  ~CudaLibrary() override;

  bool multiply(DType dtype, const MatrixStack& a, const MatrixStack& b, std::byte* out) override;
  Outcome solve(DType dtype, const ColumnStack& a, const ColumnStack& b) override;
  Outcome factor_lu(DType dtype, const ColumnStack& a, std::int64_t* pivots) override;
  Outcome factor_cholesky(DType dtype, const ColumnStack& a, bool upper) override;
  Outcome factor_qr(DType dtype, const ColumnStack& a, std::byte* scalars) override;
  Outcome form_q(DType dtype, const ColumnStack& q, std::int64_t reflections,
                 const std::byte* scalars) override;
  Outcome decompose_singular(DType dtype, SingularVectors vectors, const ColumnStack& a,
                             std::byte* s, std::byte* u, std::byte* vh) override;
  Outcome decompose_symmetric(DType dtype, const ColumnStack& a, bool lower, bool vectors,
                              std::byte* values) override;
  Outcome decompose_general(DType dtype, const ColumnStack& a, std::byte* values,
                            std::byte* vectors) override;
  bool transform(const Transform& transform, std::byte* from, std::byte* to) override;
  bool draw(const RandomStream& stream, const RandomDraw& draw, std::byte* to, std::int64_t count,
            std::int64_t* used) override;

 private:
  // Null where they cannot be opened.
  Blas* blas();
  Solver* solver();
  Fourier* fourier();

  // Calls use(solver); refuses where there is none.
  template <class Use>
  Outcome with_solver(Use&& use);

  CudaDevice& device_;
  std::mutex lock_;  // a library does one thing at a time
  std::unique_ptr<Blas> blas_;
  std::unique_ptr<Solver> solver_;
  std::unique_ptr<Fourier> fourier_;
};

}  // namespace strider::nd::cuda
