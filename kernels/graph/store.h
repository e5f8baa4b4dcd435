// Storing promised values into arrays.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

// Computes a promised value straight into a target of the same shape and type; afterwards the value
// is promised as a copy of it. False when the value must be in memory first.
bool store(const Array& value, const Array& target);

}  // namespace strider::nd
