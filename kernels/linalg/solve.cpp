// solve, inv, det, slogdet, cholesky: routines on LU and Cholesky factors.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/linalg.h>

#include <cmath>
#include <vector>

#include "kernels/linalg/columns.h"

namespace strider::nd {
namespace {

[[noreturn]] void throw_linalg(const char* message) { throw Error(ErrorKind::kLinAlg, message); }

// Solves `count` systems of order n in place: a is destroyed, b (n by columns each) becomes x.
template <class T>
void solve_stack(T* a, T* b, std::int64_t count, int n, int columns) {
  std::vector<int> pivots(static_cast<std::size_t>(n));
  int leading = at_least_one(n), info = 0;
  LibraryThreads threads(n >= kLargeSystem || columns >= kLargeSystem);
  std::int64_t size_a = std::int64_t{n} * n, size_b = std::int64_t{n} * columns;
  for (std::int64_t k = 0; k < count; ++k) {
    check_interrupt();
    call(routines<T>().gesv, &n, &columns, a + k * size_a, &leading, pivots.data(), b + k * size_b,
         &leading, &info);
    if (info > 0) throw_linalg("Singular matrix");
  }
}

Dims common_stack(const Array& a, const Array& b) {
  Dims stacks[] = {stack_shape(a, 2), stack_shape(b, 2)};
  return stacks[0] == stacks[1] ? stacks[0] : broadcast_shapes(stacks);
}

Array spread(const Array& a, const Dims& stack) {
  if (stack_shape(a, 2) == stack) return a;
  return a.broadcast_to(with_core(stack, {a.shape()[a.rank() - 2], a.shape().back()}));
}

Array solve_matrices(const Array& a, const Array& b, DType dtype) {
  std::int64_t n = a.shape().back(), columns = b.shape().back();
  if (b.shape()[b.rank() - 2] != n)
    throw Error(ErrorKind::kValue,
                "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                "signature (m,m),(m,n)->(m,n) (size " +
                    std::to_string(b.shape()[b.rank() - 2]) + " is different from " +
                    std::to_string(n) + ")");
  Dims stack = common_stack(a, b);
  Array left = to_columns(spread(a, stack), dtype), right = to_columns(spread(b, stack), dtype);
  if (n > 0 && columns > 0)
    dispatch_lapack(dtype, [&](auto zero) {
      using T = decltype(zero);
      solve_stack(left.mutable_as<T>(), right.mutable_as<T>(), element_count(stack), to_int(n),
                  to_int(columns));
    });
  return from_columns(right);
}

}  // namespace

Array solve(const Array& a, const Array& b) {
  DType dtype = lapack_type(promote(a.dtype(), b.dtype()));
  if (b.rank() != 1) return solve_matrices(a, b, dtype);
  std::int64_t n = a.shape().back();
  if (b.shape()[0] != n)
    throw Error(ErrorKind::kValue,
                "solve1: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                "signature (m,m),(m)->(m) (size " +
                    std::to_string(b.shape()[0]) + " is different from " + std::to_string(n) + ")");
  Array x = solve_matrices(a, b.reshape({n, 1}), dtype);
  return x.reshape(with_core(stack_shape(x, 2), {n}));
}

Array inv(const Array& a) {
  DType dtype = lapack_type(a.dtype());
  std::int64_t n = a.shape().back();
  Array identity = Array::zeros({n, n}, dtype);
  Scalar one = Scalar(1.0).as(dtype);
  for (std::int64_t i = 0; i < n; ++i) identity.set_item_at({i, i}, one);
  return solve_matrices(a, identity, dtype);
}

namespace {

// The sign and the logarithm of the determinant of one factored matrix.
template <class T>
struct Determinant {
  T sign;
  RealOf<T> logarithm;
};

template <class T>
Determinant<T> determinant_of(T* a, int n, std::vector<int>& pivots) {
  int leading = at_least_one(n), info = 0;
  LibraryThreads threads(n >= kLargeSystem);
  if (n > 0) call(routines<T>().getrf, &n, &n, a, &leading, pivots.data(), &info);
  if (info > 0) return {T(0), -HUGE_VALF};
  bool odd = false;
  for (int i = 0; i < n; ++i) odd ^= pivots[static_cast<std::size_t>(i)] != i + 1;
  Determinant<T> result{odd ? T(-1) : T(1), 0};
  for (int i = 0; i < n; ++i) {
    T element = a[std::int64_t{i} * n + i];
    RealOf<T> size = std::abs(element);
    if constexpr (kHasImaginary<T>) {
      T unit(element.real() / size, element.imag() / size);
      result.sign *= unit;
    } else if (element < 0) {
      result.sign = -result.sign;
    }
    result.logarithm += std::log(size);
  }
  return result;
}

template <class T, class Store>
void each_determinant(const Array& a, Store&& store) {
  int n = to_int(a.shape().back());
  Array columns = to_columns(a, dtype_of<T>);
  std::vector<int> pivots(static_cast<std::size_t>(n));
  T* at = columns.mutable_as<T>();
  std::int64_t count = element_count(stack_shape(a, 2));
  for (std::int64_t k = 0; k < count; ++k) store(k, determinant_of(at + k * n * n, n, pivots));
}

}  // namespace

Array det(const Array& a) {
  DType dtype = lapack_type(a.dtype());
  Array result = Array::empty(stack_shape(a, 2), dtype);
  dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* to = result.mutable_as<T>();
    each_determinant<T>(a, [to](std::int64_t k, const Determinant<T>& determinant) {
      to[k] = determinant.sign * std::exp(determinant.logarithm);
    });
  });
  return result;
}

SignedLogarithm slogdet(const Array& a) {
  DType dtype = lapack_type(a.dtype());
  SignedLogarithm result{Array::empty(stack_shape(a, 2), dtype),
                         Array::empty(stack_shape(a, 2), real_of(dtype))};
  dispatch_lapack(dtype, [&](auto zero) {
    using T = decltype(zero);
    T* sign = result.sign.mutable_as<T>();
    auto* logarithm = result.logarithm.mutable_as<RealOf<T>>();
    each_determinant<T>(a, [=](std::int64_t k, const Determinant<T>& determinant) {
      sign[k] = determinant.sign;
      logarithm[k] = determinant.logarithm;
    });
  });
  return result;
}

namespace {

// Factors one matrix and clears the other triangle.
template <class T>
void factor_cholesky(T* a, int n, char triangle) {
  int info = 0;
  LibraryThreads threads(n >= kLargeSystem);
  call(routines<T>().potrf, &triangle, &n, a, &n, &info, kOneLetter);
  if (info > 0) throw_linalg("Matrix is not positive definite");
  for (std::int64_t column = 0; column < n; ++column) {
    std::int64_t first = triangle == 'L' ? 0 : column + 1, last = triangle == 'L' ? column : n;
    for (std::int64_t row = first; row < last; ++row) a[column * n + row] = T(0);
  }
}

}  // namespace

Array cholesky(const Array& a, bool upper) {
  DType dtype = lapack_type(a.dtype());
  int n = to_int(a.shape().back());
  Array columns = to_columns(a, dtype);
  if (n > 0)
    dispatch_lapack(dtype, [&](auto zero) {
      using T = decltype(zero);
      T* at = columns.mutable_as<T>();
      std::int64_t count = element_count(stack_shape(a, 2));
      for (std::int64_t k = 0; k < count; ++k)
        factor_cholesky(at + k * n * n, n, upper ? 'U' : 'L');
    });
  return from_columns(columns);
}

}  // namespace strider::nd
