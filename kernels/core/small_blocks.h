// Small blocks: each thread keeps those that were freed, in lists by size, and hands them out again
// within a few instructions. `FromSmallBlocks` gives a class's objects such blocks.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "kernels/core/memory.h"

namespace strider::nd {

inline constexpr std::size_t kSmallestBlock = 64;
inline constexpr int kSmallClasses = 11;  // 64 bytes … 64 KiB
inline constexpr std::size_t kSmallLimit = kSmallestBlock << (kSmallClasses - 1);
#ifdef STRIDER_ADDRESS_SANITIZER
// Blocks up to this size are the sanitizer's own, so that it sees uses after free and outside.
inline constexpr std::size_t kWatchedLimit = 64u << 20;
inline constexpr std::size_t kSmallKept = 0;
#else
inline constexpr std::size_t kWatchedLimit = 0;
inline constexpr std::size_t kSmallKept = 1u << 20;  // bytes kept per class and thread
#endif

struct FreeBlock {
  FreeBlock* next;
};

// Trivial, so that reaching a thread's lists costs nothing.
struct SmallLists {
  FreeBlock* first[kSmallClasses];
  std::size_t kept[kSmallClasses];
};

extern constinit thread_local SmallLists small_lists;

constexpr int small_class(std::size_t size) {
  return size <= kSmallestBlock ? 0 : static_cast<int>(std::bit_width(size - 1)) - 6;
}

// A new block; the thread's lists will be freed with the thread.
std::byte* allocate_fresh(std::size_t capacity);

// A block of a class; null when there is no memory.
inline std::byte* take_small(int index) {
  SmallLists& lists = small_lists;
  FreeBlock* kept = lists.first[index];
  if (!kept) [[unlikely]]
    return allocate_fresh(kSmallestBlock << index);
  lists.first[index] = kept->next;
  lists.kept[index] -= kSmallestBlock << index;
  return reinterpret_cast<std::byte*>(kept);
}

inline void give_small(std::byte* bytes, int index) {
  SmallLists& lists = small_lists;
  if (lists.kept[index] >= kSmallKept) [[unlikely]]
    return std::free(bytes);
  auto* kept = reinterpret_cast<FreeBlock*>(bytes);
  kept->next = lists.first[index];
  lists.first[index] = kept;
  lists.kept[index] += kSmallestBlock << index;
}

template <class T>
struct FromSmallBlocks {
  static void* operator new(std::size_t size) {
    std::byte* bytes =
        kWatchedLimit > 0 ? allocate_block(size, false).bytes : take_small(small_class(sizeof(T)));
    if (!bytes) throw std::bad_alloc();
    return bytes;
  }
  static void operator delete(void* object) {
    auto* bytes = static_cast<std::byte*>(object);
    kWatchedLimit > 0 ? std::free(bytes) : give_small(bytes, small_class(sizeof(T)));
  }
};

}  // namespace strider::nd
