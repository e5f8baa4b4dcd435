// Storing promised values into arrays.
#pragma once

#include <strider/nd/array.h>

#include <cstddef>
#include <span>

namespace strider::nd {

// Computes a promised value straight into a target of the same shape and type; afterwards the value
// is promised as a copy of it. False when the value must be in memory first.
bool store(const Array& value, const Array& target);

// The same for as many of the first values as can be computed at once on a device; how many (0, or
// two and more). What stands below them may be computed even if none can.
std::size_t store_together(std::span<const Array> values, std::span<const Array> targets);

}  // namespace strider::nd
