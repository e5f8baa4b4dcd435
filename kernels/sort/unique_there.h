// Distinct values where the elements are: by sorting, recorded operations and masks.
#pragma once

#include <strider/nd/sort.h>

namespace strider::nd {

// numpy.unique of a packed array with one axis; the inverse has one axis too.
Unique unique_there(const Array& flat, bool want_index, bool want_inverse, bool want_counts,
                    bool equal_nan);
// Whether each wanted element is the one at its place among sorted ones (or is not: `invert`).
Array compare_found(const Array& sorted, const Array& wanted, const Array& places, bool invert);

}  // namespace strider::nd
