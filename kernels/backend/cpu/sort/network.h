// Sorting networks: up to sixteen vectors of keys sorted in registers. The columns are sorted
// first; then neighbouring groups of columns are merged until one group is as wide as a vector.
#pragma once

#include "kernels/backend/cpu/sort/lanes.h"

#ifdef STRIDER_SORT_LANES

namespace strider::nd::STRIDER_TARGET {

constexpr int kMostRows = 16;

template <class Key>
class Network {
 public:
  using L = Lanes<Key>;
  using Vector = typename L::Vector;
  static constexpr int kLanes = L::kCount;
  // How many keys one network sorts at most.
  static constexpr std::int64_t kMost = std::int64_t{kMostRows} * kLanes;

  // Sorts up to kMost keys.
  static void sort(Key* keys, std::int64_t count) {
    if (count <= kLanes) return sort_rows<1>(keys, count);
    if (count <= 2 * kLanes) return sort_rows<2>(keys, count);
    if (count <= 4 * kLanes) return sort_rows<4>(keys, count);
    if (count <= 8 * kLanes) return sort_rows<8>(keys, count);
    sort_rows<kMostRows>(keys, count);
  }

 private:
  // Calls body(constant) for the constants 0 .. kCount-1.
  template <int kCount, class Body>
  [[gnu::always_inline]] static void repeat(Body&& body) {
    [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) __attribute__((always_inline)) {
      (body(std::integral_constant<int, kIndex>{}), ...);
    }
    (std::make_integer_sequence<int, kCount>{});
  }

  // Compares each lane with lane i ^ kMask; the larger key goes where bit kBit of i is set.
  template <int kMask, int kBit>
  [[gnu::always_inline]] static Vector ordered(Vector v) {
    Vector other = exchanged<kMask>(v);
    Vector low = L::smaller(v, other), high = L::larger(v, other);
    return [&]<int... kIndex>(std::integer_sequence<int, kIndex...>)
        __attribute__((always_inline)) {
      return __builtin_shufflevector(low, high, (kIndex & kBit ? kIndex + kLanes : kIndex)...);
    }
    (std::make_integer_sequence<int, kLanes>{});
  }

  [[gnu::always_inline]] static void order(Vector& a, Vector& b) {
    Vector low = L::smaller(a, b);
    b = L::larger(a, b);
    a = low;
  }

  // Sorts every column by Batcher's merges of rows kStep apart.
  template <int kRows, int kSize = 1, int kStep = kSize>
  [[gnu::always_inline]] static void sort_columns(Vector* rows) {
    if constexpr (kSize < kRows) {
      repeat<kRows>([&](auto row) __attribute__((always_inline)) {
        constexpr int kLow = row, kHigh = kLow + kStep;
        constexpr bool kInStep =
            kStep == kSize
                ? kLow % (2 * kStep) < kStep
                : kLow % (2 * kSize) >= kStep && (kLow % (2 * kSize) - kStep) % (2 * kStep) < kStep;
        if constexpr (kInStep && kHigh < kRows && kLow / (2 * kSize) == kHigh / (2 * kSize))
          order(rows[kLow], rows[kHigh]);
      });
      if constexpr (kStep > 1)
        sort_columns<kRows, kSize, kStep / 2>(rows);
      else
        sort_columns<kRows, 2 * kSize>(rows);
    }
  }

  // Half of the way of merging groups of kWidth columns: keys of both move to their half of rows.
  template <int kRows, int kWidth, int kSpan = kRows>
  [[gnu::always_inline]] static void merge_rows(Vector* rows) {
    if constexpr (kSpan >= 2) {
      repeat<kRows / 2>([&](auto pair) __attribute__((always_inline)) {
        constexpr int kStart = pair / (kSpan / 2) * kSpan, kAt = pair % (kSpan / 2);
        Vector &a = rows[kStart + kAt], &b = rows[kStart + kSpan - 1 - kAt];
        Vector turned_a = exchanged<2 * kWidth - 1>(a), turned_b = exchanged<2 * kWidth - 1>(b);
        a = L::smaller(a, turned_b);
        b = L::larger(b, turned_a);
      });
      merge_rows<kRows, kWidth, kSpan / 2>(rows);
    }
  }

  template <int kDistance>
  [[gnu::always_inline]] static Vector merge_lanes(Vector v) {
    if constexpr (kDistance >= 1)
      return merge_lanes<kDistance / 2>(ordered<kDistance, kDistance>(v));
    else
      return v;
  }

  template <int kRows, int kWidth = 1>
  [[gnu::always_inline]] static void merge_columns(Vector* rows) {
    if constexpr (kWidth < kLanes) {
      merge_rows<kRows, kWidth>(rows);
      repeat<kRows>([&](auto row) __attribute__((always_inline)) {
        rows[row] = merge_lanes<kWidth / 2>(ordered<2 * kWidth - 1, kWidth>(rows[row]));
      });
      merge_columns<kRows, 2 * kWidth>(rows);
    }
  }

  template <class>
  friend class Network;

  template <int kRows>
  [[gnu::always_inline]] static void sort_vectors(Vector* rows) {
    sort_columns<kRows>(rows);
    merge_columns<kRows>(rows);
  }

  // False, with nothing changed, where floats would not tell all keys apart.
  template <int kRows>
  [[gnu::noinline]] static bool sort_as_floats(Key* keys, std::int64_t count) {
    using Floats = Lanes<double>;
    const Vector fill = L::all(Floats::kInfinity);
    Floats::Vector rows[kRows];
    Vector misplaced = {};
    repeat<kRows>([&](auto row) __attribute__((always_inline)) {
      rows[row] = Floats::of_keys(L::load_some(keys + row * kLanes, count - row * kLanes, fill));
      misplaced |= Floats::misplaced(rows[row]);
    });
    if (L::any(misplaced)) return false;
    Network<double>::template sort_vectors<kRows>(rows);
    repeat<kRows>([&](auto row) __attribute__((always_inline)) {
      L::store_some(keys + row * kLanes, count - row * kLanes, Floats::to_keys(rows[row]));
    });
    return true;
  }

  template <int kRows>
  static void sort_rows(Key* keys, std::int64_t count) {
    if constexpr (sizeof(Key) == 8 && kRows >= 4)
      if (sort_as_floats<kRows>(keys, count)) return;
    sort_keys<kRows>(keys, count);
  }

  template <int kRows>
  [[gnu::noinline]] static void sort_keys(Key* keys, std::int64_t count) {
    const Vector fill = L::all(std::numeric_limits<Key>::max());
    Vector rows[kRows];
    repeat<kRows>([&](auto row) __attribute__((always_inline)) {
      rows[row] = L::load_some(keys + row * kLanes, count - row * kLanes, fill);
    });
    sort_vectors<kRows>(rows);
    repeat<kRows>([&](auto row) __attribute__((always_inline)) {
      L::store_some(keys + row * kLanes, count - row * kLanes, rows[row]);
    });
  }
};

}  // namespace strider::nd::STRIDER_TARGET

#endif  // lanes
