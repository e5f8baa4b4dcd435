// Loops for keys that share a number with their places.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "kernels/backend/cpu/sort/key_sort.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

void tie_floats(std::int64_t* keys, std::int64_t count) {
  constexpr std::int64_t kNan = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kInfinity = 0x7ff0000000000000;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t key = keys[i] + (keys[i] == -1);
    keys[i] = key > kInfinity ? kNan : key;
  }
}

KeySpread survey(const std::int64_t* keys, std::int64_t count) {
  const std::int64_t first = keys[0];
  std::int64_t least = first, most = first, varying = 0, out_of_order = 0, not_falling = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    least = std::min(least, keys[i]);
    most = std::max(most, keys[i]);
    varying |= keys[i] ^ first;
  }
  for (std::int64_t i = 1; i < count; ++i) {
    out_of_order |= keys[i] < keys[i - 1];
    not_falling |= keys[i] >= keys[i - 1];
  }
  return {least, most, varying, out_of_order == 0, not_falling == 0};
}

void pack(std::int64_t* keys, std::int64_t count, std::int64_t least, int dropped, int place_bits) {
  const auto lowest = static_cast<std::uint64_t>(least);
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t high = (static_cast<std::uint64_t>(keys[i]) - lowest) >> dropped;
    keys[i] = static_cast<std::int64_t>(high << place_bits) | i;
  }
}

bool any_tied(const std::int64_t* packed, std::int64_t count, int place_bits) {
  const std::int64_t mask = (std::int64_t{1} << place_bits) - 1;
  std::int64_t tied = 0;
  for (std::int64_t i = 1; i < count; ++i) tied |= (packed[i] ^ packed[i - 1]) <= mask;
  return tied != 0;
}

void unpack(std::int64_t* packed, std::int64_t count, int place_bits) {
  const std::int64_t mask = (std::int64_t{1} << place_bits) - 1;
  for (std::int64_t i = 0; i < count; ++i) packed[i] &= mask;
}

}  // namespace

void fill_key_packing(KeyPacking& loops) { loops = {tie_floats, survey, pack, any_tied, unpack}; }

}  // namespace strider::nd::STRIDER_TARGET
