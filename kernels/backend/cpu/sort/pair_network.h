// A sorting network for pairs of keys and places. Neighbours are exchanged where the first key is
// larger, never where both are equal, so that the network decides where equal keys end up: it is
// the bitonic one, whose merges compare what lies alike from both ends first. Its size does not
// matter, as long as all keys fit.
#pragma once

#include <algorithm>

#include "kernels/backend/cpu/sort/key_sort.h"
#include "kernels/backend/cpu/sort/lanes.h"

#ifdef STRIDER_SORT_LANES

namespace strider::nd::STRIDER_TARGET {

class PairNetwork {
 public:
  // Sorts up to kMostPairs.
  static void sort(std::int64_t* keys, std::int64_t* places, std::int64_t count) {
    PairNetwork network;
    int rows = 1;
    while (rows * kLanes < count) rows *= 2;
    network.load(keys, places, count, rows);
    network.sort_rows(rows);
    network.store(keys, places, count);
  }

 private:
  using L = Lanes<std::int64_t>;
  using Vector = L::Vector;
  static constexpr int kLanes = L::kCount;
  static constexpr int kMostRows = kMostPairs / kLanes;

  struct Row {
    Vector keys, places;
  };

  // Compares each lane with lane i ^ kMask; the larger key goes where bit kBit of i is set.
  template <int kMask, int kBit>
  [[gnu::always_inline]] static void order_lanes(Row& row) {
    const Vector keys = exchanged<kMask>(row.keys), places = exchanged<kMask>(row.places);
    const Vector less = keys<row.keys, more = keys> row.keys;
    const Vector takes = [&]<int... kIndex>(std::integer_sequence<int, kIndex...>)
        __attribute__((always_inline)) {
      return __builtin_shufflevector(less, more, (kIndex & kBit ? kIndex + kLanes : kIndex)...);
    }
    (std::make_integer_sequence<int, kLanes>{});
    row.keys = takes ? keys : row.keys;
    row.places = takes ? places : row.places;
  }

  [[gnu::always_inline]] static void order(Row& low, Row& high) {
    const Vector turns = low.keys > high.keys;
    const Row first = low;
    low.keys = turns ? high.keys : low.keys;
    low.places = turns ? high.places : low.places;
    high.keys = turns ? first.keys : high.keys;
    high.places = turns ? first.places : high.places;
  }

  // Halves of lanes that are merged, from kDistance on.
  template <int kDistance>
  [[gnu::always_inline]] static void merge_lanes(Row& row) {
    if constexpr (kDistance >= 1) {
      order_lanes<kDistance, kDistance>(row);
      merge_lanes<kDistance / 2>(row);
    }
  }

  template <int kSize = 2>
  [[gnu::always_inline]] static void sort_lanes(Row& row) {
    if constexpr (kSize <= kLanes) {
      order_lanes<kSize - 1, kSize / 2>(row);
      merge_lanes<kSize / 4>(row);
      sort_lanes<2 * kSize>(row);
    }
  }

  // Merges the sorted halves of so many rows.
  static void merge_rows(Row* rows, int count) {
    for (int i = 0; i < count / 2; ++i) {
      Row& last = rows[count - 1 - i];
      last = {exchanged<kLanes - 1>(last.keys), exchanged<kLanes - 1>(last.places)};
      order(rows[i], last);
      last = {exchanged<kLanes - 1>(last.keys), exchanged<kLanes - 1>(last.places)};
    }
    for (int step = count / 4; step >= 1; step /= 2)
      for (int begin = 0; begin < count; begin += 2 * step)
        for (int i = begin; i < begin + step; ++i) order(rows[i], rows[i + step]);
    for (int i = 0; i < count; ++i) merge_lanes<kLanes / 2>(rows[i]);
  }

  void sort_rows(int count) {
    for (int i = 0; i < count; ++i) sort_lanes(rows_[i]);
    for (int size = 2; size <= count; size *= 2)
      for (int begin = 0; begin < count; begin += size) merge_rows(rows_ + begin, size);
  }

  // Behind the pairs are keys that nothing exceeds, which therefore stay.
  void load(const std::int64_t* keys, const std::int64_t* places, std::int64_t count, int rows) {
    const Vector fill = L::all(std::numeric_limits<std::int64_t>::max());
    for (int i = 0; i < rows; ++i)
      rows_[i] = {L::load_some(keys + i * kLanes, count - i * kLanes, fill),
                  L::load_some(places + i * kLanes, count - i * kLanes, fill)};
  }
  void store(std::int64_t* keys, std::int64_t* places, std::int64_t count) const {
    for (int i = 0; i * kLanes < count; ++i) {
      L::store_some(keys + i * kLanes, count - i * kLanes, rows_[i].keys);
      L::store_some(places + i * kLanes, count - i * kLanes, rows_[i].places);
    }
  }

  Row rows_[kMostRows];
};

}  // namespace strider::nd::STRIDER_TARGET

#endif  // lanes
