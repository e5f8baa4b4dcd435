// LU, Cholesky and QR. Stacks of small matrices go to routines that take many at once, or are left
// to the host where there are none.
#include "kernels/backend/cuda/library/solver.h"

#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>

#include "kernels/backend/cuda/device/errors.h"
#include "kernels/backend/cuda/library/solver_work.h"

namespace strider::nd::cuda {
namespace {

constexpr const char* kFile = "libcusolver.so.12";
// Matrices of up to this order are factored together.
constexpr std::int64_t kTogether = 256;

bool go_together(const ColumnStack& stack) { return stack.count > 1 && stack.rows <= kTogether; }

}  // namespace

bool is_for_host(const ColumnStack& stack) {
  constexpr std::int64_t kFew = 8, kSmall = 64 * 64;
  return stack.count > kFew && stack.rows * stack.columns <= kSmall;
}

Solver::Solver(CudaDevice& device, Blas& blas)
    : device_(device), blas_(blas), library_(kFile), functions_(library_) {
  if (!functions_.are_there()) {
    reason_ = library_.is_open() ? library_.complaint("lacks functions") : library_.reason();
    return;
  }
  device_.activate();
  if (functions_.create(&handle_) != CUSOLVER_STATUS_SUCCESS) {
    device_.leave_room(kOwnMemory);
    check(functions_.create(&handle_), "starting");
  }
  check(functions_.set_stream(handle_, device_.stream()), "starting");
  check(functions_.create_parameters(&parameters_), "starting");
}

void Solver::check(cusolverStatus_t status, const char* doing) const {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  ErrorKind kind =
      status == CUSOLVER_STATUS_ALLOC_FAILED ? ErrorKind::kMemory : ErrorKind::kRuntime;
  throw Error(kind, std::string("cuSOLVER failed while ") + doing + ": code " +
                        std::to_string(static_cast<int>(status)));
}

void Solver::factor_one(const Elements& elements, std::int64_t n, std::byte* a,
                        std::int64_t* pivots, int* info) {
  with_work(
      "factoring a matrix",
      [&](std::size_t* there, std::size_t* here) {
        return functions_.getrf_size(handle_, parameters_, n, n, elements.type, a, n, elements.type,
                                     there, here);
      },
      [&](const Work& work) {
        return functions_.getrf(handle_, parameters_, n, n, elements.type, a, n, pivots,
                                elements.type, work.there, work.there_size, work.here,
                                work.here_size, info);
      });
}

Outcome Solver::solve(const Elements& elements, const ColumnStack& a, const ColumnStack& b) {
  device_.activate();
  if (go_together(a) && b.columns <= INT32_MAX) return solve_together(elements, a, b);
  std::int64_t n = a.rows;
  Workspace pivots(device_, static_cast<std::size_t>(n) * sizeof(std::int64_t));
  Info info(device_, 2 * a.count);
  for (std::int64_t k = 0; k < a.count; ++k) {
    check_interrupt();
    factor_one(elements, n, matrix_at(elements, a, k), pivots.as<std::int64_t>(), info.at(2 * k));
    check(functions_.getrs(handle_, parameters_, CUBLAS_OP_N, n, b.columns, elements.type,
                           matrix_at(elements, a, k), n, pivots.as<std::int64_t>(), elements.type,
                           matrix_at(elements, b, k), n, info.at(2 * k + 1)),
          "solving a system");
  }
  return info.outcome();
}

Outcome Solver::solve_together(const Elements& elements, const ColumnStack& a,
                               const ColumnStack& b) {
  int n = static_cast<int>(a.rows), count = static_cast<int>(a.count);
  Workspace pivots(device_, static_cast<std::size_t>(a.count * a.rows) * sizeof(int));
  Info info(device_, a.count);
  Addresses left(device_, elements, a), right(device_, elements, b);
  blas_.factor_lu(elements, n, left.start(), pivots.as<int>(), info.at(0), count);
  blas_.solve_factored(elements, n, static_cast<int>(b.columns), left.start(), pivots.as<int>(),
                       right.start(), count);
  return info.outcome();
}

Outcome Solver::factor_lu(const Elements& elements, const ColumnStack& a, std::int64_t* pivots) {
  device_.activate();
  if (go_together(a)) return factor_together(elements, a, pivots);
  Workspace info(device_, sizeof(int));
  for (std::int64_t k = 0; k < a.count; ++k) {
    check_interrupt();
    factor_one(elements, a.rows, matrix_at(elements, a, k), pivots + k * a.rows, info.as<int>());
  }
  return Outcome::kDone;
}

// Pivots come as int and are spread into the lower halves of cleared 64-bit words.
Outcome Solver::factor_together(const Elements& elements, const ColumnStack& a,
                                std::int64_t* pivots) {
  auto words = static_cast<std::size_t>(a.count * a.rows);
  Workspace narrow(device_, words * sizeof(int));
  Info info(device_, a.count);
  Addresses matrices(device_, elements, a);
  blas_.factor_lu(elements, static_cast<int>(a.rows), matrices.start(), narrow.as<int>(),
                  info.at(0), static_cast<int>(a.count));
  device_.clear(reinterpret_cast<std::byte*>(pivots), words * sizeof(std::int64_t));
  cuda::check(cudaMemcpy2DAsync(pivots, sizeof(std::int64_t), narrow.start(), sizeof(int),
                                sizeof(int), words, cudaMemcpyDeviceToDevice, device_.stream()),
              "copying pivots");
  return Outcome::kDone;
}

Outcome Solver::factor_cholesky(const Elements& elements, const ColumnStack& a, bool upper) {
  device_.activate();
  cublasFillMode_t triangle = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  std::int64_t n = a.rows;
  Info info(device_, a.count);
  if (go_together(a)) {
    Addresses matrices(device_, elements, a);
    check(functions_.potrf_stack[elements.letter](handle_, triangle, static_cast<int>(n),
                                                  matrices.start(), static_cast<int>(n), info.at(0),
                                                  static_cast<int>(a.count)),
          "factoring matrices");
    return info.outcome();
  }
  for (std::int64_t k = 0; k < a.count; ++k) {
    check_interrupt();
    std::byte* at = matrix_at(elements, a, k);
    with_work(
        "factoring a matrix",
        [&](std::size_t* there, std::size_t* here) {
          return functions_.potrf_size(handle_, parameters_, triangle, n, elements.type, at, n,
                                       elements.type, there, here);
        },
        [&](const Work& work) {
          return functions_.potrf(handle_, parameters_, triangle, n, elements.type, at, n,
                                  elements.type, work.there, work.there_size, work.here,
                                  work.here_size, info.at(k));
        });
  }
  return info.outcome();
}

Outcome Solver::factor_qr(const Elements& elements, const ColumnStack& a, std::byte* scalars) {
  if (is_for_host(a)) return Outcome::kRefused;
  device_.activate();
  Workspace info(device_, sizeof(int));
  auto pitch = static_cast<std::size_t>(std::min(a.rows, a.columns)) * elements.size;
  for (std::int64_t k = 0; k < a.count; ++k, scalars += pitch) {
    check_interrupt();
    std::byte* at = matrix_at(elements, a, k);
    with_work(
        "factoring a matrix",
        [&](std::size_t* there, std::size_t* here) {
          return functions_.geqrf_size(handle_, parameters_, a.rows, a.columns, elements.type, at,
                                       a.rows, elements.type, scalars, elements.type, there, here);
        },
        [&](const Work& work) {
          return functions_.geqrf(handle_, parameters_, a.rows, a.columns, elements.type, at,
                                  a.rows, elements.type, scalars, elements.type, work.there,
                                  work.there_size, work.here, work.here_size, info.as<int>());
        });
  }
  return Outcome::kDone;
}

Outcome Solver::form_q(const Elements& elements, const ColumnStack& q, std::int64_t reflections,
                       const std::byte* scalars) {
  bool fits = q.rows <= INT32_MAX && q.columns <= q.rows && reflections <= q.columns;
  if (!fits || is_for_host(q)) return Outcome::kRefused;
  device_.activate();
  int m = static_cast<int>(q.rows), n = static_cast<int>(q.columns);
  int count = static_cast<int>(reflections), size = 0;
  check(functions_.orgqr_size[elements.letter](handle_, m, n, count, q.at, m, scalars, &size),
        "forming Q");
  Workspace work(device_, static_cast<std::size_t>(size) * elements.size);
  Workspace info(device_, sizeof(int));
  for (std::int64_t k = 0; k < q.count; ++k) {
    check_interrupt();
    check(functions_.orgqr[elements.letter](
              handle_, m, n, count, matrix_at(elements, q, k), m,
              scalars + static_cast<std::size_t>(k * reflections) * elements.size, work.start(),
              size, info.as<int>()),
          "forming Q");
  }
  return Outcome::kDone;
}

}  // namespace strider::nd::cuda
