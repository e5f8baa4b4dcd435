// Sorting of one line: counting for bytes, radix for long lines, comparison for short ones.
#include "kernels/sort/line_sort.h"

#include <algorithm>
#include <vector>

#include "kernels/sort/keys.h"
#include "kernels/sort/radix.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kRadixLength = 300;
// A partition of fewer elements sorts them all.
constexpr std::int64_t kSmallPartition = 128;

void count_bytes(std::uint8_t* keys, std::int64_t count) {
  std::int64_t histogram[256] = {};
  for (std::int64_t i = 0; i < count; ++i) ++histogram[keys[i]];
  for (int value = 0; value < 256; ++value)
    keys = std::fill_n(keys, histogram[value], static_cast<std::uint8_t>(value));
}

template <class Key>
void sort_keys(Key* keys, std::int64_t count) {
  if (count < kRadixLength)
    std::sort(keys, keys + count);
  else if constexpr (sizeof(Key) == 1)
    count_bytes(keys, count);
  else
    radix_sort<Key>(keys, count, [](Key key) { return key; });
}

template <class T, class Body>
void with_keys(std::byte* bytes, std::int64_t count, Body&& body) {
  using Key = KeyOf<T>;
  auto values = reinterpret_cast<T*>(bytes);
  auto keys = reinterpret_cast<Key*>(bytes);
  for (std::int64_t i = 0; i < count; ++i) keys[i] = to_key(values[i]);
  body(keys);
  for (std::int64_t i = 0; i < count; ++i) values[i] = from_key<T>(keys[i]);
}

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

template <class T>
void argsort_values(const T* values, std::int64_t count, std::int64_t* order) {
  if constexpr (kIsComplex<T>) {
    argsort_short(values, count, order);
  } else {
    if (count > std::int64_t{0xffffffff} || count < 16) return argsort_short(values, count, order);
    argsort_ranked<KeyOf<T>>(values, count, order);
  }
}

template <class Iterator, class Less>
void select_each(Iterator first, std::int64_t count, std::span<const std::int64_t> kth,
                 Less&& less) {
  if (count <= kSmallPartition) return std::sort(first, first + count, less);
  std::vector<std::int64_t> ordered(kth.begin(), kth.end());
  std::sort(ordered.begin(), ordered.end());
  std::int64_t done = 0;
  for (std::int64_t k : ordered) {
    if (k < done) continue;
    std::nth_element(first + done, first + k, first + count, less);
    done = k + 1;
  }
}

}  // namespace

void sort_line(DType dtype, std::byte* values, std::int64_t count, bool stable) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto typed = reinterpret_cast<T*>(values);
    if constexpr (kIsComplex<T>)
      std::stable_sort(typed, typed + count, comes_before<T>);
    else if (kIsFloating<T> && stable)
      std::stable_sort(typed, typed + count, comes_before<T>);
    else
      with_keys<T>(values, count, [&](auto* keys) { sort_keys(keys, count); });
  });
}

void argsort_line(DType dtype, const std::byte* values, std::int64_t count, std::int64_t* order) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    argsort_values(reinterpret_cast<const T*>(values), count, order);
  });
}

void partition_line(DType dtype, std::byte* values, std::int64_t count,
                    std::span<const std::int64_t> kth) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto typed = reinterpret_cast<T*>(values);
    if constexpr (kIsComplex<T>)
      select_each(typed, count, kth, comes_before<T>);
    else
      with_keys<T>(values, count, [&](auto* keys) {
        select_each(keys, count, kth, [](auto a, auto b) { return a < b; });
      });
  });
}

}  // namespace strider::nd
