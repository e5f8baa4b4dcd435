// Free lists are filled a chunk at a time; chunks stay with the process.
#include "interpreter/runtime/pool.h"

#include <cassert>

#ifndef STRIDER_PLAIN_MEMORY
namespace strider::lang::pool {

constinit FreeBlock* free_blocks[kLargest / kStep + 1] = {};

void* refill(std::size_t size_class) {
  constexpr std::size_t kChunk = 16 * 1024;
  assert(size_class > 0);
  std::size_t size = size_class * kStep, count = kChunk / size;
  auto* chunk = static_cast<std::byte*>(::operator new(count* size));
  FreeBlock* first = nullptr;
  for (std::size_t i = count; i-- > 1;) {
    auto* block = reinterpret_cast<FreeBlock*>(chunk + i * size);
    block->next = first;
    first = block;
  }
  free_blocks[size_class] = first;
  return chunk;
}

}  // namespace strider::lang::pool
#endif
