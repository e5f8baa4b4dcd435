// Memory of one tree: a bump allocator whose objects die together, without destructors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace strider::syntax {

// A fixed run of values owned by an arena; copying copies the handle.
template <class T>
class Sequence {
 public:
  Sequence() = default;
  Sequence(T* data, size_t size) : data_(data), size_(static_cast<uint32_t>(size)) {}

  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t index) const { return data_[index]; }
  T& front() const { return data_[0]; }
  T& back() const { return data_[size_ - 1]; }

 private:
  T* data_ = nullptr;
  uint32_t size_ = 0;
};

class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  // Raw memory, aligned for `alignment` (a power of two up to that of max_align_t).
  void* allocate(size_t bytes, size_t alignment) {
    size_t start = (used_ + alignment - 1) & ~(alignment - 1);
    if (start + bytes > capacity_) return allocate_in_new_block(bytes);
    used_ = start + bytes;
    return blocks_.back().get() + start;
  }

  // A new object; its type must not need a destructor.
  template <class T, class... Args>
  T* make(Args&&... args) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (allocate(sizeof(T), alignof(T))) T{std::forward<Args>(args)...};
  }

  // A copy of `size` values starting at `data`.
  template <class T>
  Sequence<T> copy(const T* data, size_t size) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (size == 0) return {};
    T* items = static_cast<T*>(allocate(sizeof(T) * size, alignof(T)));
    std::uninitialized_copy_n(data, size, items);
    return {items, size};
  }
  template <class T>
  Sequence<T> copy(const std::vector<T>& values) {
    return copy(values.data(), values.size());
  }

  // A copy of some text.
  std::string_view copy_text(std::string_view text) {
    Sequence<char> chars = copy(text.data(), text.size());
    return {chars.begin(), chars.size()};
  }

 private:
  void* allocate_in_new_block(size_t bytes) {
    size_t size = std::max(bytes, std::min<size_t>(capacity_ * 2 + 4096, size_t{1} << 20));
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
    capacity_ = size;
    used_ = bytes;
    return blocks_.back().get();
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t used_ = 0;
  size_t capacity_ = 0;
};

// Collects values of a Sequence; the first few need no heap.
template <class T, size_t kInline = 8>
class SequenceBuilder {
 public:
  void push(T value) {
    if (size_ < kInline) {
      inline_[size_++] = value;
      return;
    }
    if (heap_.empty()) heap_.assign(inline_, inline_ + size_);
    heap_.push_back(value);
    ++size_;
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](size_t index) { return heap_.empty() ? inline_[index] : heap_[index]; }
  T& back() { return (*this)[size_ - 1]; }
  // The values, copied into the arena.
  Sequence<T> finish(Arena& arena) const {
    return arena.copy(heap_.empty() ? inline_ : heap_.data(), size_);
  }

 private:
  T inline_[kInline];
  size_t size_ = 0;
  std::vector<T> heap_;
};

}  // namespace strider::syntax
