// Linear algebra on BLAS and LAPACK, opened at first use: products, contractions, decompositions.
// All take stacks of matrices in the last two axes and broadcast the others.
#pragma once

#include <strider/nd/array.h>

#include <optional>
#include <span>
#include <string_view>

namespace strider::nd {

// numpy.matmul and `@`. kValue on mismatch: "matmul: Input operand 1 has a mismatch in its core
// dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 2 is different from 3)".
// `dtype` asks for the loop's type; `casting` rules inputs and `out`.
Array matmul(const Array& a, const Array& b, const Array* out = nullptr,
             std::optional<DType> dtype = std::nullopt, Casting casting = Casting::kSameKind);
// numpy.dot. kValue "shapes (2,3) and (2,) not aligned: 3 (dim 1) != 2 (dim 0)".
Array dot(const Array& a, const Array& b, const Array* out = nullptr);
// numpy.vdot: 0-d; the first argument conjugated, both flattened.
Array vdot(const Array& a, const Array& b);
// numpy.inner.
Array inner(const Array& a, const Array& b);
// numpy.outer: both flattened.
Array outer(const Array& a, const Array& b, const Array* out = nullptr);
// numpy.tensordot over pairs of axes.
Array tensordot(const Array& a, const Array& b, std::span<const int> axes_a,
                std::span<const int> axes_b);
// numpy.vecdot (conjugates a), numpy.matvec, numpy.vecmat (conjugates the vector).
Array vecdot(const Array& a, const Array& b, const Array* out = nullptr);
Array matvec(const Array& a, const Array& b, const Array* out = nullptr);
Array vecmat(const Array& a, const Array& b, const Array* out = nullptr);

// numpy.einsum with a subscripts string ("ij,jk->ik", "...ii->...i"); the interleaved form is
// turned into a string by the caller. Errors are NumPy's.
struct EinsumOptions {
  const Array* out = nullptr;
  std::optional<DType> dtype;
  Order order = Order::kKeep;
  Casting casting = Casting::kSafe;
  bool optimize = false;  // contract pairwise, through matmul where possible
};
Array einsum(std::string_view subscripts, std::span<const Array> operands,
             const EinsumOptions& options = {});
// The cores of numpy.linalg: floating or complex inputs, at least 2-d, square where the operation
// needs it (numpy.linalg's wrappers check; integers and bool are computed as float64, float16 is
// refused by the wrappers). kLinAlg: "Singular matrix", "Matrix is not positive definite",
// "Eigenvalues did not converge", "SVD did not converge", "SVD did not converge in Linear Least
// Squares".
// b is a vector (1-d) or a stack of matrices, as numpy.linalg.solve decides.
Array solve(const Array& a, const Array& b);
Array inv(const Array& a);
Array det(const Array& a);
struct SignedLogarithm {
  Array sign, logarithm;
};
SignedLogarithm slogdet(const Array& a);
Array cholesky(const Array& a, bool upper = false);
enum class QrMode : std::uint8_t { kReduced, kComplete, kR, kRaw };
struct Qr {
  Array q, r;  // kR: only r. kRaw: h (transposed, as NumPy) in q and tau in r.
};
Qr qr(const Array& a, QrMode mode = QrMode::kReduced);
struct Svd {
  Array u, s, vh;  // only s without vectors
};
Svd svd(const Array& a, bool full_matrices = true, bool compute_uv = true);
struct Eigen {
  Array values, vectors;  // vectors null when not asked for
};
// Of a symmetric or Hermitian matrix given by one triangle.
Eigen eigh(const Array& a, bool lower = true, bool vectors = true);
// Of a general matrix; always complex (numpy.linalg.eig makes them real when all are).
Eigen eig(const Array& a, bool vectors = true);
struct LeastSquares {
  Array x, residuals, rank, s;  // residuals: squared 2-norms per column; rank: 0-d int32
};
// 2-d a (m, n) and b (m, k); rcond < 0 means machine precision.
LeastSquares lstsq(const Array& a, const Array& b, double rcond);
// numpy.linalg.matrix_power for n >= 0 (the caller inverts first for negative n).
Array matrix_power(const Array& a, std::int64_t n);

}  // namespace strider::nd
