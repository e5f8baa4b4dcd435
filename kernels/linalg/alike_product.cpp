// Products of pairs of matrices that lie alike: what does not depend on where they lie is found out
// once. Small ones have a kernel of their own, the rest is a call of BLAS for each.
#include "kernels/linalg/blas_operand.h"
#include "kernels/linalg/library.h"
#include "kernels/linalg/room.h"

namespace strider::nd {
namespace {

using Pairs = std::span<const MatrixPair>;

bool is_small(std::int64_t extent) { return extent >= 2 && extent <= kSmallMatrix; }

// Few rows: the library may add the products of longer columns in another order.
constexpr std::int64_t kFewRows = 16;

template <class T>
bool multiply_small(const Matrix& a, const Matrix& b, Pairs pairs, T* out) {
  bool small = is_small(a.columns) && is_small(b.columns) && a.rows >= 2 && a.rows <= kFewRows;
  SmallProductKernel<T>* kernel = small ? small_product_kernel<T>() : nullptr;
  if (!kernel) return false;
  kernel({pairs.data(), static_cast<std::int64_t>(pairs.size()), a.rows, a.columns, b.columns,
          a.row_stride, a.column_stride, b.row_stride, b.column_stride, out});
  return true;
}

template <class T>
void multiply_rows_by_columns(const Matrix& a, const Matrix& b, Pairs pairs, T* out) {
  Readable<T> x(a), y(b);
  int count = static_cast<int>(a.columns), step_x = row_step(*x), step_y = column_step(*y);
  auto dot = reinterpret_cast<T (*)(int, const void*, int, const void*, int)>(routines<T>().dot);
  for (const MatrixPair& pair : pairs) *out++ = dot(count, pair.a, step_x, pair.b, step_y);
}

template <class T>
void multiply_by_vectors(const Matrix& a, const Matrix& b, Pairs pairs, T* out) {
  Readable<T> x(a), y(b);
  VectorProduct p = vector_product(a, b, *x, *y);
  const int leading = p.by_column ? x->leading : y->leading, unit = 1;
  const T one(1), zero(0);
  for (const MatrixPair& pair : pairs) {
    const std::byte* matrix = p.by_column ? pair.a : pair.b;
    const std::byte* vector = p.by_column ? pair.b : pair.a;
    call(routines<T>().gemv, &p.transpose, &p.rows, &p.columns, &one, matrix, &leading, vector,
         &p.step, &zero, out, &unit, kOneLetter);
    out += a.rows * b.columns;
  }
}

// False where every product is on its own: large ones, and those that are packed first.
template <class T>
bool multiply_reals(const Matrix& a, const Matrix& b, Pairs pairs, T* out) {
  if (multiply_small(a, b, pairs, out)) return true;
  bool has_row = a.rows == 1, has_column = b.columns == 1;
  bool small = a.rows * a.columns * b.columns < kCutWork && a.columns <= kDotPiece;
  if (!(has_row || has_column) || !small || !is_readable<T>(a) || !is_readable<T>(b)) return false;
  if (has_row && has_column)
    multiply_rows_by_columns(a, b, pairs, out);
  else
    multiply_by_vectors(a, b, pairs, out);
  return true;
}

bool multiply_together(DType dtype, const Matrix& a, const Matrix& b, Pairs pairs, std::byte* out) {
  bool empty = a.rows == 0 || a.columns == 0 || b.columns == 0;
  if (pairs.size() < 2 || empty || !has_linear_library()) return false;
  if (dtype == DType::kFloat64) return multiply_reals(a, b, pairs, reinterpret_cast<double*>(out));
  if (dtype == DType::kFloat32) return multiply_reals(a, b, pairs, reinterpret_cast<float*>(out));
  return false;
}

}  // namespace

void multiply_alike(DType dtype, const Matrix& a, const Matrix& b,
                    std::span<const MatrixPair> pairs, std::byte* out) {
  if (multiply_together(dtype, a, b, pairs, out)) return;
  std::int64_t pitch = a.rows * b.columns * item_size(dtype);
  Matrix left = a, right = b;
  for (const MatrixPair& pair : pairs) {
    left.at = pair.a;
    right.at = pair.b;
    multiply_matrices(dtype, left, right, out);
    out += pitch;
  }
}

}  // namespace strider::nd
