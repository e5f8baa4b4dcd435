// Keys are sorted by Batcher's merge exchange (Knuth, The Art of Computer Programming, volume 3,
// algorithm 5.2.2M), orders by exchanges of neighbours, which leave equal elements alone.
#include "kernels/sort/short_lines.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "kernels/core/element.h"
#include "kernels/sort/key_lines.h"
#include "kernels/sort/keys.h"

namespace strider::nd {
namespace {

// Longer lines go into vectors, where there are loops for them.
constexpr int kMostShort = 8, kMostScalar = 4;

struct Exchange {
  int low, high;
};

// Calls use(low, high) for each comparison of the network for `length` keys.
template <class Use>
constexpr void merge_exchange(int length, Use use) {
  int top = static_cast<int>(std::bit_ceil(static_cast<unsigned>(length))) / 2;
  for (int p = top; p > 0; p /= 2) {
    for (int q = top, r = 0, d = p;; d = q - p, q /= 2, r = p) {
      for (int i = 0; i + d < length; ++i)
        if ((i & p) == r) use(i, i + d);
      if (q == p) break;
    }
  }
}

template <class Use>
constexpr void exchange_neighbours(int length, Use use) {
  for (int last = length - 1; last > 0; --last)
    for (int i = 0; i < last; ++i) use(i, i + 1);
}

template <int kLength, bool kStable>
constexpr int count_exchanges() {
  int count = 0;
  auto use = [&](int, int) { ++count; };
  kStable ? exchange_neighbours(kLength, use) : merge_exchange(kLength, use);
  return count;
}

template <int kLength, bool kStable>
constexpr auto list_exchanges() {
  std::array<Exchange, count_exchanges<kLength, kStable>()> list{};
  std::size_t count = 0;
  auto use = [&](int low, int high) { list[count++] = {low, high}; };
  kStable ? exchange_neighbours(kLength, use) : merge_exchange(kLength, use);
  return list;
}

// Calls exchange(low, high) for every comparison, in line.
template <int kLength, bool kStable, class Use>
void each_exchange(Use exchange) {
  constexpr auto kList = list_exchanges<kLength, kStable>();
  [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    (exchange(kList[kIndex].low, kList[kIndex].high), ...);
  }
  (std::make_index_sequence<kList.size()>{});
}

// All bits if b is to come before a, without a branch, which would often be mispredicted.
template <class Key>
Key turned(Key a, Key b) {
  return static_cast<Key>(Key{0} - static_cast<Key>(b < a));
}

template <class Number, class Bits>
void exchange_where(Number& a, Number& b, Bits bits) {
  auto difference = static_cast<Number>((a ^ b) & static_cast<Number>(bits));
  a = static_cast<Number>(a ^ difference);
  b = static_cast<Number>(b ^ difference);
}

template <class T, int kLength>
void sort_lines(std::byte* lines, std::int64_t count) {
  auto values = reinterpret_cast<T*>(lines);
  for (std::int64_t line = 0; line < count; ++line, values += kLength) {
    KeyOf<T> keys[kLength];
    for (int i = 0; i < kLength; ++i) keys[i] = to_key(values[i]);
    each_exchange<kLength, false>([&](int low, int high) {
      exchange_where(keys[low], keys[high], turned(keys[low], keys[high]));
    });
    for (int i = 0; i < kLength; ++i) values[i] = from_key<T>(keys[i]);
  }
}

// Keys that leave room for their numbers below them.
template <class T, int kLength>
void order_small_lines(const std::byte* lines, std::int64_t count, std::int64_t* orders) {
  constexpr int kPlaceBits = std::bit_width(static_cast<unsigned>(kMostShort - 1));
  auto values = reinterpret_cast<const T*>(lines);
  for (std::int64_t line = 0; line < count; ++line, values += kLength, orders += kLength) {
    std::uint64_t keys[kLength];
    for (int i = 0; i < kLength; ++i) keys[i] = key_above_place<kPlaceBits>(values[i], i);
    each_exchange<kLength, false>([&](int low, int high) {
      exchange_where(keys[low], keys[high], turned(keys[low], keys[high]));
    });
    for (int i = 0; i < kLength; ++i) orders[i] = place_below_key<kPlaceBits>(keys[i]);
  }
}

template <class T, int kLength>
void order_lines(const std::byte* lines, std::int64_t count, std::int64_t* orders) {
  if constexpr (sizeof(T) < 8) return order_small_lines<T, kLength>(lines, count, orders);
  auto values = reinterpret_cast<const T*>(lines);
  for (std::int64_t line = 0; line < count; ++line, values += kLength, orders += kLength) {
    KeyOf<T> keys[kLength];
    std::int64_t order[kLength];
    for (int i = 0; i < kLength; ++i) {
      keys[i] = to_tied_key(values[i]);
      order[i] = i;
    }
    each_exchange<kLength, true>([&](int low, int high) {
      auto bits = turned(keys[low], keys[high]);
      exchange_where(keys[low], keys[high], bits);
      exchange_where(order[low], order[high], bits);
    });
    std::copy(order, order + kLength, orders);
  }
}

// Calls found(constant) with the length as a constant, where it is one of the short ones.
template <class Found>
void with_length(std::int64_t length, Found found) {
  [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) {
    ((length == kIndex + 2 ? found(std::integral_constant<int, kIndex + 2>{}) : void()), ...);
  }
  (std::make_integer_sequence<int, kMostShort - 1>{});
}

}  // namespace

ShortLineSort find_short_line_sort(DType dtype, std::int64_t length) {
  ShortLineSort sort = nullptr;
  if (length > kMostScalar && find_key_sort(4)) return sort;
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!kIsComplex<T>)
      with_length(length, [&](auto constant) { sort = sort_lines<T, constant()>; });
  });
  return sort;
}

ShortLineOrder find_short_line_order(DType dtype, std::int64_t length) {
  ShortLineOrder order = nullptr;
  if (length > kMostScalar && find_key_sort(8)) return order;
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!kIsComplex<T>)
      with_length(length, [&](auto constant) { order = order_lines<T, constant()>; });
  });
  return order;
}

}  // namespace strider::nd
