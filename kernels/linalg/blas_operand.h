// A matrix as BLAS reads it: which way it is packed, and its leading dimension. Knows no routines.
#pragma once

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>

#include "kernels/linalg/product.h"

namespace strider::nd {

// An operand as BLAS takes it: transposed or not, with a leading dimension.
struct BlasOperand {
  const void* at = nullptr;
  char transpose = 'N';  // 'N': rows are contiguous
  int leading = 0;
};

template <class T>
inline bool fits_blas(std::int64_t inner, std::int64_t outer, std::int64_t inner_extent,
                      std::int64_t outer_extent) {
  constexpr std::int64_t kItem = sizeof(T);
  if (inner_extent > 1 && inner != kItem) return false;
  if (outer_extent <= 1) return true;
  return outer % kItem == 0 && outer / kItem >= std::max<std::int64_t>(1, inner_extent) &&
         outer / kItem <= INT_MAX;
}

template <class T>
inline int leading_of(std::int64_t outer, std::int64_t inner_extent, std::int64_t outer_extent) {
  std::int64_t least = std::max<std::int64_t>(1, inner_extent);
  return static_cast<int>(outer_extent <= 1 ? least : outer / static_cast<std::int64_t>(sizeof(T)));
}

// Whether BLAS can read the matrix where it lies.
template <class T>
inline bool is_readable(const Matrix& m) {
  return fits_blas<T>(m.column_stride, m.row_stride, m.columns, m.rows) ||
         fits_blas<T>(m.row_stride, m.column_stride, m.rows, m.columns);
}

// A matrix that BLAS can read, packed into its own memory when its strides do not serve.
template <class T>
class Readable {
 public:
  explicit Readable(const Matrix& m) {
    if (fits_blas<T>(m.column_stride, m.row_stride, m.columns, m.rows)) {
      operand_ = {m.at, 'N', leading_of<T>(m.row_stride, m.columns, m.rows)};
    } else if (fits_blas<T>(m.row_stride, m.column_stride, m.rows, m.columns)) {
      operand_ = {m.at, 'T', leading_of<T>(m.column_stride, m.rows, m.columns)};
    } else {
      pack(m);
      operand_ = {packed_.get(), 'N', static_cast<int>(std::max<std::int64_t>(1, m.columns))};
    }
  }
  const BlasOperand& operator*() const { return operand_; }
  const BlasOperand* operator->() const { return &operand_; }

 private:
  void pack(const Matrix& m) {
    packed_.reset(new T[static_cast<std::size_t>(m.rows * m.columns)]);
    T* to = packed_.get();
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < m.columns; ++j)
        std::memcpy(to++, m.at + i * m.row_stride + j * m.column_stride, sizeof(T));
  }
  std::unique_ptr<T[]> packed_;
  BlasOperand operand_;
};

// Multiplications of a product that are worth cutting it between threads.
inline constexpr std::int64_t kCutWork = 1 << 17;
// The longest rows whose product with a column is one call.
inline constexpr std::int64_t kDotPiece = 1 << 16;

// The steps between the elements of a row and of the column it is multiplied by.
inline int row_step(const BlasOperand& x) { return x.transpose == 'N' ? 1 : x.leading; }
inline int column_step(const BlasOperand& y) { return y.transpose == 'N' ? y.leading : 1; }

// A product with a row or a column as gemv is told of it: `rows` and `columns` of the matrix as
// BLAS sees it, the step of the vector.
struct VectorProduct {
  bool by_column;  // the second operand is the vector
  char transpose;
  int rows, columns, step;
};
inline VectorProduct vector_product(const Matrix& a, const Matrix& b, const BlasOperand& x,
                                    const BlasOperand& y) {
  int m = static_cast<int>(a.rows), k = static_cast<int>(a.columns),
      n = static_cast<int>(b.columns);
  bool x_by_rows = x.transpose == 'N', y_by_rows = y.transpose == 'N';
  if (n == 1) {  // a, stored by rows, is its transpose stored by columns
    return {true, x_by_rows ? 'T' : 'N', x_by_rows ? k : m, x_by_rows ? m : k, column_step(y)};
  }
  return {false, y_by_rows ? 'N' : 'T', y_by_rows ? n : k, y_by_rows ? k : n, row_step(x)};
}

}  // namespace strider::nd
