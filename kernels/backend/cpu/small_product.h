// Products of many pairs of small matrices, without a call for each. Compiled for several
// instruction sets; only those that multiply and add in one step have kernels, whose sums are
// rounded like those of BLAS there.
#pragma once

#include <cstddef>
#include <cstdint>

namespace strider::nd {

// Where two matrices start.
struct MatrixPair {
  const std::byte *a, *b;
};

// The largest extent of the matrices.
inline constexpr std::int64_t kSmallMatrix = 4;

// Pairs of matrices that lie alike: rows x depth times depth x columns. Strides in bytes; results
// are packed, one behind another.
template <class T>
struct SmallProducts {
  const MatrixPair* pairs;
  std::int64_t count, rows, depth, columns;
  std::int64_t row_a, column_a, row_b, column_b;
  T* out;
};

template <class T>
using SmallProductKernel = void(const SmallProducts<T>& products);

// That of this processor, for extents of 2 to kSmallMatrix, of float or double; null: there is
// none.
template <class T>
SmallProductKernel<T>* small_product_kernel();

}  // namespace strider::nd
