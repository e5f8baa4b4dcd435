// The product of two matrices in memory, and of many pairs, for every element type. Knows no shapes
// of arrays.
#pragma once

#include <strider/nd/dtype.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/backend/cpu/small_product.h"

namespace strider::nd {

// A matrix in memory; strides in bytes.
struct Matrix {
  const std::byte* at;
  std::int64_t rows, columns;
  std::int64_t row_stride, column_stride;
};

// out = a b, where out is packed row by row (a.rows by b.columns). Not for float16.
void multiply_matrices(DType dtype, const Matrix& a, const Matrix& b, std::byte* out);

// The products of pairs of matrices that lie alike (`at` says nothing), one behind another.
void multiply_alike(DType dtype, const Matrix& a, const Matrix& b,
                    std::span<const MatrixPair> pairs, std::byte* out);

// The product of a row, conjugated, and a column of complex numbers; false where the library has
// none for them.
bool multiply_conjugated(DType dtype, const Matrix& a, const Matrix& b, std::byte* out);

// The same by plain loops: integers, bool, and floating types where there is no library. Strides of
// `a` and `b` are arbitrary.
void multiply_by_loops(DType dtype, const Matrix& a, const Matrix& b, std::byte* out);

}  // namespace strider::nd
