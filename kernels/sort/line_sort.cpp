// Sorting of one line: vector loops where the processor has them, counting for small types; else
// radix for long lines and comparison for short ones.
#include "kernels/sort/line_sort.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "kernels/sort/key_lines.h"
#include "kernels/sort/keys.h"
#include "kernels/sort/radix.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kRadixLength = 300;

// Keys of two bytes are counted from this length on.
constexpr std::int64_t kCountedLength = 30000;

template <class Key>
void count_keys(Key* keys, std::int64_t count) {
  std::vector<std::int64_t> histogram(std::size_t{1} << 8 * sizeof(Key));
  for (std::int64_t i = 0; i < count; ++i) ++histogram[keys[i]];
  Key key = 0;
  for (std::int64_t often : histogram) keys = std::fill_n(keys, often, key++);
}

// Keys of a byte or two rearranged as keys of four.
template <class Key, class Body>
void as_widened(Key* keys, std::int64_t count, Body&& body) {
  constexpr std::int64_t kFew = 256;
  std::int32_t few[kFew];
  std::unique_ptr<std::int32_t[]> many(count > kFew ? new std::int32_t[count] : nullptr);
  std::int32_t* wide = many ? many.get() : few;
  std::copy(keys, keys + count, wide);
  body(wide);
  for (std::int64_t i = 0; i < count; ++i) keys[i] = static_cast<Key>(wide[i]);
}

template <class Key>
void sort_widened(Key* keys, std::int64_t count) {
  as_widened(keys, count, [&](std::int32_t* wide) {
    sort_key_line(reinterpret_cast<std::byte*>(wide), count, sizeof *wide);
  });
}

template <class Key>
void sort_keys(Key* keys, std::int64_t count) {
  if (sizeof(Key) == 1 ? count >= kRadixLength : sizeof(Key) == 2 && count >= kCountedLength) {
    if constexpr (sizeof(Key) <= 2) count_keys(keys, count);
    return;
  }
  if constexpr (sizeof(Key) <= 2)
    if (find_key_sort(4)) return sort_widened(keys, count);
  if (count < kRadixLength)
    std::sort(keys, keys + count);
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

// Turns a line of 4 or 8 bytes an element into the keys of the vector loops and back.
template <class T>
class KeyedLine {
 public:
  KeyedLine(const KeySort& loops, std::byte* line, std::int64_t count)
      : loops_(loops), line_(line), count_(count) {
    convert(kIsFloating<T> ? loops_.from_floats : loops_.turn_unsigned);
  }
  // Also after an interrupt: the array must hold values again.
  ~KeyedLine() { convert(kIsFloating<T> ? loops_.to_floats : loops_.turn_unsigned); }
  KeyedLine(const KeyedLine&) = delete;
  KeyedLine& operator=(const KeyedLine&) = delete;

 private:
  void convert(void (*loop)(std::byte*, std::int64_t)) {
    if constexpr (kIsFloating<T> || std::is_unsigned_v<T>)
      convert_line(loop, line_, count_, sizeof(T));
  }

  const KeySort& loops_;
  std::byte* line_;
  std::int64_t count_;
};

template <class T>
using SignedKeyOf = std::make_signed_t<KeyOf<T>>;

// Long lines often come in order, or in falling order; true when nothing is left to do.
template <class Key>
bool settle_ordered(Key* keys, std::int64_t count) {
  if (count < kRadixLength) return false;
  if (std::is_sorted(keys, keys + count)) return true;
  if (!std::is_sorted(keys, keys + count, std::greater<Key>())) return false;
  std::reverse(keys, keys + count);
  return true;
}

// Real values by the fastest way there is; equal values may change places.
template <class T>
void sort_values(std::byte* values, std::int64_t count) {
  if (const KeySort* loops = find_key_sort(sizeof(T))) {
    KeyedLine<T> keyed(*loops, values, count);
    if (!settle_ordered(reinterpret_cast<SignedKeyOf<T>*>(values), count))
      sort_key_line(values, count, sizeof(T));
  } else {
    with_keys<T>(values, count, [&](auto* keys) { sort_keys(keys, count); });
  }
}

// The values that equal another one without being the same, in their order: zeros and NaN.
template <class T>
struct Alike {
  using Key = KeyOf<T>;
  std::vector<T> zeros, nans;

  Alike(const T* values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      auto bits = std::bit_cast<Key>(values[i]);
      auto magnitude = static_cast<Key>(bits & static_cast<Key>(~kTopBit<Key>));
      if (magnitude == 0) zeros.push_back(values[i]);
      if (magnitude > kInfinityBits<Key>) nans.push_back(values[i]);
    }
  }

  // Puts them where they belong in the sorted values.
  void restore(T* values, std::int64_t count) const {
    std::copy(nans.begin(), nans.end(), values + count - std::ssize(nans));
    if (zeros.empty()) return;
    T* first = std::lower_bound(values, values + count, zeros[0], comes_before<T>);
    std::copy(zeros.begin(), zeros.end(), first);
  }
};

template <class T>
void sort_stably(std::byte* values, std::int64_t count) {
  auto typed = reinterpret_cast<T*>(values);
  Alike<T> alike(typed, count);
  sort_values<T>(values, count);
  alike.restore(typed, count);
}

// Complex numbers, stably: their order is found and then taken.
template <class T>
void sort_complex(T* values, std::int64_t count) {
  constexpr std::int64_t kFew = 16;
  if (count < kFew) return std::stable_sort(values, values + count, comes_before<T>);
  auto size = static_cast<std::size_t>(count);
  std::unique_ptr<std::int64_t[]> order(new std::int64_t[size]);
  std::unique_ptr<T[]> sorted(new T[size]);
  argsort_line(dtype_of<T>, reinterpret_cast<const std::byte*>(values), count, order.get());
  for (std::size_t i = 0; i < size; ++i) sorted[i] = values[order[i]];
  std::copy(sorted.get(), sorted.get() + size, values);
}

// Puts the kth key where sorting would.
void select_key(const KeySort& loops, std::byte* keys, std::int64_t count, std::int64_t kth) {
  if (count <= kSmallPartition) return loops.sort(keys, count);
  loops.select(keys, count, kth);
}

template <class T>
void select_value(std::byte* values, std::int64_t count, std::int64_t kth) {
  if (const KeySort* loops = find_key_sort(sizeof(T))) {
    KeyedLine<T> keyed(*loops, values, count);
    select_key(*loops, values, count, kth);
  } else if constexpr (sizeof(T) == 2) {
    with_keys<T>(values, count, [&](auto* keys) {
      as_widened(keys, count, [&](std::int32_t* wide) {
        select_key(*find_key_sort(4), reinterpret_cast<std::byte*>(wide), count, kth);
      });
    });
  }
}

}  // namespace

void sort_line(DType dtype, std::byte* values, std::int64_t count, bool stable) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto typed = reinterpret_cast<T*>(values);
    if constexpr (kIsComplex<T>)
      sort_complex(typed, count);
    else if (kIsFloating<T> && stable)
      sort_stably<T>(values, count);
    else
      sort_values<T>(values, count);
  });
}

bool are_sorted_together(DType dtype, std::int64_t length) {
  return length < kRadixLength && !is_complex(dtype) && find_key_sort(item_size(dtype));
}

void sort_lines(DType dtype, std::byte* values, std::int64_t lines, std::int64_t length) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!kIsComplex<T>) {
      const KeySort& loops = *find_key_sort(sizeof(T));
      KeyedLine<T> keyed(loops, values, lines * length);
      std::int64_t pitch = length * static_cast<std::int64_t>(sizeof(T));
      for (std::int64_t i = 0; i < lines; ++i) loops.sort(values + i * pitch, length);
    }
  });
}

bool has_select_loops(DType dtype) {
  return !is_complex(dtype) && item_size(dtype) > 1 && find_key_sort(4);
}

void select_line(DType dtype, std::byte* values, std::int64_t count, std::int64_t kth) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!kIsComplex<T> && sizeof(T) > 1) select_value<T>(values, count, kth);
  });
}

}  // namespace strider::nd
