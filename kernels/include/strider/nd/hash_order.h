// The order of a hash table: NumPy leaves distinct values as its table keeps them where they need
// not be sorted, and programs print them. That table is libstdc++'s, its hash is FNV-1a of bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

namespace strider::nd {

class ByteHash {
 public:
  void add(const void* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {
      value_ ^= static_cast<const unsigned char*>(bytes)[i];
      value_ *= 0x100000001B3u;
    }
  }
  std::size_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

// The numbers of the first of equal items, in the order of the table. hash(i) and is_same(i, k)
// speak of items by their numbers.
template <class Hash, class Same>
std::vector<std::int64_t> hash_order(std::int64_t count, Hash&& hash, Same&& is_same) {
  // As many buckets as NumPy begins with: the order depends on how the table has grown.
  constexpr std::int64_t kMostBuckets = 1024;
  std::unordered_set<std::int64_t, std::decay_t<Hash>, std::decay_t<Same>> table(
      static_cast<std::size_t>(std::min(count, kMostBuckets)), hash, is_same);
  for (std::int64_t i = 0; i < count; ++i) table.insert(i);
  return {table.begin(), table.end()};
}

}  // namespace strider::nd
