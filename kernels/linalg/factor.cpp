// qr and svd: orthogonal factors of general matrices; lstsq on the singular values.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/linalg.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/linalg/columns.h"

namespace strider::nd {
namespace {

template <class T>
using Workspace = std::vector<T>;

template <class T>
T* resized(Workspace<T>& work, int size) {
  work.resize(static_cast<std::size_t>(at_least_one(size)));
  return work.data();
}

// Householder factors of one m by n matrix in place, and their scalars.
template <class T>
void factor_qr(T* a, int m, int n, T* tau, Workspace<T>& work) {
  int leading = at_least_one(m), info = 0, size = -1;
  T answer{};
  LibraryThreads threads(std::min(m, n) >= kLargeSystem);
  call(routines<T>().geqrf, &m, &n, a, &leading, tau, &answer, &size, &info);
  size = queried_size(answer);
  call(routines<T>().geqrf, &m, &n, a, &leading, tau, resized(work, size), &size, &info);
}

// The first `columns` columns of Q in place of the Householder vectors.
template <class T>
void form_q(T* a, int m, int columns, int k, T* tau, Workspace<T>& work) {
  int leading = at_least_one(m), info = 0, size = -1;
  T answer{};
  LibraryThreads threads(std::min(m, columns) >= kLargeSystem);
  call(routines<T>().orgqr, &m, &columns, &k, a, &leading, tau, &answer, &size, &info);
  size = queried_size(answer);
  call(routines<T>().orgqr, &m, &columns, &k, a, &leading, tau, resized(work, size), &size, &info);
}

// Copies the upper triangle of packed columns (height m) into columns of height `rows`.
template <class T>
void copy_upper(const T* from, int m, int n, int rows, T* to) {
  for (std::int64_t column = 0; column < n; ++column)
    for (std::int64_t row = 0; row < rows; ++row)
      to[column * rows + row] = row <= column ? from[column * m + row] : T(0);
}

template <class T>
Qr run_qr(const Array& a, QrMode mode) {
  int m = to_int(a.shape()[a.rank() - 2]), n = to_int(a.shape().back()), k = std::min(m, n);
  Dims stack = stack_shape(a, 2);
  std::int64_t count = element_count(stack);
  int q_columns = mode == QrMode::kComplete ? m : k, r_rows = q_columns;
  DType dtype = dtype_of<T>;
  Array columns = to_columns(a, dtype), tau = Array::zeros(with_core(stack, {k}), dtype);
  Array r = Array::zeros(with_core(stack, {n, r_rows}), dtype);
  bool wants_q = mode == QrMode::kReduced || mode == QrMode::kComplete;
  Array q = Array::zeros(with_core(stack, {wants_q ? q_columns : 0, m}), dtype);
  Workspace<T> work;
  for (std::int64_t i = 0; i < count && m > 0; ++i) {
    check_interrupt();
    T* at = columns.mutable_as<T>() + i * m * n;
    T* scalars = tau.mutable_as<T>() + i * k;
    if (n > 0) factor_qr(at, m, n, scalars, work);
    copy_upper(at, m, n, r_rows, r.mutable_as<T>() + i * n * r_rows);
    if (!wants_q || q_columns == 0) continue;
    T* to = q.mutable_as<T>() + i * m * q_columns;
    std::copy_n(at, std::int64_t{m} * std::min(n, q_columns), to);
    form_q(to, m, q_columns, k, scalars, work);
  }
  if (mode == QrMode::kRaw) return {columns, tau};
  if (mode == QrMode::kR) return {Array(), from_columns(r)};
  return {from_columns(q), from_columns(r)};
}

}  // namespace

Qr qr(const Array& a, QrMode mode) {
  return dispatch_lapack(lapack_type(a.dtype()),
                         [&](auto zero) { return run_qr<decltype(zero)>(a, mode); });
}

namespace {

// The sizes of one singular value decomposition.
struct SvdShape {
  char job;  // 'A' all vectors, 'S' the first min(m, n), 'N' none
  int m, n, k;
  int u_columns() const { return job == 'A' ? m : job == 'S' ? k : 0; }
  int vt_rows() const { return job == 'A' ? n : job == 'S' ? k : 0; }
};

template <class T>
class SvdRoutine {
 public:
  using Real = RealOf<T>;
  explicit SvdRoutine(const SvdShape& shape) : shape_(shape), pivots_(8u * unsigned_of(shape.k)) {
    std::size_t k = unsigned_of(shape.k), larger = unsigned_of(std::max(shape.m, shape.n));
    std::size_t full = std::max(5 * k * k + 5 * k, 2 * larger * k + 2 * k * k + k);
    if (kHasImaginary<T>)
      real_work_.resize(std::max<std::size_t>(1, shape.job == 'N' ? 7 * k : full));
  }

  void run(T* a, Real* s, T* u, T* vt) {
    if (size_ == 0) {
      T answer{};
      size_ = -1;
      invoke(a, s, u, vt, &answer);
      size_ = queried_size(answer);
      work_.resize(unsigned_of(size_));
    }
    if (invoke(a, s, u, vt, work_.data()) > 0)
      throw Error(ErrorKind::kLinAlg, "SVD did not converge");
  }

 private:
  static std::size_t unsigned_of(int value) { return static_cast<std::size_t>(value); }

  int invoke(T* a, Real* s, T* u, T* vt, T* work) {
    int info = 0, leading = at_least_one(shape_.m), leading_vt = at_least_one(shape_.vt_rows());
    LibraryThreads threads(std::min(shape_.m, shape_.n) >= kLargeSystem);
    const Routine routine = routines<T>().gesdd;
    if constexpr (kHasImaginary<T>)
      call(routine, &shape_.job, &shape_.m, &shape_.n, a, &leading, s, u, &leading, vt, &leading_vt,
           work, &size_, real_work_.data(), pivots_.data(), &info, kOneLetter);
    else
      call(routine, &shape_.job, &shape_.m, &shape_.n, a, &leading, s, u, &leading, vt, &leading_vt,
           work, &size_, pivots_.data(), &info, kOneLetter);
    return info;
  }

  SvdShape shape_;
  int size_ = 0;
  std::vector<int> pivots_;
  std::vector<Real> real_work_;
  std::vector<T> work_;
};

// Matrices with ones on the diagonal: the factors of matrices without elements.
Array identities(const Dims& stack, int rows, int columns, DType dtype) {
  Array eye = Array::zeros({rows, columns}, dtype);
  for (std::int64_t i = 0; i < std::min(rows, columns); ++i)
    eye.set_item_at({i, i}, Scalar(1.0).as(dtype));
  return eye.broadcast_to(with_core(stack, {rows, columns})).copy();
}

template <class T>
Svd run_svd(const Array& a, char job) {
  int m = to_int(a.shape()[a.rank() - 2]), n = to_int(a.shape().back());
  SvdShape shape{job, m, n, std::min(m, n)};
  Dims stack = stack_shape(a, 2);
  DType dtype = dtype_of<T>, real = real_of(dtype);
  int u_columns = shape.u_columns(), vt_rows = shape.vt_rows();
  Array s = Array::empty(with_core(stack, {shape.k}), real);
  if (shape.k == 0)
    return {identities(stack, m, u_columns, dtype), s, identities(stack, vt_rows, n, dtype)};
  Array columns = to_columns(a, dtype), u = Array::empty(with_core(stack, {u_columns, m}), dtype),
        vt = Array::empty(with_core(stack, {n, vt_rows}), dtype);
  SvdRoutine<T> routine(shape);
  std::int64_t count = element_count(stack), size = std::int64_t{m} * n;
  for (std::int64_t i = 0; i < count; ++i) {
    check_interrupt();
    routine.run(columns.mutable_as<T>() + i * size, s.mutable_as<RealOf<T>>() + i * shape.k,
                u.mutable_as<T>() + i * m * u_columns, vt.mutable_as<T>() + i * n * vt_rows);
  }
  if (job == 'N') return {Array(), s, Array()};
  return {from_columns(u), s, from_columns(vt)};
}

}  // namespace

Svd svd(const Array& a, bool full_matrices, bool compute_uv) {
  char job = !compute_uv ? 'N' : full_matrices ? 'A' : 'S';
  return dispatch_lapack(lapack_type(a.dtype()),
                         [&](auto zero) { return run_svd<decltype(zero)>(a, job); });
}

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
    std::vector<T> work(static_cast<std::size_t>(size));
    std::vector<Real> real_work(
        static_cast<std::size_t>(at_least_one(static_cast<int>(real_answer))));
    std::vector<int> integers(static_cast<std::size_t>(at_least_one(integer_answer)));
    int info = invoke(a, m, n, columns, b, s, rcond, work.data(), &size, real_work.data(),
                      integers.data());
    if (info > 0) throw Error(ErrorKind::kLinAlg, "SVD did not converge in Linear Least Squares");
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

}  // namespace

LeastSquares lstsq(const Array& a, const Array& b, double rcond) {
  return dispatch_lapack(lapack_type(promote(a.dtype(), b.dtype())),
                         [&](auto zero) { return run_lstsq<decltype(zero)>(a, b, rcond); });
}

}  // namespace strider::nd
