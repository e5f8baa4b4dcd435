// Lines of keys: signed integers of 4 or 8 bytes that order as values do. Sorting here is by the
// vector loops, which not every processor has; long lines are shared by threads and can be
// interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/backend/cpu/sort/key_sort.h"

namespace strider::nd {

// The loops for keys of `size` bytes; null where there are none.
const KeySort* find_key_sort(int size);

// Sorts keys of `size` bytes, for which there must be loops.
void sort_key_line(std::byte* keys, std::int64_t count, int size);

// Runs a conversion in place over a line of elements of `size` bytes.
void convert_line(void (*convert)(std::byte*, std::int64_t), std::byte* line, std::int64_t count,
                  int size);

}  // namespace strider::nd
