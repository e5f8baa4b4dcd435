// Part of every program built with sanitizers, whose own `new` ends the process when memory is
// short: this one throws std::bad_alloc, as programs without sanitizers see it.
#include "tests/sanitizers/memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> bytes_limit{0};  // 0: none
std::atomic<std::size_t> bytes_in_use{0};

bool reserve(std::size_t size) {
  std::size_t limit = bytes_limit.load(std::memory_order_relaxed);
  return limit == 0 || bytes_in_use.load(std::memory_order_relaxed) + size <= limit;
}

void* allocate(std::size_t size, std::size_t alignment) {
  void* bytes = nullptr;
  if (!reserve(size) || posix_memalign(&bytes, alignment, size ? size : 1) != 0)
    throw std::bad_alloc();
  bytes_in_use.fetch_add(malloc_usable_size(bytes), std::memory_order_relaxed);
  return bytes;
}

void* try_allocate(std::size_t size, std::size_t alignment) noexcept {
  try {
    return allocate(size, alignment);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

void release(void* bytes) {
  if (!bytes) return;
  bytes_in_use.fetch_sub(malloc_usable_size(bytes), std::memory_order_relaxed);
  std::free(bytes);
}

}  // namespace

namespace strider::sanitizers {

void limit_memory(std::size_t bytes) { bytes_limit.store(bytes, std::memory_order_relaxed); }

}  // namespace strider::sanitizers

// NOLINTBEGIN: the names and signatures are the runtime's.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return try_allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return try_allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* bytes) noexcept { release(bytes); }
void operator delete(void* bytes, std::size_t) noexcept { release(bytes); }
void operator delete(void* bytes, std::align_val_t) noexcept { release(bytes); }
void operator delete(void* bytes, std::size_t, std::align_val_t) noexcept { release(bytes); }

extern "C" __attribute__((visibility("default"))) const char* __asan_default_options() {
  return "allocator_may_return_null=1";
}
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options() {
  return "allocator_may_return_null=1";
}
// NOLINTEND
