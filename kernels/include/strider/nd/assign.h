// Assignment to several arrays at once.
#pragma once

#include <strider/nd/array.h>

#include <span>

namespace strider::nd {

// arrays[i][...] = values[i], in order. Small values that are computed alike take one launch on a
// device. As many values as arrays.
void assign_all(std::span<const Array> arrays, std::span<const Array> values);

}  // namespace strider::nd
