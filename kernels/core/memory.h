// Blocks of memory for elements: freed blocks are kept and handed out again, because a page fault
// costs far more than a cached write. Knows nothing of arrays.
#pragma once

#include <cstddef>

namespace strider::nd {

struct Block {
  std::byte* bytes = nullptr;
  std::size_t capacity = 0;
};

// A block of at least `size` bytes aligned to 64; null bytes when there is no memory. With `zeroed`
// every byte is 0.
Block allocate_block(std::size_t size, bool zeroed);
void free_block(Block block);

}  // namespace strider::nd
