// lstsq: on the host by LAPACK; on a device by the singular value decomposition.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/linalg.h>
#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/index/arithmetic.h"
#include "kernels/linalg/columns.h"
#include "kernels/linalg/room.h"
#include "kernels/linalg/site.h"
#include "kernels/linalg/stack_product.h"

namespace strider::nd {
namespace {

template <class T>
class LeastSquaresRoutine {
 public:
  using Real = RealOf<T>;

  // Solves in place: b (max(m, n) by columns) receives x; returns the rank.
  int run(T* a, int m, int n, int columns, T* b, Real* s, Real rcond) {
    T answer{};
    Real real_answer{};
    int integer_answer = 0, size = -1;
    invoke(a, m, n, columns, b, s, rcond, &answer, &size, &real_answer, &integer_answer);
    size = queried_size(answer);
    std::vector<T> work;
    make_work_space(work, size, std::max(m, n));
    std::vector<Real> real_work(
        static_cast<std::size_t>(at_least_one(static_cast<int>(real_answer))));
    std::vector<int> integers(static_cast<std::size_t>(at_least_one(integer_answer)));
    RoomyMatrix<T> matrix(a, m, n, false), right(b, std::max(m, n), columns, false);
    int info = invoke(matrix.get(), m, n, columns, right.get(), s, rcond, work.data(), &size,
                      real_work.data(), integers.data());
    if (info != 0) throw Error(ErrorKind::kLinAlg, "SVD did not converge in Linear Least Squares");
    return rank_;
  }

 private:
  int invoke(T* a, int m, int n, int columns, T* b, Real* s, Real rcond, T* work, int* size,
             Real* real_work, int* integers) {
    int info = 0, leading = at_least_one(m), leading_b = at_least_one(std::max(m, n));
    LibraryThreads threads(std::min(m, n) >= kLargeSystem);
    const Routine routine = routines<T>().gelsd;
    if constexpr (kHasImaginary<T>)
      call(routine, &m, &n, &columns, a, &leading, b, &leading_b, s, &rcond, &rank_, work, size,
           real_work, integers, &info);
    else
      call(routine, &m, &n, &columns, a, &leading, b, &leading_b, s, &rcond, &rank_, work, size,
           integers, &info);
    return info;
  }

  int rank_ = 0;
};

// Squared 2-norms of rows n .. m-1 of each column.
template <class T>
void sum_squares(const T* b, int height, int m, int n, int columns, RealOf<T>* to) {
  for (std::int64_t column = 0; column < columns; ++column) {
    RealOf<T> sum = 0;
    for (std::int64_t row = n; row < m; ++row) sum += std::norm(b[column * height + row]);
    to[column] = sum;
  }
}

template <class T>
LeastSquares run_lstsq(const Array& a, const Array& b, double rcond) {
  int m = to_int(a.shape()[0]), n = to_int(a.shape()[1]), columns = to_int(b.shape()[1]);
  int height = std::max(m, n), k = std::min(m, n);
  DType dtype = dtype_of<T>, real = real_of(dtype);
  Array left = to_columns(a, dtype), right = Array::zeros({columns, height}, dtype);
  std::int64_t item = item_size(dtype);
  right.view({columns, m}, {height * item, item}, 0).assign(b.swap_axes(0, 1));
  LeastSquares result;
  result.s = Array::empty({k}, real);
  int rank = 0;
  if (k > 0 && columns > 0)
    rank = LeastSquaresRoutine<T>().run(left.mutable_as<T>(), m, n, columns, right.mutable_as<T>(),
                                        result.s.mutable_as<RealOf<T>>(),
                                        static_cast<RealOf<T>>(rcond));
  result.rank = Array::scalar(Scalar(std::int32_t{rank}));
  result.residuals = Array::zeros({columns}, real);
  sum_squares(right.as<T>(), height, m, n, columns, result.residuals.mutable_as<RealOf<T>>());
  result.x = right.view({n, columns}, {item, height * item}, 0).copy();
  if (k == 0) result.x = Array::zeros({n, columns}, dtype);
  return result;
}

// How many of `count` singular values, which descend, are not negligible; those are inverted, the
// others become 0.
template <class T>
std::int64_t invert_singular_values(const T* s, std::int64_t count, double rcond, T* inverses) {
  T least = static_cast<T>(rcond < 0 ? std::numeric_limits<T>::epsilon() : rcond) * s[0];
  std::int64_t rank = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    bool counts = s[i] > least;
    rank += counts;
    inverses[i] = counts ? 1 / s[i] : T(0);
  }
  return rank;
}

// x = v s^-1 u' b on a device; the singular values alone are waited for.
LeastSquares solve_there(const Array& a, const Array& b, DType dtype, double rcond) {
  Array left = a.astype(dtype, Order::kKeep, false), right = b.astype(dtype, Order::kKeep, false);
  Svd factors = svd(left, false);
  DType real = real_of(dtype);
  std::int64_t k = factors.s.size();
  Array inverses = Array::empty({k, 1}, real);
  std::int64_t rank =
      real == DType::kFloat32
          ? invert_singular_values(factors.s.as<float>(), k, rcond, inverses.mutable_as<float>())
          : invert_singular_values(factors.s.as<double>(), k, rcond, inverses.mutable_as<double>());
  Array weights = multiply_two(conjugated(factors.u).swap_axes(0, 1), right, dtype);
  LeastSquares result;
  result.x = multiply_two(conjugated(factors.vh).swap_axes(0, 1),
                          multiply_elements(inverses, weights, dtype), dtype);
  Array rest = apply(Op::kSubtract, right, multiply_two(left, result.x, dtype));
  Array squares = multiply_elements(rest, conjugated(rest), dtype);
  ReduceOptions down;
  down.axes = Axes(0);
  result.residuals = sum(squares, down).real().astype(real, Order::kC, false).contiguous();
  result.rank = Array::scalar(Scalar(static_cast<std::int32_t>(rank)));
  result.s = factors.s;
  return result;
}

}  // namespace

LeastSquares lstsq(const Array& a, const Array& b, double rcond) {
  DType dtype = lapack_type(promote(a.dtype(), b.dtype()));
  Site site({&a, &b}, 8 * cubic_work(a));
  if (site.on_device()) return solve_there(a, b, dtype, rcond);
  LeastSquares found = dispatch_lapack(
      site.computing(dtype), [&](auto zero) { return run_lstsq<decltype(zero)>(a, b, rcond); });
  DType real = real_of(dtype);
  return {in_type(found.x, dtype), in_type(found.residuals, real), found.rank,
          in_type(found.s, real)};
}

}  // namespace strider::nd
