// Arrays of one element to a row, joined side by side. Knows no axes: elements and their order are
// all there is.
#pragma once

#include <strider/nd/array.h>

#include <span>

namespace strider::nd {

// Writes the elements of two to four arrays into `result` by turns: all first ones, all second
// ones. The arrays are C-contiguous and of the result's element type, and so is the result. False,
// with nothing written, where that is not so, or where an array lies on a device or is not computed
// yet.
bool interleave(std::span<const Array> arrays, const Array& result);

}  // namespace strider::nd
