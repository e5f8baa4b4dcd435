// Rows of values copied and dropped some at a time: values that need no heap as the memory they
// are, references to objects one by one. Knows nothing of who owns the rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

#include "interpreter/runtime/value/values.h"

namespace strider::lang {

constexpr std::size_t kValueBlock = 8;  // values that are asked together whether one is an object

// Whether one of a block of values is a reference to an object.
inline bool block_has_object(const Value* block) {
  bool found = false;
  for (std::size_t i = 0; i < kValueBlock; ++i) found |= block[i].is_object();
  return found;
}

// Copies values into places that hold none; where the copies end.
inline Value* copy_values(const Value* first, std::size_t count, Value* place) {
  const Value* last = first + count;
  for (; count >= kValueBlock; count -= kValueBlock) {
    std::memcpy(static_cast<void*>(place), first, kValueBlock * sizeof(Value));
    if (block_has_object(first))
      for (std::size_t i = 0; i < kValueBlock; ++i)
        if (first[i].is_object()) first[i].object()->retain();
    first += kValueBlock;
    place += kValueBlock;
  }
  for (; first != last; ++first) ::new (place++) Value(*first);
  return place;
}
inline Value* copy_values(std::span<const Value> values, Value* place) {
  return copy_values(values.data(), values.size(), place);
}

// The same of values that lie `step` places apart.
inline Value* copy_steps(const Value* first, std::ptrdiff_t step, std::size_t count, Value* place) {
  for (; count > 0; --count, first += step) ::new (place++) Value(*first);
  return place;
}

// Ends the lives of values, the last first as CPython does.
inline void drop_values(Value* first, std::size_t count) {
  while (count % kValueBlock != 0) first[--count].~Value();
  while (count != 0) {
    count -= kValueBlock;
    if (!block_has_object(first + count)) continue;
    for (std::size_t i = kValueBlock; i-- > 0;) first[count + i].~Value();
  }
}

// Makes room for more values behind those there are, which grows as the row does.
inline void reserve_more(Values& row, std::size_t count) {
  std::size_t needed = row.size() + count;
  if (needed > row.capacity()) row.reserve(std::max(needed, 2 * row.size()));
}

// Adds copies of values that are none of the row's.
inline void append_values(Values& row, std::span<const Value> more) {
  std::size_t size = row.size();
  reserve_more(row, more.size());
  row.resize(size + more.size());
  copy_values(more, row.begin() + size);
}

// How many values of two rows, from the first on, are the same numbers or objects.
inline std::size_t identical_values(const Value* left, const Value* right, std::size_t count) {
  if (count == 0 || !identical(*left, *right)) return 0;
  std::size_t same = 0;
  for (; count - same >= kValueBlock; same += kValueBlock) {
    std::uint64_t differences = 0;
    for (std::size_t i = same; i < same + kValueBlock; ++i)
      differences |= static_cast<std::uint64_t>(left[i].tag() != right[i].tag()) |
                     static_cast<std::uint64_t>(left[i].as_int() ^ right[i].as_int());
    if (differences) break;
  }
  while (same < count && identical(left[same], right[same])) ++same;
  return same;
}

}  // namespace strider::lang
