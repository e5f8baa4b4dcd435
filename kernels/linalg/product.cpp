// Products through BLAS: strided operands are passed as they lie or as transposes, others packed.
#include "kernels/linalg/product.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <climits>
#include <vector>

#include "kernels/linalg/blas_operand.h"
#include "kernels/linalg/library.h"
#include "kernels/linalg/room.h"

namespace strider::nd {
namespace {

// Multiplications between two looks at the interrupt flag.
constexpr double kPanelWork = 4e9;
// A product with its own transpose is done in one call up to here.
constexpr double kTransposeWork = 1e10;

// Products are cut into stripes of so many rows or columns, one call of the library each, for
// threads to share. Where they are cut depends on the shape alone, and so do the bits: the library
// computes small products in other ways than large ones.
constexpr std::int64_t kStripe = 256;
// Below that they are halves: each stripe packs the other operand again, so few are better.
std::int64_t stripe_of(std::int64_t size) {
  constexpr std::int64_t kHalved = 96, kUnit = 8;
  if (size < kHalved || size >= 2 * kStripe) return kStripe;
  return (size / 2 + kUnit - 1) / kUnit * kUnit;
}
// Multiplications that are worth a thread.
constexpr std::int64_t kThreadWork = 1 << 18;

// body(first, count) for stripes of `size` results that take `work` multiplications each.
template <class Body>
void for_stripes(std::int64_t size, std::int64_t work, Body&& body) {
  if (size * work < kCutWork) return body(0, size);
  std::int64_t stripe = stripe_of(size), stripes = (size + stripe - 1) / stripe;
  std::int64_t least = kThreadWork / std::max<std::int64_t>(1, work * stripe);
  parallel_for(stripes, worth_a_thread(least), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      body(i * stripe, std::min(stripe, size - i * stripe));
    }
  });
}

template <class T>
T dot_piece(int count, const T* x, int step_x, const T* y, int step_y, bool conjugated) {
  Routine routine = conjugated ? routines<T>().conjugated_dot : routines<T>().dot;
  if constexpr (kHasImaginary<T>) {
    RoomyVector<T> left(x, step_x, count, step_x != 1), right(y, step_y, count, step_y != 1);
    T result;
    reinterpret_cast<void (*)(int, const void*, int, const void*, int, void*)>(routine)(
        count, left.at(), left.step(), right.at(), right.step(), &result);
    return result;
  } else {
    return reinterpret_cast<T (*)(int, const void*, int, const void*, int)>(routine)(
        count, x, step_x, y, step_y);
  }
}

// Long ones in pieces of a fixed length. Of complex numbers the first may be conjugated.
template <class T>
void dot_product(const Matrix& a, const Matrix& b, T* out, bool conjugated = false) {
  Readable<T> x(a), y(b);
  int step_x = row_step(*x), step_y = column_step(*y);
  constexpr std::int64_t kPiece = kDotPiece;
  if (a.columns <= kPiece) {
    *out = dot_piece(static_cast<int>(a.columns), static_cast<const T*>(x->at), step_x,
                     static_cast<const T*>(y->at), step_y, conjugated);
    return;
  }
  std::int64_t pieces = (a.columns + kPiece - 1) / kPiece;
  std::vector<T> sums(static_cast<std::size_t>(pieces));
  parallel_for(pieces, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      int count = static_cast<int>(std::min(kPiece, a.columns - i * kPiece));
      sums[static_cast<std::size_t>(i)] =
          dot_piece(count, static_cast<const T*>(x->at) + i * kPiece * step_x, step_x,
                    static_cast<const T*>(y->at) + i * kPiece * step_y, step_y, conjugated);
    }
  });
  *out = sums[0];
  for (std::int64_t i = 1; i < pieces; ++i) *out += sums[static_cast<std::size_t>(i)];
}

// out = matrix vector, both as BLAS reads them; `rows` and `columns` of the matrix.
template <class T>
void matrix_vector(const BlasOperand& matrix, char transpose, int rows, int columns,
                   const void* vector, int step, T* out) {
  const T one(1), zero(0);
  const int unit = 1;
  bool by_rows = transpose == 'N';
  // Stripes have as many rows left over as the whole.
  RoomyVector<T> x(static_cast<const T*>(vector), step, columns, by_rows && reads_on<T>(rows));
  for_stripes(by_rows ? rows : columns, by_rows ? columns : rows,
              [&](std::int64_t first, std::int64_t count) {
                const int m = by_rows ? static_cast<int>(count) : rows;
                const int n = by_rows ? columns : static_cast<int>(count);
                std::int64_t step_to_first = by_rows ? 1 : matrix.leading;
                const T* at = static_cast<const T*>(matrix.at) + first * step_to_first;
                call(routines<T>().gemv, &transpose, &m, &n, &one, at, &matrix.leading, x.at(),
                     &x.step(), &zero, out + first, &unit, kOneLetter);
              });
}

template <class T>
bool multiply_vector(const Matrix& a, const Matrix& b, T* out) {
  if (a.rows != 1 && b.columns != 1) return false;
  Readable<T> x(a), y(b);
  VectorProduct p = vector_product(a, b, *x, *y);
  const BlasOperand &matrix = p.by_column ? *x : *y, &vector = p.by_column ? *y : *x;
  matrix_vector<T>(matrix, p.transpose, p.rows, p.columns, vector.at, p.step, out);
  return true;
}

// Row-major out = a b is column-major out' = b' a', so the operands change places.
template <class T>
void multiply_full(const Matrix& a, const Matrix& b, T* out) {
  Readable<T> x(a), y(b);
  const T one(1), zero(0);
  const int n = static_cast<int>(b.columns), k = static_cast<int>(a.columns), leading = n;
  double row_work = static_cast<double>(b.columns) * static_cast<double>(a.columns);
  // Multiples of what the library takes at a time, so that panels change no bit.
  auto panel = static_cast<std::int64_t>(std::clamp(kPanelWork / row_work, 192.0, 1e9)) & ~63;
  for (std::int64_t row = 0; row < a.rows; row += panel) {
    if (row > 0) check_interrupt();
    const int m = static_cast<int>(std::min(panel, a.rows - row));
    std::int64_t step = x->transpose == 'N' ? x->leading : 1;
    const T* from = static_cast<const T*>(x->at) + row * step;
    T* to = out + row * n;
    if (m >= n) {
      for_stripes(m, std::int64_t{n} * k, [&](std::int64_t first, std::int64_t count) {
        const int rows = static_cast<int>(count);
        call(routines<T>().gemm, &y->transpose, &x->transpose, &n, &rows, &k, &one, y->at,
             &y->leading, from + first * step, &x->leading, &zero, to + first * n, &leading,
             kOneLetter, kOneLetter);
      });
    } else {
      std::int64_t across = y->transpose == 'N' ? 1 : y->leading;
      for_stripes(n, std::int64_t{m} * k, [&](std::int64_t first, std::int64_t count) {
        const int columns = static_cast<int>(count);
        call(routines<T>().gemm, &y->transpose, &x->transpose, &columns, &m, &k, &one,
             static_cast<const T*>(y->at) + first * across, &y->leading, from, &x->leading, &zero,
             to + first, &leading, kOneLetter, kOneLetter);
      });
    }
  }
}

double work_of(const Matrix& a, const Matrix& b) {
  return static_cast<double>(a.rows) * static_cast<double>(a.columns) *
         static_cast<double>(b.columns);
}

// True when b is a read the other way round.
bool is_own_transpose(const Matrix& a, const Matrix& b) {
  return a.at == b.at && a.rows == b.columns && a.row_stride == b.column_stride &&
         a.column_stride == b.row_stride;
}

// out = a a', of which one triangle is computed and mirrored.
template <class T>
void multiply_by_transpose(const Matrix& a, T* out) {
  Readable<T> x(a);
  const T one(1), zero(0);
  const int n = static_cast<int>(a.rows), k = static_cast<int>(a.columns);
  const char triangle = 'L', transpose = x->transpose == 'N' ? 'T' : 'N';
  LibraryThreads threads(n >= kLargeSystem);
  call(routines<T>().syrk, &triangle, &transpose, &n, &k, &one, x->at, &x->leading, &zero, out, &n,
       kOneLetter, kOneLetter);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j) out[j * n + i] = out[i * n + j];
}

bool fits_int(const Matrix& a, const Matrix& b) {
  return a.rows <= INT_MAX && a.columns <= INT_MAX && b.columns <= INT_MAX;
}

template <class T>
void multiply_blas(const Matrix& a, const Matrix& b, T* out) {
  if (a.rows == 1 && b.columns == 1) return dot_product(a, b, out);
  if ((a.rows == 1 || b.columns == 1) && multiply_vector(a, b, out)) return;
  if (is_own_transpose(a, b) && work_of(a, b) < kTransposeWork)
    return multiply_by_transpose(a, out);
  multiply_full(a, b, out);
}

}  // namespace

bool multiply_conjugated(DType dtype, const Matrix& a, const Matrix& b, std::byte* out) {
  if (!is_complex(dtype) || a.columns == 0 || !fits_int(a, b) || !has_linear_library())
    return false;
  if (dtype == DType::kComplex64)
    dot_product(a, b, reinterpret_cast<std::complex<float>*>(out), true);
  else
    dot_product(a, b, reinterpret_cast<std::complex<double>*>(out), true);
  return true;
}

void multiply_matrices(DType dtype, const Matrix& a, const Matrix& b, std::byte* out) {
  bool empty = a.rows == 0 || a.columns == 0 || b.columns == 0;
  if (!is_inexact(dtype) || empty || !fits_int(a, b) || !has_linear_library())
    return multiply_by_loops(dtype, a, b, out);
  switch (dtype) {
    case DType::kFloat32:
      return multiply_blas(a, b, reinterpret_cast<float*>(out));
    case DType::kFloat64:
      return multiply_blas(a, b, reinterpret_cast<double*>(out));
    case DType::kComplex64:
      return multiply_blas(a, b, reinterpret_cast<std::complex<float>*>(out));
    default:
      return multiply_blas(a, b, reinterpret_cast<std::complex<double>*>(out));
  }
}

}  // namespace strider::nd
