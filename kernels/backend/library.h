// What a device's libraries do with whole operands in its memory. Where a library has nothing for
// such operands it touches nothing and says so; then the host computes them. Work is queued, except
// that an outcome which depends on the elements is waited for.
#pragma once

#include <strider/nd/dims.h>
#include <strider/nd/dtype.h>

#include <cstddef>
#include <cstdint>

namespace strider::nd {

// A stack of matrices; strides in elements.
struct MatrixStack {
  const std::byte* at = nullptr;
  std::int64_t count = 1, step = 0;  // matrices, and from one to the next
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_stride = 0, column_stride = 0;
};

// Matrices one behind the other, each packed column by column.
struct ColumnStack {
  std::byte* at = nullptr;
  std::int64_t count = 1;
  std::int64_t rows = 0, columns = 0;
};

// The outcome of a decomposition: kFailed is the matrices' fault (singular, not positive definite)
// or that of an iteration that does not converge.
enum class Outcome : std::uint8_t { kDone, kRefused, kFailed };

// Which singular vectors are wanted: none, as many as there are singular values, or whole bases.
enum class SingularVectors : std::uint8_t { kNone, kThin, kFull };

enum class TransformKind : std::uint8_t { kComplex, kRealToComplex, kComplexToReal };

// Fourier transforms of `count` packed lines of `length` points, of float32 or float64. The complex
// side of a real transform has length / 2 + 1 points.
struct Transform {
  TransformKind kind = TransformKind::kComplex;
  DType real = DType::kFloat64;
  std::int64_t length = 1, count = 1;
  bool forward = true;
};

struct RandomStream;
struct RandomDraw;

// Element types are float32, float64, complex64 and complex128.
class Library {
 public:
  virtual ~Library() = default;

  // out = a b for each of a.count pairs; out is packed row by row. False: refused, as a device
  // does with other element types.
  virtual bool multiply(DType, const MatrixStack& /*a*/, const MatrixStack& /*b*/,
                        std::byte* /*out*/) {
    return false;
  }

  // a x = b: b becomes x, a is destroyed. Fails where a is singular.
  virtual Outcome solve(DType, const ColumnStack& /*a*/, const ColumnStack& /*b*/) {
    return Outcome::kRefused;
  }
  // LU factors of square matrices in place; the rows, counted from 1, that row after row changed
  // places with. A singular matrix has a 0 on the diagonal of U.
  virtual Outcome factor_lu(DType, const ColumnStack& /*a*/, std::int64_t* /*pivots*/) {
    return Outcome::kRefused;
  }
  // Reads one triangle and replaces it; the other is left as it is. Fails where a matrix is not
  // positive definite.
  virtual Outcome factor_cholesky(DType, const ColumnStack& /*a*/, bool /*upper*/) {
    return Outcome::kRefused;
  }
  // R and Householder vectors in place, and min(rows, columns) scalars for each matrix.
  virtual Outcome factor_qr(DType, const ColumnStack& /*a*/, std::byte* /*scalars*/) {
    return Outcome::kRefused;
  }
  // Columns of Q in place of the first `reflections` Householder vectors.
  virtual Outcome form_q(DType, const ColumnStack& /*q*/, std::int64_t /*reflections*/,
                         const std::byte* /*scalars*/) {
    return Outcome::kRefused;
  }
  // a = u s vh; a is destroyed. Fails where there is no convergence.
  virtual Outcome decompose_singular(DType, SingularVectors, const ColumnStack& /*a*/,
                                     std::byte* /*s*/, std::byte* /*u*/, std::byte* /*vh*/) {
    return Outcome::kRefused;
  }
  // Eigenvalues, ascending, of symmetric or Hermitian matrices given by one triangle; a becomes the
  // vectors or is destroyed.
  virtual Outcome decompose_symmetric(DType, const ColumnStack& /*a*/, bool /*lower*/,
                                      bool /*vectors*/, std::byte* /*values*/) {
    return Outcome::kRefused;
  }
  // Eigenvalues and right vectors (null: not wanted) of general matrices, both complex; a is
  // destroyed.
  virtual Outcome decompose_general(DType, const ColumnStack& /*a*/, std::byte* /*values*/,
                                    std::byte* /*vectors*/) {
    return Outcome::kRefused;
  }

  // Transforms lines, and scales nothing. To complex goes forward, to real backward, and lines that
  // become real are destroyed; the ends of their spectra are real. False: refused.
  virtual bool transform(const Transform&, std::byte* /*from*/, std::byte* /*to*/) { return false; }

  // The numbers that the stream gives next by a rule; tells how many words (or halves of words,
  // where the rule takes them) these use up. Equal to the host's to the bit. False: refused.
  virtual bool draw(const RandomStream&, const RandomDraw&, std::byte* /*to*/,
                    std::int64_t /*count*/, std::int64_t* /*used*/) {
    return false;
  }
};

// What does the same in host memory: it multiplies matrices of every element type but float16.
Library& host_library();

}  // namespace strider::nd
