// Numbers: room for so many numbers, not set, that begins where cache lines begin, so that vectors
// of whole lines cross none. Its memory comes from where arrays have theirs: it is kept for the
// next call, and lies on huge pages where there is much of it.
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "kernels/core/memory.h"

namespace strider::nd {

template <class T>
class Numbers {
  static_assert(std::is_trivial_v<T>);

 public:
  explicit Numbers(std::int64_t count = 0) {
    if (count == 0) return;
    block_ = allocate_block(static_cast<std::size_t>(count) * sizeof(T), false);
    if (!block_.bytes) throw std::bad_alloc();
  }
  Numbers(Numbers&& other) noexcept : block_(std::exchange(other.block_, {})) {}
  Numbers& operator=(Numbers&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Numbers() {
    if (block_.bytes) free_block(block_);
  }
  T* get() const { return reinterpret_cast<T*>(block_.bytes); }

 private:
  Block block_;
};

}  // namespace strider::nd
