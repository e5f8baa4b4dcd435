// The order of one line. Keys are packed with their positions into one integer each, which the
// vector loops sort; where a key is too wide for that, its highest bits go first and elements that
// agree in them are put in order afterwards. Without such loops pairs are sorted by radix.
#include <algorithm>
#include <bit>
#include <cstring>
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

// Keys of up to four bytes leave room for positions beside them.
template <class T>
void argsort_packed(const KeySort& loops, const T* values, std::int64_t count,
                    std::int64_t* order) {
  constexpr int kPlaceBits = std::countr_zero(static_cast<unsigned>(kLeastPacked));
  for (std::int64_t i = 0; i < count; ++i)
    order[i] = static_cast<std::int64_t>(key_above_place<kPlaceBits>(values[i], i));
  loops.sort(reinterpret_cast<std::byte*>(order), count);
  for (std::int64_t i = 0; i < count; ++i)
    order[i] = place_below_key<kPlaceBits>(static_cast<std::uint64_t>(order[i]));
}

// Each element goes before those that come after it, `comes_before` by numbers.
template <class ComesBefore>
void insert_each(std::int64_t count, std::int64_t* order, ComesBefore comes_before) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t at = i;
    for (; at > 0 && comes_before(i, order[at - 1]); --at) order[at] = order[at - 1];
    order[at] = i;
  }
}

// Every key is compared with every other one, which tells how many come before each: nothing
// branches.
template <class Key>
void rank_each(const Key* keys, std::int64_t count, std::int64_t* order) {
  std::int64_t before[kLeastPacked] = {};
  for (std::int64_t i = 0; i < count; ++i) {
    const Key key = keys[i];
    std::int64_t behind = 0;
    for (std::int64_t j = i + 1; j < count; ++j) {
      std::int64_t less = keys[j] < key;
      behind += less;
      before[j] += 1 - less;
    }
    order[before[i] + behind] = i;
  }
}

// Fewer than kLeastPacked elements.
template <class T>
void argsort_short(const T* values, std::int64_t count, std::int64_t* order) {
  if constexpr (kIsComplex<T>) {
    insert_each(count, order, [values](std::int64_t a, std::int64_t b) {
      return comes_before(values[a], values[b]);
    });
  } else {
    if constexpr (sizeof(T) <= 4)
      if (const KeySort* loops = find_key_sort(8))
        return argsort_packed(*loops, values, count, order);
    KeyOf<T> keys[kLeastPacked];
    for (std::int64_t i = 0; i < count; ++i) keys[i] = to_tied_key(values[i]);
    rank_each(keys, count, order);
  }
}

// Lines of any length.
template <class T>
void argsort_compared(const T* values, std::int64_t count, std::int64_t* order) {
  std::iota(order, order + count, std::int64_t{0});
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
  std::int64_t first = 0;   // the least of the signed keys, and
  std::uint64_t least = 0;  // of those of to_tied_key
  std::uint64_t steps = 0;  // the largest (key - least) >> same_bits
  int same_bits = 0;        // low bits that are the same in all keys
  int dropped = 0;
  int place_bits = 0;
  bool rises = true;   // the keys are in order
  bool falls = false;  // each key is less than the one before
};

// The keys of the elements as signed integers, in which those of the size of T order as they are.
template <class T>
void make_keys(const T* values, std::int64_t count, std::int64_t* keys) {
  if constexpr (sizeof(T) < sizeof *keys) {
    for (std::int64_t i = 0; i < count; ++i) keys[i] = to_tied_key(values[i]);
  } else {
    auto* bytes = reinterpret_cast<std::byte*>(keys);
    std::memcpy(keys, values, static_cast<std::size_t>(count) * sizeof *keys);
    if constexpr (kIsFloating<T>) {
      key_sorts().eight_bytes.from_floats(bytes, count);
      key_sorts().packing.tie_floats(keys, count);
    } else if constexpr (std::is_unsigned_v<T>) {
      key_sorts().eight_bytes.turn_unsigned(bytes, count);
    }
  }
}

template <class T>
Packing choose_packing(const std::int64_t* keys, std::int64_t count) {
  const KeySpread spread = key_sorts().packing.survey(keys, count);
  auto width = static_cast<std::uint64_t>(spread.most) - static_cast<std::uint64_t>(spread.least);
  Packing packing{.first = spread.least, .rises = spread.rises, .falls = spread.falls};
  packing.least = static_cast<std::uint64_t>(spread.least);
  if (sizeof(T) == sizeof *keys) packing.least ^= kTopBit<std::uint64_t>;
  packing.same_bits =
      spread.varying == 0 ? 0 : std::countr_zero(static_cast<std::uint64_t>(spread.varying));
  packing.steps = width >> packing.same_bits;
  packing.place_bits = std::bit_width(static_cast<std::uint64_t>(count - 1));
  int key_bits = std::bit_width(width);
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

void pack_places(const Packing& packing, std::int64_t count, std::int64_t* keys) {
  key_sorts().packing.pack(keys, count, packing.first, packing.dropped, packing.place_bits);
}

template <class T>
void order_packed(const T* values, std::int64_t count, std::int64_t* order) {
  make_keys(values, count, order);
  const Packing packing = choose_packing<T>(order, count);
  if (order_plainly(values, packing, count, order)) return;
  pack_places(packing, count, order);
  sort_key_line(reinterpret_cast<std::byte*>(order), count, sizeof *order);
  if (packing.dropped > packing.same_bits) return unpack_runs(values, packing, count, order);
  key_sorts().packing.unpack(order, count, packing.place_bits);
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
  make_keys(values, count, order);
  const Packing packing = choose_packing<T>(order, count);
  if (order_plainly(values, packing, count, order)) return;
  pack_places(packing, count, order);
  for_each_kth(kth, [&](std::int64_t done, std::int64_t k) {
    loops.select(reinterpret_cast<std::byte*>(order + done), count - done, k - done);
    if (packing.dropped > packing.same_bits) settle_kth(values, packing, done, count, k, order);
  });
  key_sorts().packing.unpack(order, count, packing.place_bits);
}

// Puts places whose elements agree in their real parts in the order of their imaginary parts.
template <class T>
void order_by_imaginary(const T* values, std::int64_t* places, std::int64_t count) {
  auto earlier = [values](std::int64_t a, std::int64_t b) {
    return values[a].imag() < values[b].imag();
  };
  if (count < kLongRun) return std::stable_sort(places, places + count, earlier);
  auto size = static_cast<std::size_t>(count);
  std::unique_ptr<typename T::value_type[]> parts(new typename T::value_type[size]);
  std::unique_ptr<std::int64_t[]> order(new std::int64_t[size]);
  for (std::size_t i = 0; i < size; ++i) parts[i] = values[places[i]].imag();
  order_packed(parts.get(), count, order.get());
  for (std::size_t i = 0; i < size; ++i) order[i] = places[order[i]];
  std::copy(order.get(), order.get() + size, places);
}

// Complex numbers by their real parts, and those that agree in them by the others; false, and
// nothing done, where a part is NaN.
template <class T>
bool order_by_parts(const T* values, std::int64_t count, std::int64_t* order) {
  std::unique_ptr<typename T::value_type[]> parts(new typename T::value_type[count]);
  bool numbers = true;
  for (std::int64_t i = 0; i < count; ++i) {
    parts[i] = values[i].real();
    numbers &= values[i].real() == values[i].real() && values[i].imag() == values[i].imag();
  }
  if (!numbers) return false;
  order_packed(parts.get(), count, order);
  for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
    auto real = values[order[begin]].real();
    for (end = begin + 1; end < count && values[order[end]].real() == real;) ++end;
    if (end - begin > 1) order_by_imaginary(values, order + begin, end - begin);
  }
  return true;
}

template <class T>
void argsort_values(const T* values, std::int64_t count, std::int64_t* order) {
  if (count < kLeastPacked) return argsort_short(values, count, order);
  bool places_fit = count < std::int64_t{1} << 31;
  if constexpr (kIsComplex<T>) {
    if (!places_fit || !find_key_sort(sizeof *order) || !order_by_parts(values, count, order))
      argsort_compared(values, count, order);
  } else {
    if (!places_fit)
      argsort_compared(values, count, order);
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
