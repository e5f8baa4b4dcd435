// Products of stacks of matrices in one element type, the stacks broadcast. Refuses nothing: the
// shapes have been checked.
#pragma once

#include <strider/nd/array.h>

#include <span>

#include "kernels/linalg/product.h"

namespace strider::nd {

// The products of pairs of matrices that lie alike, one behind another, now.
void multiply_pairs(DType dtype, const Matrix& a, const Matrix& b,
                    std::span<const MatrixPair> pairs, std::byte* out);

// A C-ordered array that nobody else knows, in another shape of the same size.
Array with_shape(Array array, const Dims& shape);
// An array that nobody else knows, with its first axes in another order: axis i becomes axis
// order[i].
Array with_axes(Array array, const Dims& order);

// The conditions that products of floating numbers meet are told as those of the operation of that
// name, or, where there is none, not at all.

// a (…, m, k) times b (…, k, n), both of `dtype`, leading axes broadcast to `batch`.
Array multiply_stacks(const Array& a, const Array& b, const Dims& batch,
                      const char* name = nullptr);

// The product of two vectors of one length, a number without axes; null where it takes more than a
// call: small ones of one type, in host memory, are all it is for.
Array multiply_vectors(const Array& a, const Array& b, const char* name = nullptr);

// a (m, k) times b (k, n); converts both to `dtype`.
Array multiply_two(const Array& a, const Array& b, DType dtype, const char* name = nullptr);

}  // namespace strider::nd
