// The order of one line. Keys are packed with their positions into one integer each, which the
// vector loops sort; where a key is too wide for that, its highest bits go first and elements that
// agree in them are put in order afterwards. Without such loops pairs are sorted by radix.
#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/sort/each_kth.h"
#include "kernels/sort/key_lines.h"
#include "kernels/sort/keys.h"
#include "kernels/sort/line_sort.h"
#include "kernels/sort/radix.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kRadixLength = 300;
// Shorter lines are sorted by comparing.
constexpr std::int64_t kLeastPacked = 16;
constexpr int kPackedBits = 63;
// Keys that differ by fewer steps are counted.
constexpr std::uint64_t kMostCounted = 1 << 14;
// Runs of elements that agree in their high bits are packed anew from this length on.
constexpr std::int64_t kLongRun = 24;

template <class Key>
struct Ranked {
  Key key;
  std::uint32_t place;
};

template <class T>
void argsort_short(const T* values, std::int64_t count, std::int64_t* order) {
  for (std::int64_t i = 0; i < count; ++i) order[i] = i;
  std::stable_sort(order, order + count, [values](std::int64_t a, std::int64_t b) {
    return comes_before(values[a], values[b]);
  });
}

template <class Key, class T>
void argsort_ranked(const T* values, std::int64_t count, std::int64_t* order) {
  using Item = Ranked<Key>;
  std::unique_ptr<Item[]> items(new Item[static_cast<std::size_t>(count)]);
  for (std::int64_t i = 0; i < count; ++i)
    items[static_cast<std::size_t>(i)] = {to_tied_key(values[i]), static_cast<std::uint32_t>(i)};
  auto earlier = [](const Item& a, const Item& b) {
    return a.key != b.key ? a.key < b.key : a.place < b.place;
  };
  if (count < kRadixLength)
    std::sort(items.get(), items.get() + count, earlier);
  else
    radix_sort<Key>(items.get(), count, [](const Item& item) { return item.key; });
  for (std::int64_t i = 0; i < count; ++i) order[i] = items[static_cast<std::size_t>(i)].place;
}

// How keys share 63 bits with positions: ((key - least) >> dropped) << place_bits | place.
struct Packing {
  std::uint64_t least = 0;
  std::uint64_t steps = 0;  // the largest (key - least) >> same_bits
  int same_bits = 0;        // low bits that are the same in all keys
  int dropped = 0;
  int place_bits = 0;
  bool rises = true;   // the keys are in order
  bool falls = false;  // each key is less than the one before
};

template <class T>
Packing choose_packing(const T* values, std::int64_t count) {
  std::uint64_t first = to_tied_key(values[0]), least = first, most = first, varying = 0;
  std::uint64_t before = first;
  bool rises = true, falls = true;
  for (std::int64_t i = 1; i < count; ++i) {
    std::uint64_t key = to_tied_key(values[i]);
    least = std::min(least, key);
    most = std::max(most, key);
    varying |= key ^ first;
    rises &= key >= before;
    falls &= key < before;
    before = key;
  }
  Packing packing{.least = least, .rises = rises, .falls = falls};
  packing.same_bits = varying == 0 ? 0 : std::countr_zero(varying);
  packing.steps = (most - least) >> packing.same_bits;
  packing.place_bits = std::bit_width(static_cast<std::uint64_t>(count - 1));
  int key_bits = std::bit_width(most - least);
  packing.dropped = std::max(packing.same_bits, key_bits + packing.place_bits - kPackedBits);
  return packing;
}

// The order of keys of which there are few different ones: they are counted.
template <class T>
void order_counted(const T* values, const Packing& packing, std::int64_t count,
                   std::int64_t* order) {
  auto step = [&](std::int64_t i) {
    return (to_tied_key(values[i]) - packing.least) >> packing.same_bits;
  };
  std::vector<std::int64_t> starts(packing.steps + 1);
  for (std::int64_t i = 0; i < count; ++i) ++starts[step(i)];
  std::int64_t start = 0;
  for (std::int64_t& slot : starts) start += std::exchange(slot, start);
  for (std::int64_t i = 0; i < count; ++i) order[starts[step(i)]++] = i;
}

template <class T>
void order_packed(const T* values, std::int64_t count, std::int64_t* order);

// Puts places whose elements agree in their high bits in order.
template <class T>
void order_run(const T* values, std::int64_t* places, std::int64_t count) {
  auto earlier = [values](std::int64_t a, std::int64_t b) {
    return to_tied_key(values[a]) < to_tied_key(values[b]);
  };
  if (count < kLongRun) return std::stable_sort(places, places + count, earlier);
  if constexpr (sizeof(T) == 8) {
    auto size = static_cast<std::size_t>(count);
    std::unique_ptr<std::uint64_t[]> keys(new std::uint64_t[size]);
    std::unique_ptr<std::int64_t[]> order(new std::int64_t[size]);
    for (std::size_t i = 0; i < size; ++i) keys[i] = to_tied_key(values[places[i]]);
    order_packed(keys.get(), count, order.get());
    for (std::size_t i = 0; i < size; ++i) order[i] = places[order[i]];
    std::copy(order.get(), order.get() + size, places);
  }
}

// Turns sorted packed keys into places; runs that agree are put in order.
template <class T>
void unpack_runs(const T* values, const Packing& packing, std::int64_t count,
                 std::int64_t* packed) {
  const std::int64_t mask = (std::int64_t{1} << packing.place_bits) - 1;
  for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
    std::int64_t high = packed[begin] >> packing.place_bits;
    for (; end < count && packed[end] >> packing.place_bits == high; ++end) packed[end] &= mask;
    if (end - begin > 1) order_run(values, packed + begin, end - begin);
  }
}

// The order where it is seen without sorting; whether it is.
template <class T>
bool order_plainly(const T* values, const Packing& packing, std::int64_t count,
                   std::int64_t* order) {
  bool counted = packing.steps < kMostCounted && packing.steps < static_cast<std::uint64_t>(count);
  if (packing.rises || packing.falls) {
    std::iota(order, order + count, std::int64_t{0});
    if (!packing.rises) std::reverse(order, order + count);
  } else if (counted) {
    order_counted(values, packing, count, order);
  }
  return packing.rises || packing.falls || counted;
}

template <class T>
void pack_places(const T* values, const Packing& packing, std::int64_t count,
                 std::int64_t* packed) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t high = (to_tied_key(values[i]) - packing.least) >> packing.dropped;
    packed[i] = static_cast<std::int64_t>(high << packing.place_bits) | i;
  }
}

template <class T>
void order_packed(const T* values, std::int64_t count, std::int64_t* order) {
  const Packing packing = choose_packing(values, count);
  if (order_plainly(values, packing, count, order)) return;
  pack_places(values, packing, count, order);
  sort_key_line(reinterpret_cast<std::byte*>(order), count, sizeof *order);
  if (packing.dropped > packing.same_bits) return unpack_runs(values, packing, count, order);
  const std::int64_t mask = (std::int64_t{1} << packing.place_bits) - 1;
  for (std::int64_t i = 0; i < count; ++i) order[i] &= mask;
}

// Of the packed keys from `done` on, those that agree with the kth in their high bits are put in
// order among themselves, in the slots that they have.
template <class T>
void settle_kth(const T* values, const Packing& packing, std::int64_t done, std::int64_t count,
                std::int64_t k, std::int64_t* packed) {
  const std::int64_t mask = (std::int64_t{1} << packing.place_bits) - 1;
  const std::int64_t high = packed[k] >> packing.place_bits;
  std::vector<std::int64_t> slots, places;
  for (std::int64_t i = done; i < count; ++i) {
    if (packed[i] >> packing.place_bits != high) continue;
    slots.push_back(i);
    places.push_back(packed[i] & mask);
  }
  if (slots.size() < 2) return;
  order_run(values, places.data(), static_cast<std::int64_t>(places.size()));
  for (std::size_t i = 0; i < slots.size(); ++i)
    packed[slots[i]] = high << packing.place_bits | places[i];
}

template <class T>
void partition_packed(const KeySort& loops, const T* values, std::int64_t count,
                      std::span<const std::int64_t> kth, std::int64_t* order) {
  const Packing packing = choose_packing(values, count);
  if (order_plainly(values, packing, count, order)) return;
  pack_places(values, packing, count, order);
  for_each_kth(kth, [&](std::int64_t done, std::int64_t k) {
    loops.select(reinterpret_cast<std::byte*>(order + done), count - done, k - done);
    if (packing.dropped > packing.same_bits) settle_kth(values, packing, done, count, k, order);
  });
  const std::int64_t mask = (std::int64_t{1} << packing.place_bits) - 1;
  for (std::int64_t i = 0; i < count; ++i) order[i] &= mask;
}

template <class T>
void argsort_values(const T* values, std::int64_t count, std::int64_t* order) {
  if constexpr (kIsComplex<T>) {
    argsort_short(values, count, order);
  } else {
    if (count >= std::int64_t{1} << 31 || count < kLeastPacked)
      argsort_short(values, count, order);
    else if (find_key_sort(sizeof *order))
      order_packed(values, count, order);
    else
      argsort_ranked<KeyOf<T>>(values, count, order);
  }
}

}  // namespace

void argpartition_line(DType dtype, const std::byte* values, std::int64_t count,
                       std::span<const std::int64_t> kth, std::int64_t* order) {
  const KeySort* loops = find_key_sort(sizeof *order);
  if (count <= kSmallPartition || count >= std::int64_t{1} << 31)
    return argsort_line(dtype, values, count, order);
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto typed = reinterpret_cast<const T*>(values);
    if constexpr (!kIsComplex<T>)
      if (loops) return partition_packed(*loops, typed, count, kth, order);
    std::iota(order, order + count, std::int64_t{0});
    for_each_kth(kth, [&](std::int64_t done, std::int64_t k) {
      std::nth_element(order + done, order + k, order + count,
                       [typed](auto a, auto b) { return comes_before(typed[a], typed[b]); });
    });
  });
}

void argsort_line(DType dtype, const std::byte* values, std::int64_t count, std::int64_t* order) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    argsort_values(reinterpret_cast<const T*>(values), count, order);
  });
}

}  // namespace strider::nd
