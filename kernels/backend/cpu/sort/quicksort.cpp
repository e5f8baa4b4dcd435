// Quicksort and selection of keys, and how values become keys: signed integers that order as the
// values do, NaN last.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "kernels/backend/cpu/sort/key_sort.h"
#include "kernels/backend/cpu/sort/network.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

// Floating-point bits to keys and back: the order of negative numbers is turned around, and a NaN
// loses its sign, so that it comes last.
template <class Key>
void floats_to_keys(std::byte* bytes, std::int64_t count) {
  constexpr Key kAllButSign = std::numeric_limits<Key>::max();
  constexpr Key kInfinity =
      sizeof(Key) == 8 ? static_cast<Key>(0x7ff0000000000000) : static_cast<Key>(0x7f800000);
  constexpr int kSignShift = 8 * sizeof(Key) - 1;
  auto keys = reinterpret_cast<Key*>(bytes);
  for (std::int64_t i = 0; i < count; ++i) {
    Key bits = keys[i], magnitude = bits & kAllButSign;
    Key turned = bits ^ (bits >> kSignShift & kAllButSign);
    keys[i] = magnitude > kInfinity ? magnitude : turned;
  }
}

template <class Key>
void keys_to_floats(std::byte* bytes, std::int64_t count) {
  constexpr Key kAllButSign = std::numeric_limits<Key>::max();
  constexpr int kSignShift = 8 * sizeof(Key) - 1;
  auto keys = reinterpret_cast<Key*>(bytes);
  for (std::int64_t i = 0; i < count; ++i) keys[i] ^= keys[i] >> kSignShift & kAllButSign;
}

// Unsigned integers to keys and back.
template <class Key>
void turn_unsigned(std::byte* bytes, std::int64_t count) {
  auto keys = reinterpret_cast<Key*>(bytes);
  for (std::int64_t i = 0; i < count; ++i) keys[i] ^= std::numeric_limits<Key>::min();
}

#ifdef STRIDER_SORT_LANES

template <class Key>
struct Quicksort {
  using L = Lanes<Key>;
  using Vector = typename L::Vector;
  static constexpr std::int64_t kLanes = L::kCount, kBlock = 4 * kLanes;
  static constexpr Key kLargest = std::numeric_limits<Key>::max();

  // Parts one block that has been read.
  static void part_block(const Vector (&block)[4], Vector pivot, Key*& low, Key*& high) {
    for (const Vector& v : block) {
      int above = L::part(v, pivot, low, high);
      low += kLanes - above;
      high -= above;
    }
  }

  // Parts `count` keys that nobody else holds into the gap of as many keys at `low`.
  static std::int64_t part_rest(const Key* rest, std::int64_t count, Vector pivot, Key* low) {
    Key lower[4 * kBlock], upper[4 * kBlock];
    Key *lower_end = lower, *upper_begin = upper + 4 * kBlock;
    // The part of a vector comes first: its filling ends up last of all.
    std::int64_t loose = count % kLanes, filling = loose ? kLanes - loose : 0;
    Vector fill = L::all(kLargest);
    for (std::int64_t at = loose ? loose - kLanes : 0; at < count; at += kLanes) {
      Vector v = at < 0 ? L::load_some(rest, loose, fill) : L::load(rest + at);
      int above = L::part(v, pivot, lower_end, upper_begin);
      lower_end += kLanes - above;
      upper_begin -= above;
    }
    std::int64_t below = lower_end - lower;
    std::copy(lower, lower_end, low);
    std::copy(upper_begin, upper + 4 * kBlock - filling, low + below);
    return below;
  }

  // Moves keys up to `pivot` before those above it; returns how many there are. At least two
  // blocks of keys.
  static std::int64_t part(std::byte* bytes, std::int64_t count, std::int64_t pivot_key) {
    auto keys = reinterpret_cast<Key*>(bytes);
    if (pivot_key == kLargest) return count;
    const Vector pivot = L::all(static_cast<Key>(pivot_key));
    // A block of either end and what fills no block are set aside: room to write.
    std::int64_t odd = count % kBlock;
    Key aside[3 * kBlock];
    std::copy(keys, keys + odd + kBlock, aside);
    std::copy(keys + count - kBlock, keys + count, aside + odd + kBlock);
    const Key *left = keys + odd + kBlock, *right = keys + count - kBlock;
    Key *low = keys, *high = keys + count;
    while (left < right) {
      // Reading where there is less room leaves a block of room on both sides.
      bool from_left = left - low <= high - right;
      const Key* from = from_left ? left : right - kBlock;
      left += from_left ? kBlock : 0;
      right -= from_left ? 0 : kBlock;
      Vector block[4] = {L::load(from), L::load(from + kLanes), L::load(from + 2 * kLanes),
                         L::load(from + 3 * kLanes)};
      part_block(block, pivot, low, high);
    }
    return low - keys + part_rest(aside, odd + 2 * kBlock, pivot, low);
  }

  // The key of rank `rank` of 0 .. 1 (times 2^16) among some of the keys.
  static Key choose_pivot(const Key* keys, std::int64_t count, std::int64_t rank,
                          std::uint64_t& random) {
    Key samples[8 * kLanes];
    std::int64_t wanted = count < 1000 ? kLanes : count < 30000 ? 4 * kLanes : 8 * kLanes;
    std::int64_t stride = count / wanted;
    for (std::int64_t i = 0; i < wanted; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      auto offset = static_cast<std::uint64_t>(stride) * (random >> 40) >> 24;
      samples[i] = keys[i * stride + static_cast<std::int64_t>(offset)];
    }
    Network<Key>::sort(samples, wanted);
    return samples[(wanted - 1) * rank >> 16];
  }

  static int most_levels(std::int64_t count) {
    return 8 + 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count)));
  }

  static void sort_part(Key* keys, std::int64_t count, int levels, std::uint64_t random) {
    while (count > Network<Key>::kMost) {
      if (levels-- == 0) return std::sort(keys, keys + count);
      Key pivot = choose_pivot(keys, count, 1 << 15, random);
      std::int64_t below = part(bytes_of(keys), count, pivot);
      if (below < count) {
        sort_part(keys + below, count - below, levels, random);
        count = below;
      } else {
        // Nothing is above the pivot: those equal to it are in place behind the others.
        if (pivot == std::numeric_limits<Key>::min()) return;
        count = part(bytes_of(keys), count, pivot - 1);
      }
    }
    Network<Key>::sort(keys, count);
  }

  static void sort(std::byte* keys, std::int64_t count) {
    sort_part(reinterpret_cast<Key*>(keys), count, most_levels(count), 1);
  }

  // Puts the key of rank k where sorting would, smaller ones before it, larger ones behind.
  static void select(std::byte* bytes, std::int64_t count, std::int64_t k) {
    auto keys = reinterpret_cast<Key*>(bytes);
    std::uint64_t random = 1;
    for (int levels = most_levels(count); count > Network<Key>::kMost; --levels) {
      if (levels == 0) return std::nth_element(keys, keys + k, keys + count);
      Key pivot = choose_pivot(keys, count, (k << 16) / count, random);
      std::int64_t below = part(bytes_of(keys), count, pivot);
      if (below == count) {
        if (pivot == std::numeric_limits<Key>::min()) return;
        below = part(bytes_of(keys), count, pivot - 1);
        if (k >= below) return;
      }
      if (k < below) {
        count = below;
      } else {
        keys += below;
        count -= below;
        k -= below;
      }
    }
    Network<Key>::sort(keys, count);
  }

 private:
  static std::byte* bytes_of(Key* keys) { return reinterpret_cast<std::byte*>(keys); }
};

#endif

template <class Key>
void fill(KeySort& loops) {
  loops.from_floats = floats_to_keys<Key>;
  loops.to_floats = keys_to_floats<Key>;
  loops.turn_unsigned = turn_unsigned<Key>;
#ifdef STRIDER_SORT_LANES
  loops.sort = Quicksort<Key>::sort;
  loops.part = Quicksort<Key>::part;
  loops.select = Quicksort<Key>::select;
  static_assert(Network<Key>::kMost >= 2 * Quicksort<Key>::kBlock);
  static_assert(Quicksort<Key>::kBlock <= kLeastPart / 2);
#endif
}

}  // namespace

void fill_key_sorts(KeySortTable& table) {
  fill<std::int32_t>(table.four_bytes);
  fill<std::int64_t>(table.eight_bytes);
}

}  // namespace strider::nd::STRIDER_TARGET
