// solve, inv, det, slogdet, cholesky: routines on LU and Cholesky factors.
#include <strider/nd/error.h>
#include <strider/nd/index.h>
#include <strider/nd/linalg.h>

#include <cmath>
#include <vector>

#include "kernels/core/watch.h"
#include "kernels/linalg/columns.h"
#include "kernels/linalg/site.h"

namespace strider::nd {
namespace {

Dims common_stack(const Array& a, const Array& b) {
  Dims stacks[] = {stack_shape(a, 2), stack_shape(b, 2)};
  return stacks[0] == stacks[1] ? stacks[0] : broadcast_shapes(stacks);
}

Array spread(const Array& a, const Dims& stack) {
  if (stack_shape(a, 2) == stack) return a;
  return a.broadcast_to(with_core(stack, {a.shape()[a.rank() - 2], a.shape().back()}));
}

Array solve_matrices(const Array& a, const Array& b, DType dtype) {
  std::int64_t n = a.shape().back();
  if (b.shape()[b.rank() - 2] != n)
    throw Error(ErrorKind::kValue,
                "solve: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
                "signature (m,m),(m,n)->(m,n) (size " +
                    std::to_string(b.shape()[b.rank() - 2]) + " is different from " +
                    std::to_string(n) + ")");
  Site site({&a, &b}, (cubic_work(a) + 3 * cubic_work(b)) / 3);
  Dims stack = common_stack(a, b);
  DType computed = site.computing(dtype);
  Array left = to_columns(spread(a, stack), computed),
        right = to_columns(spread(b, stack), computed);
  if (right.size() > 0)
    site.run("Singular matrix", [&](Library& library) {
      return library.solve(computed, site.columns(left), site.columns(right));
    });
  return from_columns(right, dtype);
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
  return solve_matrices(a, identity(n, n, dtype), dtype);
}

namespace {

// The sign and the logarithm of the determinant of one factored matrix.
template <class T>
struct Determinant {
  T sign;
  RealOf<T> logarithm;
};

// Of a matrix with this diagonal of U and these exchanges of rows.
template <class T>
Determinant<T> determinant_of(const T* diagonal, const std::int64_t* pivots, std::int64_t n) {
  bool odd = false;
  for (std::int64_t i = 0; i < n; ++i) odd ^= pivots[i] != i + 1;
  Determinant<T> result{odd ? T(-1) : T(1), 0};
  for (std::int64_t i = 0; i < n; ++i) {
    T element = diagonal[i];
    RealOf<T> size = std::abs(element);
    if (size == 0) return {T(0), -HUGE_VALF};
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

// store(k, determinant) for each matrix; only diagonals and pivots come from a device.
template <class T, class Store>
void each_determinant(Site& site, const Array& a, Store&& store) {
  std::int64_t n = a.shape().back(), count = element_count(stack_shape(a, 2));
  Array columns = to_columns(a, dtype_of<T>);
  Array pivots = site.make(with_core(stack_shape(a, 2), {n}), DType::kInt64);
  if (columns.size() > 0)
    site.run("", [&](Library& library) {
      auto* exchanged = reinterpret_cast<std::int64_t*>(site.elements(pivots));
      return library.factor_lu(dtype_of<T>, site.columns(columns), exchanged);
    });
  Array diagonals = diagonal(columns, 0, a.rank() - 2, a.rank() - 1).contiguous();
  const T* at = diagonals.as<T>();
  const auto* exchanged = pivots.as<std::int64_t>();
  for (std::int64_t k = 0; k < count; ++k)
    store(k, determinant_of(at + k * n, exchanged + k * n, n));
}

}  // namespace

Array det(const Array& a) {
  Site site({&a}, cubic_work(a) / 3);
  DType dtype = lapack_type(a.dtype()), computed = site.computing(dtype);
  Array result = Array::empty(stack_shape(a, 2), computed);
  dispatch_lapack(computed, [&](auto zero) {
    using T = decltype(zero);
    T* to = result.mutable_as<T>();
    std::vector<Determinant<T>> determinants(static_cast<std::size_t>(result.size()));
    each_determinant<T>(site, a, [&](std::int64_t k, const Determinant<T>& determinant) {
      determinants[static_cast<std::size_t>(k)] = determinant;
    });
    Watch watch("det");
    for (const Determinant<T>& each : determinants) *to++ = each.sign * std::exp(each.logarithm);
    watch.tell();
  });
  return in_type(result, dtype);
}

SignedLogarithm slogdet(const Array& a) {
  Site site({&a}, cubic_work(a) / 3);
  DType dtype = lapack_type(a.dtype()), computed = site.computing(dtype);
  SignedLogarithm result{Array::empty(stack_shape(a, 2), computed),
                         Array::empty(stack_shape(a, 2), real_of(computed))};
  dispatch_lapack(computed, [&](auto zero) {
    using T = decltype(zero);
    T* sign = result.sign.mutable_as<T>();
    auto* logarithm = result.logarithm.mutable_as<RealOf<T>>();
    each_determinant<T>(site, a, [=](std::int64_t k, const Determinant<T>& determinant) {
      sign[k] = determinant.sign;
      logarithm[k] = determinant.logarithm;
    });
  });
  return {in_type(result.sign, dtype), in_type(result.logarithm, real_of(dtype))};
}

Array cholesky(const Array& a, bool upper) {
  Site site({&a}, cubic_work(a) / 6);
  DType dtype = lapack_type(a.dtype()), computed = site.computing(dtype);
  Array columns = to_columns(a, computed);
  if (columns.size() > 0)
    site.run("Matrix is not positive definite", [&](Library& library) {
      return library.factor_cholesky(computed, site.columns(columns), upper);
    });
  Array factor = in_type(columns.swap_axes(a.rank() - 2, a.rank() - 1), dtype);
  return upper ? triu(factor) : tril(factor);
}

}  // namespace strider::nd
