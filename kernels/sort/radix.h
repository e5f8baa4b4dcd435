// Radix sort of unsigned keys, eight bits a pass, least significant first: stable and linear.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace strider::nd {

// Sorts items by key(item), a Key; passes in which all items agree are skipped.
template <class Key, class Item, class KeyFunction>
void radix_sort(Item* items, std::int64_t count, KeyFunction&& key) {
  constexpr int kPasses = sizeof(Key);
  std::array<std::array<std::int64_t, 256>, kPasses> histogram{};
  for (std::int64_t i = 0; i < count; ++i)
    for (int pass = 0; pass < kPasses; ++pass) ++histogram[pass][key(items[i]) >> (8 * pass) & 255];
  std::unique_ptr<Item[]> buffer;
  Item *from = items, *to = nullptr;
  for (int pass = 0; pass < kPasses; ++pass) {
    auto& counts = histogram[pass];
    if (counts[key(from[0]) >> (8 * pass) & 255] == count) continue;
    if (!buffer) {
      buffer.reset(new Item[static_cast<std::size_t>(count)]);
      to = buffer.get();
    }
    std::int64_t start = 0;
    for (std::int64_t& slot : counts) start += std::exchange(slot, start);
    for (std::int64_t i = 0; i < count; ++i)
      to[counts[key(from[i]) >> (8 * pass) & 255]++] = from[i];
    std::swap(from, to);
  }
  if (from != items) std::copy(from, from + count, items);
}

}  // namespace strider::nd
