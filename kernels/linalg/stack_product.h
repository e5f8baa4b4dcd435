// Products of stacks of matrices in one element type, the stacks broadcast. Refuses nothing: the
// shapes have been checked.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

// a (…, m, k) times b (…, k, n), both of `dtype`, leading axes broadcast to `batch`.
Array multiply_stacks(const Array& a, const Array& b, const Dims& batch);

// a (m, k) times b (k, n); converts both to `dtype`.
Array multiply_two(const Array& a, const Array& b, DType dtype);

}  // namespace strider::nd
