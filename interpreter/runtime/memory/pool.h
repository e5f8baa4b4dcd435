// Pool: memory for small objects, kept in free lists by size. Like the list of containers it
// belongs to the one thread that runs the language. Builds with sanitizers use plain memory, so
// that a use after release is noticed.
#pragma once

#include <cstddef>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STRIDER_PLAIN_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define STRIDER_PLAIN_MEMORY 1
#endif
#endif

namespace strider::lang::pool {

// Has the C library keep some of what is freed. As it comes, it gives the last blocks back to the
// system at once and gets them again at the next call, page by page: zlib, which takes and frees a
// quarter of a megabyte a call, took nine times as long.
void keep_freed_memory();

#ifdef STRIDER_PLAIN_MEMORY
inline void* allocate(std::size_t size) { return ::operator new(size); }
inline void release(void* block, std::size_t) { ::operator delete(block); }
#else

inline constexpr std::size_t kStep = 16;
inline constexpr std::size_t kLargest = 512;  // larger blocks come from the system

struct FreeBlock {
  FreeBlock* next;
};
extern constinit FreeBlock* free_blocks[kLargest / kStep + 1];

// A block of a size class whose free list is empty.
void* refill(std::size_t size_class);

// std::bad_alloc when there is no memory.
inline void* allocate(std::size_t size) {
  if (size > kLargest) return ::operator new(size);
  std::size_t size_class = (size + kStep - 1) / kStep;
  FreeBlock* block = free_blocks[size_class];
  if (!block) [[unlikely]]
    return refill(size_class);
  free_blocks[size_class] = block->next;
  return block;
}

// Takes back what allocate(size) gave.
inline void release(void* block, std::size_t size) {
  if (size > kLargest) return ::operator delete(block);
  FreeBlock*& first = free_blocks[(size + kStep - 1) / kStep];
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = first;
  first = freed;
}

#endif

// For the containers of the C++ library that small objects own.
template <class T>
struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <class U>
  Allocator(const Allocator<U>&) {}
  T* allocate(std::size_t count) {
    if (count > ~std::size_t{0} / sizeof(T)) throw std::bad_alloc();
    return static_cast<T*>(pool::allocate(count * sizeof(T)));
  }
  void deallocate(T* items, std::size_t count) { pool::release(items, count * sizeof(T)); }
  friend bool operator==(const Allocator&, const Allocator&) { return true; }
};

}  // namespace strider::lang::pool
