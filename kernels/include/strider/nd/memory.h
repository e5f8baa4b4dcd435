// How much memory arrays may take.
#pragma once

#include <cstddef>

namespace strider::nd {

class Array;

// Whether this array alone holds its elements: no view of them is alive, and nothing waits to read
// them.
bool is_held_once(const Array& array);

// From now on, large blocks of elements that would take more than this many bytes in all are
// refused, as when memory is short. Small blocks (up to 64 KiB) are not counted.
void limit_memory(std::size_t bytes);
std::size_t memory_limit();
// What large blocks take now.
std::size_t memory_in_use();
// What the machine has.
std::size_t physical_memory();

}  // namespace strider::nd
