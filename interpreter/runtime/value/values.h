// Values: a growing row of values, with what std::vector offers. Values may lie anywhere in memory,
// so a row grows where it stands if the system can lengthen its block, and short rows take their
// blocks from the pool. A long row that loses its first values moves none of the others: what is in
// front of them stays free until there is need of it. Knows nothing of lists.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <new>
#include <type_traits>
#include <utility>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Values {
 public:
  using value_type = Value;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = Value&;
  using const_reference = const Value&;
  using iterator = Value*;
  using const_iterator = const Value*;

  Values() = default;
  explicit Values(std::size_t count) { resize(count); }
  Values(std::size_t count, const Value& value) { resize(count, value); }
  Values(std::initializer_list<Value> items) : Values(items.begin(), items.end()) {}
  template <std::input_iterator Iterator>
  Values(Iterator first, Iterator last) {
    assign(first, last);
  }
  Values(const Values& other) : Values(other.begin(), other.end()) {}
  Values(Values&& other) noexcept { swap(other); }
  Values& operator=(Values other) noexcept {
    swap(other);
    return *this;
  }
  ~Values() {
    if (block_) release();
  }

  Value* begin() { return block_; }
  Value* end() { return block_ + size_; }
  const Value* begin() const { return block_; }
  const Value* end() const { return block_ + size_; }
  auto rbegin() const { return std::reverse_iterator(end()); }
  auto rend() const { return std::reverse_iterator(begin()); }
  std::size_t capacity() const { return skipped_ + capacity_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Value* data() { return block_; }
  const Value* data() const { return block_; }
  Value& operator[](std::size_t index) { return block_[index]; }
  const Value& operator[](std::size_t index) const { return block_[index]; }
  Value& front() { return block_[0]; }
  const Value& front() const { return block_[0]; }
  Value& back() { return block_[size_ - 1]; }
  const Value& back() const { return block_[size_ - 1]; }

  void push_back(const Value& value) { push_back(Value(value)); }
  void push_back(Value&& value) {
    if (size_ == capacity_) [[unlikely]]
      return grow_by(std::move(value));
    ::new (block_ + size_++) Value(std::move(value));
  }
  template <class... Args>
  Value& emplace_back(Args&&... args) {
    push_back(Value(std::forward<Args>(args)...));
    return back();
  }
  void pop_back() { Value last = std::move(block_[--size_]); }

  // Room for `capacity` values in all.
  void reserve(std::size_t capacity) {
    if (capacity > capacity_) move_to(capacity);
  }
  // What dies is out of the row before anybody can notice.
  void clear() { Values dropped = std::move(*this); }
  void resize(std::size_t size, const Value& value = Value());
  template <std::input_iterator Iterator>
  void assign(Iterator first, Iterator last) {
    Values fresh;
    if constexpr (std::is_convertible_v<Iterator, const Value*>) {
      fresh.copy(first, last);
    } else {
      if constexpr (std::forward_iterator<Iterator>)
        fresh.reserve(static_cast<std::size_t>(std::distance(first, last)));
      for (; first != last; ++first) fresh.emplace_back(*first);
    }
    swap(fresh);
  }
  // Puts values in front of `place`, which are none of this row.
  template <std::forward_iterator Iterator>
  Value* insert(const Value* place, Iterator first, Iterator last) {
    Value* gap = open(place, static_cast<std::size_t>(std::distance(first, last)));
    std::copy(first, last, gap);
    return gap;
  }
  Value* insert(const Value* place, Value value) {
    Value* gap = open(place, 1);
    *gap = std::move(value);
    return gap;
  }
  Value* erase(const Value* place);
  Value* erase(const Value* first, const Value* last);

  void swap(Values& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(skipped_, other.skipped_);
  }
  friend void swap(Values& a, Values& b) noexcept { a.swap(b); }

  // Copies values, which are none of this row, into a row that is empty.
  void copy(const Value* first, const Value* last);

 private:
  void release();
  void grow_by(Value value);
  void move_to(std::size_t capacity);
  void skip(std::size_t count);
  void use_skipped();
  // A gap of `count` Empty values in front of `place`.
  Value* open(const Value* place, std::size_t count);

  Value* block_ = nullptr;  // the first value, behind what is skipped
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // from block_ on
  std::size_t skipped_ = 0;
};

// Room for items that are made together, as CPython makes it: for an even number.
inline std::size_t even_room(std::size_t count) { return (count + 1) & ~std::size_t{1}; }

}  // namespace strider::lang
