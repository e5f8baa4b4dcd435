// Opens libraries and hands them their work.
#include "kernels/backend/cuda/library/cuda_library.h"

#include "kernels/backend/cuda/library/blas.h"
#include "kernels/backend/cuda/library/fourier.h"
#include "kernels/backend/cuda/library/opening.h"
#include "kernels/backend/cuda/library/solver.h"
#include "kernels/backend/cuda/precompiled/draw.h"

namespace strider::nd::cuda {

CudaLibrary::CudaLibrary(CudaDevice& device) : device_(device) {}

CudaLibrary::~CudaLibrary() = default;

Blas* CudaLibrary::blas() { return open_once(blas_, device_); }

Solver* CudaLibrary::solver() {
  Blas* products = blas();
  return products ? open_once(solver_, device_, *products) : nullptr;
}

Fourier* CudaLibrary::fourier() { return open_once(fourier_, device_); }

template <class Use>
Outcome CudaLibrary::with_solver(Use&& use) {
  std::lock_guard<std::mutex> guard(lock_);
  Solver* opened = solver();
  return opened ? use(*opened) : Outcome::kRefused;
}

bool CudaLibrary::multiply(DType dtype, const MatrixStack& a, const MatrixStack& b,
                           std::byte* out) {
  std::lock_guard<std::mutex> guard(lock_);
  Blas* opened = blas();
  return opened && opened->multiply(dtype, a, b, out);
}

Outcome CudaLibrary::solve(DType dtype, const ColumnStack& a, const ColumnStack& b) {
  return with_solver([&](Solver& solver) { return solver.solve(elements_of(dtype), a, b); });
}

Outcome CudaLibrary::factor_lu(DType dtype, const ColumnStack& a, std::int64_t* pivots) {
  return with_solver(
      [&](Solver& solver) { return solver.factor_lu(elements_of(dtype), a, pivots); });
}

Outcome CudaLibrary::factor_cholesky(DType dtype, const ColumnStack& a, bool upper) {
  return with_solver(
      [&](Solver& solver) { return solver.factor_cholesky(elements_of(dtype), a, upper); });
}

Outcome CudaLibrary::factor_qr(DType dtype, const ColumnStack& a, std::byte* scalars) {
  return with_solver(
      [&](Solver& solver) { return solver.factor_qr(elements_of(dtype), a, scalars); });
}

Outcome CudaLibrary::form_q(DType dtype, const ColumnStack& q, std::int64_t reflections,
                            const std::byte* scalars) {
  return with_solver(
      [&](Solver& solver) { return solver.form_q(elements_of(dtype), q, reflections, scalars); });
}

Outcome CudaLibrary::decompose_singular(DType dtype, SingularVectors vectors, const ColumnStack& a,
                                        std::byte* s, std::byte* u, std::byte* vh) {
  return with_solver([&](Solver& solver) {
    return solver.decompose_singular(elements_of(dtype), vectors, a, s, u, vh);
  });
}

Outcome CudaLibrary::decompose_symmetric(DType dtype, const ColumnStack& a, bool lower,
                                         bool vectors, std::byte* values) {
  return with_solver([&](Solver& solver) {
    return solver.decompose_symmetric(elements_of(dtype), a, lower, vectors, values);
  });
}

Outcome CudaLibrary::decompose_general(DType dtype, const ColumnStack& a, std::byte* values,
                                       std::byte* vectors) {
  return with_solver([&](Solver& solver) {
    return solver.decompose_general(elements_of(dtype), a, values, vectors);
  });
}

bool CudaLibrary::transform(const Transform& transform, std::byte* from, std::byte* to) {
  std::lock_guard<std::mutex> guard(lock_);
  Fourier* opened = fourier();
  return opened && opened->transform(transform, from, to);
}

bool CudaLibrary::draw(const RandomStream& stream, const RandomDraw& draw, std::byte* to,
                       std::int64_t count, std::int64_t* used) {
  device_.activate();
  Queue queue{device_, device_.stream()};
  auto draw_it = stream.kind == StreamKind::kPhilox      ? draw_philox
                 : stream.kind == StreamKind::kPcg64Dxsm ? draw_pcg64_dxsm
                                                         : draw_pcg64;
  return draw_it(queue, stream, draw, to, count, used);
}

}  // namespace strider::nd::cuda
