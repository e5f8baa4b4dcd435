// qr and svd: orthogonal factors of general matrices.
#include <strider/nd/generate.h>
#include <strider/nd/index.h>
#include <strider/nd/linalg.h>

#include <algorithm>

#include "kernels/linalg/columns.h"
#include "kernels/linalg/site.h"

namespace strider::nd {
namespace {

// The first so many columns of packed columns, each cut to so many rows.
Array cut(const Array& columns, std::int64_t count, std::int64_t rows) {
  Dims shape = with_core(stack_shape(columns, 2), {count, rows});
  return columns.view(shape, columns.strides(), 0);
}

// Columns to form Q in: Householder vectors, and zeros where there are more columns than those.
Array start_q(const Array& columns, std::int64_t count) {
  std::int64_t rows = columns.shape().back(), given = columns.shape()[columns.rank() - 2];
  if (count <= given) return cut(columns, count, rows).copy();
  Dims shape = with_core(stack_shape(columns, 2), {count, rows});
  Array q = generate_zeros(shape, columns.dtype());
  if (given > 0) cut(q, given, rows).assign(columns);
  return q;
}

Array transposed(const Array& a) { return a.swap_axes(a.rank() - 2, a.rank() - 1); }

}  // namespace

Qr qr(const Array& a, QrMode mode) {
  std::int64_t m = a.shape()[a.rank() - 2], n = a.shape().back(), k = std::min(m, n);
  Site site({&a}, cubic_work(a));
  DType dtype = lapack_type(a.dtype()), computed = site.computing(dtype);
  Array columns = to_columns(a, computed),
        scalars = site.make(with_core(stack_shape(a, 2), {k}), computed);
  if (columns.size() > 0)
    site.run("", [&](Library& library) {
      return library.factor_qr(computed, site.columns(columns), site.elements(scalars));
    });
  if (mode == QrMode::kRaw) return {in_type(columns, dtype), in_type(scalars, dtype)};
  std::int64_t q_columns = mode == QrMode::kComplete ? m : k;
  Array r = in_type(triu(transposed(cut(columns, n, q_columns))), dtype);
  if (mode == QrMode::kR) return {Array(), r};
  Array q = start_q(columns, q_columns);
  if (q.size() > 0)
    site.run("", [&](Library& library) {
      return library.form_q(computed, site.columns(q), k, site.elements(scalars));
    });
  return {from_columns(q, dtype), r};
}

namespace {

constexpr const char* kNotConverged = "SVD did not converge";

// The factors of matrices without elements.
Svd svd_of_nothing(const Array& a, std::int64_t u_columns, std::int64_t vh_rows, DType dtype) {
  Dims stack = stack_shape(a, 2);
  std::int64_t m = a.shape()[a.rank() - 2], n = a.shape().back();
  auto spread = [&](std::int64_t rows, std::int64_t columns) {
    return identity(rows, columns, dtype).broadcast_to(with_core(stack, {rows, columns})).copy();
  };
  return {spread(m, u_columns), Array::empty(with_core(stack, {0}), real_of(dtype)),
          spread(vh_rows, n)};
}

Svd decompose(Site& site, const Array& a, SingularVectors vectors) {
  std::int64_t m = a.shape()[a.rank() - 2], n = a.shape().back(), k = std::min(m, n);
  bool none = vectors == SingularVectors::kNone, full = vectors == SingularVectors::kFull;
  std::int64_t u_columns = none ? 0 : full ? m : k, vh_rows = none ? 0 : full ? n : k;
  DType dtype = lapack_type(a.dtype()), computed = site.computing(dtype);
  if (k == 0) return svd_of_nothing(a, u_columns, vh_rows, dtype);
  Dims stack = stack_shape(a, 2);
  Array columns = to_columns(a, computed);
  Array s = site.make(with_core(stack, {k}), real_of(computed));
  Array u = site.make(with_core(stack, {u_columns, m}), computed);
  Array vh = site.make(with_core(stack, {n, vh_rows}), computed);
  if (columns.size() > 0)
    site.run(kNotConverged, [&](Library& library) {
      return library.decompose_singular(computed, vectors, site.columns(columns), site.elements(s),
                                        site.elements(u), site.elements(vh));
    });
  s = in_type(s, real_of(dtype));
  if (none) return {Array(), s, Array()};
  return {from_columns(u, dtype), s, from_columns(vh, dtype)};
}

}  // namespace

Svd svd(const Array& a, bool full_matrices, bool compute_uv) {
  SingularVectors vectors = !compute_uv     ? SingularVectors::kNone
                            : full_matrices ? SingularVectors::kFull
                                            : SingularVectors::kThin;
  Site site({&a}, (compute_uv ? 8 : 2) * cubic_work(a));
  bool wide = a.shape()[a.rank() - 2] < a.shape().back();
  if (!wide || !site.on_device()) return decompose(site, a, vectors);
  Svd result = decompose(site, transposed(a), vectors);  // devices know tall matrices
  if (!compute_uv) return result;
  return {transposed(result.vh).copy(), result.s, transposed(result.u).copy()};
}

}  // namespace strider::nd
