// Blocks of rows: from the pool while they are small, then from the system, which lengthens large
// ones without copying them.
#include "interpreter/runtime/value/values.h"

#include <cstdlib>
#include <cstring>
#include <limits>

#include "interpreter/runtime/value/value_rows.h"

namespace strider::lang {
namespace {

constexpr std::size_t kFewest = 4;
constexpr std::size_t kPooled = 32;  // rows of up to so many values lie in the pool
constexpr std::size_t kMost = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Value);

Value* from_system(void* block, std::size_t capacity) {
  void* result = capacity <= kMost ? std::realloc(block, capacity * sizeof(Value)) : nullptr;
  if (!result) throw std::bad_alloc();
  return static_cast<Value*>(result);
}

void give_back(Value* block, std::size_t capacity) {
  if (capacity <= kPooled)
    pool::release(block, capacity * sizeof(Value));
  else
    std::free(block);
}

void move_values(Value* to, const Value* from, std::size_t count) {
  if (count) std::memmove(static_cast<void*>(to), from, count * sizeof(Value));
}

void fill(Value* first, Value* last, const Value& value) {
  if (value.is_object()) {
    for (; first != last; ++first) ::new (first) Value(value);
    return;
  }
  for (; first != last; ++first) std::memcpy(static_cast<void*>(first), &value, sizeof(Value));
}

}  // namespace

// The first values are gone; the rest stay where they are.
void Values::skip(std::size_t count) {
  block_ += count;
  size_ -= count;
  capacity_ -= count;
  skipped_ += count;
  if (size_ == 0) use_skipped();
}

// Moves the values to where the block starts.
void Values::use_skipped() {
  if (skipped_ == 0) return;
  move_values(block_ - skipped_, block_, size_);
  block_ -= skipped_;
  capacity_ += std::exchange(skipped_, 0);
}

void Values::move_to(std::size_t capacity) {
  use_skipped();
  if (capacity <= capacity_) return;
  Value* fresh;
  if (capacity_ > kPooled) {
    fresh = from_system(block_, capacity);
  } else {
    fresh = capacity > kPooled ? from_system(nullptr, capacity)
                               : static_cast<Value*>(pool::allocate(capacity * sizeof(Value)));
    move_values(fresh, block_, size_);
    if (block_) give_back(block_, capacity_);
  }
  block_ = fresh;
  capacity_ = capacity;
}

// Where as much is skipped as is kept, that is room enough: moving is paid by what left before.
void Values::grow_by(Value value) {
  bool enough = skipped_ > size_ / 2;
  use_skipped();
  if (!enough) move_to(std::max(kFewest, 2 * capacity_));
  ::new (block_ + size_++) Value(std::move(value));
}

void Values::copy(const Value* first, const Value* last) {
  reserve(static_cast<std::size_t>(last - first));
  size_ = static_cast<std::size_t>(last - first);
  copy_values(first, size_, block_);
}

void Values::release() {
  drop_values(block_, size_);
  give_back(block_ - skipped_, skipped_ + capacity_);
}

void Values::resize(std::size_t size, const Value& value) {
  if (size < size_) {
    erase(begin() + size, end());
    return;
  }
  Value kept = value;
  reserve(size);
  fill(block_ + size_, block_ + size, kept);
  size_ = size;
}

Value* Values::open(const Value* place, std::size_t count) {
  auto before = static_cast<std::size_t>(place - block_);
  if (before == 0 && 0 < count && count <= skipped_) {
    block_ -= count;
    size_ += count;
    capacity_ += count;
    skipped_ -= count;
    for (std::size_t i = 0; i < count; ++i) ::new (block_ + i) Value();
    return block_;
  }
  if (size_ + count > capacity_) move_to(std::max({kFewest, size_ + count, 2 * capacity_}));
  Value* gap = block_ + before;
  move_values(gap + count, gap, size_ - before);
  for (std::size_t i = 0; i < count; ++i) ::new (gap + i) Value();
  size_ += count;
  return gap;
}

Value* Values::erase(const Value* place) {
  Value* gap = block_ + (place - block_);
  Value dropped = std::move(*gap);
  if (gap == block_ && capacity() > kPooled) {
    skip(1);
    return block_;
  }
  move_values(gap, gap + 1, static_cast<std::size_t>(end() - gap) - 1);
  --size_;
  return gap;
}

Value* Values::erase(const Value* first, const Value* last) {
  Value* gap = block_ + (first - block_);
  auto count = static_cast<std::size_t>(last - first);
  auto behind = static_cast<std::size_t>(end() - last);
  Values dropped;
  dropped.reserve(count);
  move_values(dropped.block_, gap, count);
  dropped.size_ = count;
  if (gap == block_ && capacity() > kPooled) {
    skip(count);
    return block_;
  }
  move_values(gap, last, behind);
  size_ -= count;
  return gap;
}

}  // namespace strider::lang
