// Sorting of many lines of a few real elements: the same comparisons for every line.
#pragma once

#include <strider/nd/dtype.h>

#include <cstddef>
#include <cstdint>

namespace strider::nd {

// Sorts so many lines that lie one behind the other; zeros and NaN as keys have them.
using ShortLineSort = void (*)(std::byte* lines, std::int64_t count);
// Writes the orders of so many lines, equal elements as they stand.
using ShortLineOrder = void (*)(const std::byte* lines, std::int64_t count, std::int64_t* orders);

// Null where lines are too long, or complex.
ShortLineSort find_short_line_sort(DType dtype, std::int64_t length);
ShortLineOrder find_short_line_order(DType dtype, std::int64_t length);

}  // namespace strider::nd
