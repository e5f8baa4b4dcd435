// Rows of values on the native stack, for arguments and local variables.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

namespace strider::lang {

// Constructs and destroys a row of values or references in memory given to it, from its start on:
// local variables go in that order, as in CPython.
template <class T>
class StackArray {
 public:
  StackArray(void* memory, int count) : items_(static_cast<T*>(memory)), count_(count) {
    for (int i = 0; i < count_; ++i) ::new (items_ + i) T();
  }
  ~StackArray() {
    for (int i = 0; i < count_; ++i) items_[i].~T();
  }
  StackArray(const StackArray&) = delete;
  T* data() { return items_; }

 private:
  T* items_;
  int count_;
};
#define STRIDER_STACK_ARRAY(type, name, count) \
  StackArray<type> name(__builtin_alloca(sizeof(type) * static_cast<std::size_t>(count)), count)

// The same, filled one by one; destroys what was put in so far.
template <class T>
class StackList {
 public:
  explicit StackList(void* memory) : items_(static_cast<T*>(memory)) {}
  ~StackList() {
    for (int i = 0; i < count_; ++i) items_[i].~T();
  }
  StackList(const StackList&) = delete;
  // Puts what `make()` returns at the end, without a copy.
  template <class Make>
  void add(Make&& make) {
    ::new (items_ + count_) T(make());
    ++count_;
  }
  // Puts default values at the end until there are `count`.
  void fill_up(int count) {
    for (; count_ < count; ++count_) ::new (items_ + count_) T();
  }
  T* data() { return items_; }
  int count() const { return count_; }

 private:
  T* items_;
  int count_ = 0;
};
#define STRIDER_STACK_LIST(type, name, capacity) \
  StackList<type> name(__builtin_alloca(sizeof(type) * static_cast<std::size_t>(capacity)))

}  // namespace strider::lang
