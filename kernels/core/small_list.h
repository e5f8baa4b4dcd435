// SmallList: a list of plain values that needs no heap while it is short.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>

namespace strider::nd {

template <class T, std::size_t kInline>
class SmallList {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  SmallList() = default;
  explicit SmallList(std::size_t count) { assign(count, T{}); }
  SmallList(const SmallList& other) { copy(other); }
  SmallList(SmallList&& other) noexcept { take(other); }
  SmallList& operator=(const SmallList& other) {
    if (this != &other) copy(other);
    return *this;
  }
  SmallList& operator=(SmallList&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~SmallList() { release(); }

  void push_back(const T& value) {
    T kept = value;  // it may be an element
    if (size_ == capacity_) grow(2 * capacity_);
    new (elements_ + size_++) T(kept);
  }
  void assign(std::size_t count, const T& value) {
    T kept = value;
    if (count > capacity_) grow(count);
    for (std::size_t i = 0; i < count; ++i) new (elements_ + i) T(kept);
    size_ = count;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return elements_; }
  const T* data() const { return elements_; }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }
  T& back() { return elements_[size_ - 1]; }
  const T& back() const { return elements_[size_ - 1]; }
  T* begin() { return elements_; }
  T* end() { return elements_ + size_; }
  const T* begin() const { return elements_; }
  const T* end() const { return elements_ + size_; }

 private:
  T* room() { return reinterpret_cast<T*>(inline_); }
  bool on_heap() const { return elements_ != reinterpret_cast<const T*>(inline_); }
  void release() {
    if (on_heap()) std::free(elements_);
    elements_ = room();
    capacity_ = kInline;
    size_ = 0;
  }
  void grow(std::size_t capacity) {
    auto* larger = static_cast<T*>(std::malloc(capacity * sizeof(T)));
    if (!larger) throw std::bad_alloc();
    std::memcpy(static_cast<void*>(larger), elements_, size_ * sizeof(T));
    std::size_t size = size_;
    release();
    elements_ = larger;
    capacity_ = capacity;
    size_ = size;
  }
  void copy(const SmallList& other) {
    if (other.size_ > capacity_) grow(other.size_);
    std::memcpy(static_cast<void*>(elements_), other.elements_, other.size_ * sizeof(T));
    size_ = other.size_;
  }
  void take(SmallList& other) {
    if (!other.on_heap()) return copy(other);
    elements_ = other.elements_;
    capacity_ = other.capacity_;
    size_ = other.size_;
    other.elements_ = other.room();
    other.release();
  }

  alignas(T) std::byte inline_[kInline * sizeof(T)];
  T* elements_ = room();
  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
};

}  // namespace strider::nd
