// Free lists are filled a chunk at a time; chunks stay with the process. Once a program holds many
// objects, chunks are cut from regions that the system may back with huge pages: touching memory
// for the first time costs as much as a dozen writes of an object otherwise. A system that has to
// search for huge pages (in a virtual machine: to ask its host) takes far longer over one than over
// the 512 plain pages in its place; such a system is asked again only after a while.
#include "interpreter/runtime/memory/pool.h"

#include <malloc.h>
#include <sys/mman.h>

#include <cassert>
#include <chrono>
#include <cstdint>
#include <new>
#include <utility>

namespace strider::lang::pool {

void keep_freed_memory() {
  constexpr int kMapped = 32 << 20, kKept = 64 << 20;  // bytes; what glibc itself comes to at most
  mallopt(M_MMAP_THRESHOLD, kMapped);
  mallopt(M_TRIM_THRESHOLD, kKept);
}

}  // namespace strider::lang::pool

#ifndef STRIDER_PLAIN_MEMORY
namespace strider::lang::pool {

constinit FreeBlock* free_blocks[kLargest / kStep + 1] = {};

namespace {

constexpr std::size_t kChunk = 16 * 1024;
constexpr std::size_t kHugePage = 2 * 1024 * 1024;
constexpr std::size_t kRegion = 4 * kHugePage;
constexpr std::size_t kSmallProgram = 2 * kHugePage;  // up to here, memory is taken as needed
constexpr std::size_t kPlain = 64 * kHugePage;        // memory of plain pages after a slow huge one
constexpr auto kPatience = std::chrono::milliseconds(1);

// What is left of the latest region.
constinit std::byte* region = nullptr;
constinit std::size_t region_left = 0;
constinit std::size_t taken = 0;
constinit std::size_t plain_until = 0;  // as long as `taken` is less, plain pages are used

// A region at the start of a huge page; false where the system gives none.
bool map_region() {
  constexpr std::size_t kLength = kRegion + kHugePage;
  void* start = mmap(nullptr, kLength, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) return false;
  auto* bytes = static_cast<std::byte*>(start);
  std::size_t skip = -reinterpret_cast<std::uintptr_t>(bytes) % kHugePage;
  if (skip) munmap(bytes, skip);
  munmap(bytes + skip + kRegion, kHugePage - skip);
  if (taken >= plain_until) madvise(bytes + skip, kRegion, MADV_HUGEPAGE);
  region = bytes + skip;
  region_left = kRegion;
  return true;
}

// Has the system give the page at the start of what is left of the region.
void touch_region() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
  *static_cast<volatile std::byte*>(region) = std::byte{0};
  if (Clock::now() - start < kPatience) return;
  madvise(region, region_left, MADV_NOHUGEPAGE);
  plain_until = taken + kPlain;
}

std::byte* take_chunk() {
  taken += kChunk;
  bool small = taken <= kSmallProgram;
  if (small || (region_left < kChunk && !map_region()))
    return static_cast<std::byte*>(::operator new(kChunk));
  if (region_left % kHugePage == 0 && taken >= plain_until) touch_region();
  region_left -= kChunk;
  return std::exchange(region, region + kChunk);
}

}  // namespace

void* refill(std::size_t size_class) {
  assert(size_class > 0);
  std::size_t size = size_class * kStep, count = kChunk / size;
  std::byte* chunk = take_chunk();
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
