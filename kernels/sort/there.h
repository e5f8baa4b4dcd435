// Sorting where the elements are: packed lines on a device. A function refuses, by null or false,
// what should be done on the host.
#pragma once

#include <strider/nd/array.h>

#include <span>

namespace strider::nd {

// The stable order of each line along the last axis.
Array order_there(const Array& packed);
// The same by several keys, the last being the first criterion.
Array order_there(std::span<const Array> keys);
// Sorts each line in place.
bool sort_there(const Array& packed, bool stable);
// The elements of each line in an order of that line.
Array reordered(const Array& packed, const Array& order);

}  // namespace strider::nd
