// The little arithmetic that library routines need: products, conjugates and sums in the array's
// own type. Knows no warnings and no casting rules; the ufuncs are elsewhere.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

// Whether work on this array is for the device that the program uses: it is large, or there
// already.
bool belongs_on_device(const Array& array);

// a b element by element, broadcast, in `dtype`.
Array multiply_elements(const Array& a, const Array& b, DType dtype);
// A copy, laid out alike, with the imaginary parts negated; real arrays are returned as they are.
Array conjugated(const Array& array);
// The sums along the last axis in the array's own type (float16 through float32; bool: any).
Array sum_last_axis(const Array& array);

}  // namespace strider::nd
