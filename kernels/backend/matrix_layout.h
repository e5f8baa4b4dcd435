// How a matrix lies in memory, in the terms of BLAS: which way it is packed, and the leading
// dimension. Knows no routines.
#pragma once

#include <algorithm>
#include <optional>

#include "kernels/backend/library.h"

namespace strider::nd {

struct MatrixLayout {
  bool by_rows = true;       // the elements of a row are neighbours; else those of a column
  std::int64_t leading = 1;  // from one row (column) to the next, in elements
};

// Nothing where BLAS cannot be told how the matrix lies. Strides along axes of extent 1 say
// nothing.
inline std::optional<MatrixLayout> layout_of(const MatrixStack& matrix) {
  auto fits = [](std::int64_t within, std::int64_t step, std::int64_t length, std::int64_t lines) {
    return (length <= 1 || within == 1) &&
           (lines <= 1 || step >= std::max<std::int64_t>(1, length));
  };
  auto leading = [](std::int64_t step, std::int64_t length, std::int64_t lines) {
    return lines <= 1 ? std::max<std::int64_t>(1, length) : step;
  };
  const MatrixStack& m = matrix;
  if (fits(m.column_stride, m.row_stride, m.columns, m.rows))
    return MatrixLayout{true, leading(m.row_stride, m.columns, m.rows)};
  if (fits(m.row_stride, m.column_stride, m.rows, m.columns))
    return MatrixLayout{false, leading(m.column_stride, m.rows, m.columns)};
  return std::nullopt;
}

// The step between the elements of a matrix of one row or one column; nothing where BLAS does not
// take it.
inline std::optional<std::int64_t> vector_step(const MatrixStack& vector) {
  std::int64_t length = std::max(vector.rows, vector.columns);
  std::int64_t step = vector.rows == 1 ? vector.column_stride : vector.row_stride;
  if (length <= 1) return 1;
  return step > 0 ? std::optional<std::int64_t>(step) : std::nullopt;
}

}  // namespace strider::nd
