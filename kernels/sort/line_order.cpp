// The order of one line. Keys are packed with their positions into one integer each, which the
// vector loops sort; where a key is too wide for that, its highest bits go first and elements that
// agree in them are put in order afterwards. Without such loops pairs are sorted by radix.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/sort/key_lines.h"
#include "kernels/sort/keys.h"
#include "kernels/sort/line_sort.h"
#include "kernels/sort/radix.h"
#include "kernels/sort/wide_keys.h"

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

// The order of keys of which there are few different ones: they are counted. Whether some are
// equal.
template <class T>
bool order_counted(const T* values, const Packing& packing, std::int64_t count,
                   std::int64_t* order) {
  auto step = [&](std::int64_t i) {
    return (to_tied_key(values[i]) - packing.least) >> packing.same_bits;
  };
  std::vector<std::int64_t> starts(packing.steps + 1);
  for (std::int64_t i = 0; i < count; ++i) ++starts[step(i)];
  const bool tied = *std::max_element(starts.begin(), starts.end()) > 1;
  std::int64_t start = 0;
  for (std::int64_t& slot : starts) start += std::exchange(slot, start);
  for (std::int64_t i = 0; i < count; ++i) order[starts[step(i)]++] = i;
  return tied;
}

// Whether some elements are equal, once they are in order.
template <class T>
bool any_tied(const T* values, const std::int64_t* places, std::int64_t count) {
  return std::adjacent_find(places, places + count, [values](std::int64_t a, std::int64_t b) {
           return to_tied_key(values[a]) == to_tied_key(values[b]);
         }) != places + count;
}

template <class T>
bool order_packed(const T* values, std::int64_t count, std::int64_t* order);

// Puts places whose elements agree in their high bits in order. Whether some are equal.
template <class T>
bool order_run(const T* values, std::int64_t* places, std::int64_t count) {
  auto earlier = [values](std::int64_t a, std::int64_t b) {
    return to_tied_key(values[a]) < to_tied_key(values[b]);
  };
  if (count < kLongRun || sizeof(T) < 8) {
    std::stable_sort(places, places + count, earlier);
    return any_tied(values, places, count);
  }
  if constexpr (sizeof(T) == 8) {
    auto size = static_cast<std::size_t>(count);
    std::unique_ptr<std::uint64_t[]> keys(new std::uint64_t[size]);
    std::unique_ptr<std::int64_t[]> order(new std::int64_t[size]);
    for (std::size_t i = 0; i < size; ++i) keys[i] = to_tied_key(values[places[i]]);
    const bool tied = order_packed(keys.get(), count, order.get());
    for (std::size_t i = 0; i < size; ++i) order[i] = places[order[i]];
    std::copy(order.get(), order.get() + size, places);
    return tied;
  }
}

// Turns sorted packed keys into places; runs that agree are put in order. Whether some are equal.
template <class T>
bool unpack_runs(const T* values, const Packing& packing, std::int64_t count,
                 std::int64_t* packed) {
  const std::int64_t mask = (std::int64_t{1} << packing.place_bits) - 1;
  bool tied = false;
  for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
    std::int64_t high = packed[begin] >> packing.place_bits;
    for (; end < count && packed[end] >> packing.place_bits == high; ++end) packed[end] &= mask;
    if (end - begin > 1) tied |= order_run(values, packed + begin, end - begin);
  }
  return tied;
}

// The order where it is seen without sorting, and then whether some are equal.
template <class T>
std::optional<bool> order_plainly(const T* values, const Packing& packing, std::int64_t count,
                                  std::int64_t* order) {
  if (packing.rises) {
    std::iota(order, order + count, std::int64_t{0});
    return any_tied(values, order, count);
  }
  if (packing.falls) {
    std::iota(order, order + count, std::int64_t{0});
    std::reverse(order, order + count);
    return false;
  }
  if (packing.steps < kMostCounted && packing.steps < static_cast<std::uint64_t>(count))
    return order_counted(values, packing, count, order);
  return std::nullopt;
}

void pack_places(const Packing& packing, std::int64_t count, std::int64_t* keys) {
  key_sorts().packing.pack(keys, count, packing.first, packing.dropped, packing.place_bits);
}

// Whether some elements are equal.
template <class T>
bool order_packed(const T* values, std::int64_t count, std::int64_t* order) {
  make_keys(values, count, order);
  const Packing packing = choose_packing<T>(order, count);
  if (std::optional<bool> tied = order_plainly(values, packing, count, order)) return *tied;
  pack_places(packing, count, order);
  sort_key_line(reinterpret_cast<std::byte*>(order), count, sizeof *order);
  if (packing.dropped > packing.same_bits) return unpack_runs(values, packing, count, order);
  const bool tied = key_sorts().packing.any_tied(order, count, packing.place_bits);
  key_sorts().packing.unpack(order, count, packing.place_bits);
  return tied;
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

// Whether it is known that no elements are equal.
template <class T>
bool argsort_values(const T* values, std::int64_t count, std::int64_t* order) {
  if (count < kLeastPacked) {
    argsort_short(values, count, order);
    return false;
  }
  bool places_fit = count < std::int64_t{1} << 31;
  if constexpr (kIsComplex<T>) {
    if (!places_fit || !find_key_sort(sizeof *order) || !order_by_parts(values, count, order))
      argsort_compared(values, count, order);
  } else {
    if (places_fit && find_key_sort(sizeof *order)) return !order_packed(values, count, order);
    if (places_fit)
      argsort_ranked<KeyOf<T>>(values, count, order);
    else
      argsort_compared(values, count, order);
  }
  return false;
}

}  // namespace

bool argsort_line(DType dtype, const std::byte* values, std::int64_t count, std::int64_t* order) {
  bool distinct = false;
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    distinct = argsort_values(reinterpret_cast<const T*>(values), count, order);
  });
  return distinct;
}

}  // namespace strider::nd
