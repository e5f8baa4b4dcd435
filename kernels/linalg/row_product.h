// Products of rows with rows, as einsum("ij,ij->i") sums them.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

// The sums of products along the last axis of two arrays of one shape and type, in NumPy's order:
// its digits are einsum's. Null unless both have float32 or float64 in host memory, and the last
// axis contiguous.
Array multiply_rows(const Array& a, const Array& b);

}  // namespace strider::nd
