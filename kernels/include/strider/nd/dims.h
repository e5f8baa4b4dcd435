// Dims: a short list of extents or strides that lives inside its owner. Knows nothing of arrays.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>

namespace strider::nd {

// NumPy's limit on the number of axes.
inline constexpr int kMaxRank = 64;

// A list of 64-bit integers, one per axis; up to kInline of them need no heap.
class Dims {
 public:
  static constexpr int kInline = 4;

  Dims() = default;
  explicit Dims(int rank, std::int64_t fill = 0) { resize(rank, fill); }
  Dims(std::initializer_list<std::int64_t> values) { assign(values.begin(), values.size()); }
  explicit Dims(std::span<const std::int64_t> values) { assign(values.data(), values.size()); }
  Dims(const Dims& other) {
    if (other.heap_)
      assign(other.data(), static_cast<std::size_t>(other.size_));
    else
      copy_inline(other);
  }
  Dims(Dims&& other) noexcept { take(other); }
  Dims& operator=(const Dims& other) {
    if (!heap_ && !other.heap_)
      copy_inline(other);
    else if (this != &other)
      assign(other.data(), static_cast<std::size_t>(other.size_));
    return *this;
  }
  Dims& operator=(Dims&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~Dims() = default;

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int64_t* data() { return heap_ ? heap_.get() : inline_; }
  const std::int64_t* data() const { return heap_ ? heap_.get() : inline_; }
  std::int64_t& operator[](int axis) { return data()[axis]; }
  std::int64_t operator[](int axis) const { return data()[axis]; }
  std::int64_t& back() { return data()[size_ - 1]; }
  std::int64_t back() const { return data()[size_ - 1]; }
  std::int64_t* begin() { return data(); }
  std::int64_t* end() { return data() + size_; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + size_; }
  operator std::span<const std::int64_t>() const {
    return {data(), static_cast<std::size_t>(size_)};
  }

  // Changes the number of axes; new ones hold `fill`.
  void resize(int size, std::int64_t fill = 0) {
    if (size > capacity()) grow(size);
    for (int axis = size_; axis < size; ++axis) data()[axis] = fill;
    size_ = size;
  }
  void push_back(std::int64_t value) { resize(size_ + 1, value); }
  void insert(int axis, std::int64_t value) {
    push_back(0);
    std::memmove(data() + axis + 1, data() + axis, sizeof(value) * (size_ - 1 - axis));
    data()[axis] = value;
  }
  void erase(int axis) {
    std::memmove(data() + axis, data() + axis + 1, sizeof(std::int64_t) * (size_ - 1 - axis));
    --size_;
  }

  friend bool operator==(const Dims& a, const Dims& b) {
    if (a.size_ != b.size_) return false;
    const std::int64_t *x = a.data(), *y = b.data();
    for (int i = 0; i < a.size_; ++i) {
      if (x[i] != y[i]) return false;
    }
    return true;
  }

 private:
  int capacity() const { return heap_ ? heap_capacity_ : kInline; }
  void grow(int size) {
    int wanted = size < 2 * capacity() ? 2 * capacity() : size;
    std::unique_ptr<std::int64_t[]> bigger(new std::int64_t[wanted]);
    std::memcpy(bigger.get(), data(), sizeof(std::int64_t) * size_);
    heap_ = std::move(bigger);
    heap_capacity_ = wanted;
  }
  void assign(const std::int64_t* values, std::size_t count) {
    size_ = 0;
    resize(static_cast<int>(count));
    if (count > 0) std::memcpy(data(), values, sizeof(std::int64_t) * count);
  }
  void copy_inline(const Dims& other) {
    size_ = other.size_;
    std::memcpy(inline_, other.inline_, sizeof inline_);
  }
  void take(Dims& other) {
    heap_ = std::move(other.heap_);
    heap_capacity_ = other.heap_capacity_;
    size_ = other.size_;
    if (!heap_) std::memcpy(inline_, other.inline_, sizeof inline_);
    other.size_ = 0;
  }

  std::unique_ptr<std::int64_t[]> heap_;
  int heap_capacity_ = 0;
  int size_ = 0;
  std::int64_t inline_[kInline] = {};
};

// The number of elements of an array of this shape.
inline std::int64_t element_count(const Dims& shape) {
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  return count;
}

}  // namespace strider::nd
