// Small blocks come from per-thread lists by size class, large ones from a bounded cache of mapped
// pages.
#include "kernels/core/memory.h"

#include <strider/nd/memory.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "kernels/core/small_blocks.h"

namespace strider::nd {
namespace {

constexpr std::size_t kHugePage = 2u << 20;
constexpr std::size_t kLargeKept = 512u << 20;  // bytes of mapped pages kept
constexpr int kLargeSlots = 64;
// Above this the system clears a kept block where and when it is touched, not we.
constexpr std::size_t kClearLimit = 8u << 20;

void clear_small_lists() {
  for (int i = 0; i < kSmallClasses; ++i) {
    while (FreeBlock* block = small_lists.first[i]) {
      small_lists.first[i] = block->next;
      std::free(block);
    }
    small_lists.kept[i] = 0;
  }
}

struct ListsOwner {
  ~ListsOwner() { clear_small_lists(); }
};

Block allocate_small(std::size_t size, bool zeroed) {
  int index = small_class(size);
  Block block{take_small(index), kSmallestBlock << index};
  if (zeroed && block.bytes) std::memset(block.bytes, 0, size);
  return block;
}

// Large sizes in steps of an eighth, so that blocks fit again.
std::size_t round_large(std::size_t size) {
  std::size_t step = std::bit_floor(size) / 8;
  std::size_t page = size >= kHugePage ? kHugePage : 4096;
  if (step < page) step = page;
  return (size + step - 1) / step * step;
}

Block map_pages(std::size_t capacity) {
  bool huge = capacity >= kHugePage;
  std::size_t length = huge ? capacity + kHugePage : capacity;
  void* start = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return {};
  auto* bytes = static_cast<std::byte*>(start);
  if (huge) {
    auto address = reinterpret_cast<std::uintptr_t>(bytes);
    std::size_t skip = (kHugePage - address % kHugePage) % kHugePage;
    if (skip) munmap(bytes, skip);
    bytes += skip;
    munmap(bytes + capacity, kHugePage - skip);
    madvise(bytes, capacity, MADV_HUGEPAGE);
  }
  return {bytes, capacity};
}

class LargeCache {
 public:
  Block take(std::size_t capacity) {
    std::lock_guard<std::mutex> guard(lock_);
    for (int i = count_ - 1; i >= 0; --i) {
      if (blocks_[i].capacity == capacity) return remove(i);
    }
    return {};
  }
  // Keeps the block if it fits; older blocks make room.
  void keep(Block block) {
    std::lock_guard<std::mutex> guard(lock_);
    while (count_ > 0 && (count_ == kLargeSlots || kept_ + block.capacity > kLargeKept)) {
      Block oldest = remove(0);
      munmap(oldest.bytes, oldest.capacity);
    }
    blocks_[count_++] = block;
    kept_ += block.capacity;
  }
  void clear() {
    std::lock_guard<std::mutex> guard(lock_);
    while (count_ > 0) {
      Block block = remove(count_ - 1);
      munmap(block.bytes, block.capacity);
    }
  }

 private:
  Block remove(int index) {
    Block block = blocks_[index];
    --count_;
    for (int i = index; i < count_; ++i) blocks_[i] = blocks_[i + 1];
    kept_ -= block.capacity;
    return block;
  }

  std::mutex lock_;
  Block blocks_[kLargeSlots];
  int count_ = 0;
  std::size_t kept_ = 0;
};

LargeCache& large_cache() {
  static auto* cache = new LargeCache;  // outlives every array
  return *cache;
}

// Zeroes a kept block. A large one gives its pages back and gets them again when they are touched:
// memory that was in use a moment ago, which costs far less than memory never seen before.
void clear_kept(Block kept, std::size_t size) {
  if (kept.capacity <= kClearLimit || madvise(kept.bytes, kept.capacity, MADV_DONTNEED) != 0)
    std::memset(kept.bytes, 0, size);
}

Block allocate_large(std::size_t size, std::size_t capacity, bool zeroed) {
  Block kept = large_cache().take(capacity);
  if (kept.bytes) {
    if (zeroed) clear_kept(kept, size);
    return kept;
  }
  Block fresh = map_pages(capacity);
  if (fresh.bytes) return fresh;
  large_cache().clear();
  return map_pages(capacity);
}

Block allocate_watched(std::size_t size, bool zeroed) {
  void* bytes = nullptr;
  if (posix_memalign(&bytes, kSmallestBlock, size) != 0) return {};
  if (zeroed) std::memset(bytes, 0, size);
  return {static_cast<std::byte*>(bytes), size};
}

// Bytes of large blocks in use, and how many there may be.
std::atomic<std::size_t> large_bytes{0};
std::atomic<std::size_t> large_bytes_limit{SIZE_MAX};

bool reserve_large(std::size_t capacity) {
  std::size_t before = large_bytes.fetch_add(capacity, std::memory_order_relaxed);
  if (before + capacity <= large_bytes_limit.load(std::memory_order_relaxed)) return true;
  large_bytes.fetch_sub(capacity, std::memory_order_relaxed);
  return false;
}

}  // namespace

constinit thread_local SmallLists small_lists = {};

std::byte* allocate_fresh(std::size_t capacity) {
  thread_local ListsOwner owner;
  static_cast<void>(&owner);
  return static_cast<std::byte*>(std::aligned_alloc(kSmallestBlock, capacity));
}

std::size_t memory_limit() { return large_bytes_limit.load(std::memory_order_relaxed); }

std::size_t memory_in_use() { return large_bytes.load(std::memory_order_relaxed); }

std::size_t physical_memory() {
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                                   static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
  return bytes;
}

void limit_memory(std::size_t bytes) { large_bytes_limit.store(bytes, std::memory_order_relaxed); }

Block allocate_block(std::size_t size, bool zeroed) {
  if (size > (std::size_t{1} << 62)) return {};
  bool watched = size <= kWatchedLimit;
  if (size <= kSmallLimit)
    return watched ? allocate_watched(size, zeroed) : allocate_small(size, zeroed);
  std::size_t capacity = watched ? size : round_large(size);
  if (!reserve_large(capacity)) return {};
  Block block = watched ? allocate_watched(size, zeroed) : allocate_large(size, capacity, zeroed);
  if (!block.bytes) large_bytes.fetch_sub(capacity, std::memory_order_relaxed);
  return block;
}

void free_block(Block block) {
  if (!block.bytes) return;
  if (block.capacity <= kSmallLimit) return give_small(block.bytes, small_class(block.capacity));
  large_bytes.fetch_sub(block.capacity, std::memory_order_relaxed);
  if (block.capacity <= kWatchedLimit) return std::free(block.bytes);
  if (block.capacity <= kLargeKept / 2) return large_cache().keep(block);
  munmap(block.bytes, block.capacity);
}

}  // namespace strider::nd
