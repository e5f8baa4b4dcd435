// Sorting: radix sort of keys by CUB. Many lines are sorted at once, the number of its line being
// part of each key.
#include <cub/device/device_radix_sort.cuh>
#include <limits>
#include <type_traits>

#include "kernels/backend/cuda/precompiled/each.cuh"
#include "kernels/backend/cuda/precompiled/keys.cuh"

namespace strider::nd::cuda {
namespace {

using Key64 = std::uint64_t;

std::size_t bytes_of(std::int64_t count, std::size_t item) {
  return static_cast<std::size_t>(count) * item;
}

// The bits that numbers below `count` need.
int bits_below(std::int64_t count) {
  int bits = 0;
  while (bits < 63 && (std::int64_t{1} << bits) < count) ++bits;
  return bits;
}

// Lines so long and few that each is sorted by itself.
bool are_long(Lines lines) { return lines.count <= 8 && lines.length >= (1 << 14); }

// Runs a routine of CUB, which says first how much scratch memory it wants.
template <class Routine>
void run_with_scratch(const Queue& queue, Routine&& routine) {
  std::size_t bytes = 0;
  check_launch(routine(nullptr, bytes));
  Workspace scratch(queue.device, bytes);
  check_launch(routine(scratch.start(), bytes));
}

template <class T>
void take_home(const Queue& queue, cub::DoubleBuffer<T>& buffer, T* home, std::int64_t count) {
  if (buffer.Current() == home) return;
  check_launch(cudaMemcpyAsync(home, buffer.Current(), bytes_of(count, sizeof(T)),
                               cudaMemcpyDeviceToDevice, queue.stream));
}

// Sorts keys in place by their lowest bits.
template <class Key>
void sort_keys(const Queue& queue, Key* keys, std::int64_t count, int bits) {
  Workspace other(queue.device, bytes_of(count, sizeof(Key)));
  cub::DoubleBuffer<Key> buffer(keys, other.as<Key>());
  run_with_scratch(queue, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(scratch, bytes, buffer, count, 0, bits, queue.stream);
  });
  take_home(queue, buffer, keys, count);
}

// The same with a value for each key. Stable.
template <class Key, class Value>
void sort_both(const Queue& queue, Key* keys, Value* values, std::int64_t count, int bits) {
  Workspace other_keys(queue.device, bytes_of(count, sizeof(Key)));
  Workspace other_values(queue.device, bytes_of(count, sizeof(Value)));
  cub::DoubleBuffer<Key> key_buffer(keys, other_keys.as<Key>());
  cub::DoubleBuffer<Value> value_buffer(values, other_values.as<Value>());
  run_with_scratch(queue, [&](void* scratch, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, key_buffer, value_buffer, count, 0, bits,
                                           queue.stream);
  });
  take_home(queue, key_buffer, keys, count);
  take_home(queue, value_buffer, values, count);
}

// Bits of values to keys and back, in place.
template <class Key>
struct EncodeHere {
  Key* keys;
  KeyKind kind;
  __device__ void operator()(std::int64_t i) const { keys[i] = to_key(keys[i], kind, false); }
};

template <class Key>
struct DecodeHere {
  Key* keys;
  KeyKind kind;
  __device__ void operator()(std::int64_t i) const { keys[i] = from_key(keys[i], kind); }
};

// A key below the number of its line.
template <class Key>
struct EncodeWithLine {
  const Key* values;
  KeyKind kind;
  bool tied;
  std::int64_t length;
  Key64* keys;
  __device__ void operator()(std::int64_t i) const {
    keys[i] = static_cast<Key64>(i / length) << (8 * sizeof(Key)) | to_key(values[i], kind, tied);
  }
};

template <class Key>
struct DecodeWithLine {
  const Key64* keys;
  KeyKind kind;
  Key* values;
  __device__ void operator()(std::int64_t i) const {
    values[i] = from_key(static_cast<Key>(keys[i]), kind);
  }
};

// Keys of at least four bytes.
template <class Key, class Wide>
struct Encode {
  const Key* values;
  KeyKind kind;
  Wide* keys;
  __device__ void operator()(std::int64_t i) const { keys[i] = to_key(values[i], kind, true); }
};

template <class Number>
struct Enumerate {
  Number* numbers;
  std::int64_t length;  // they start again after so many
  __device__ void operator()(std::int64_t i) const {
    numbers[i] = static_cast<Number>(i % length);
  }
};

struct Widen {
  const std::uint32_t* numbers;
  std::int64_t* wide;
  __device__ void operator()(std::int64_t i) const { wide[i] = numbers[i]; }
};

struct EnumerateLines {
  std::int64_t* numbers;
  std::int64_t length;
  __device__ void operator()(std::int64_t i) const { numbers[i] = i / length; }
};

// From positions among all elements to the numbers of their lines, and to those within lines.
struct LinesOf {
  const std::int64_t* positions;
  std::int64_t length;
  Key64* lines;
  __device__ void operator()(std::int64_t i) const {
    lines[i] = static_cast<Key64>(positions[i] / length);
  }
};

struct WithinLines {
  std::int64_t* positions;
  std::int64_t length;
  __device__ void operator()(std::int64_t i) const { positions[i] %= length; }
};

// Makes every NaN the usual one, which CUB takes for greater than any number, and counts the zeros
// below zero, which CUB does not tell from the others.
template <class Key>
__global__ void __launch_bounds__(kBlockThreads)
    settle_floats(Key* values, std::int64_t count, unsigned long long* below) {
  constexpr Key kTop = top_bit<Key>(), kInfinity = infinity_bits<Key>();
  std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kBlockThreads;
  unsigned long long zeros = 0;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kBlockThreads + threadIdx.x;
       i < count; i += stride) {
    Key bits = values[i];
    if ((bits & ~kTop) > kInfinity) values[i] = nan_bits<Key>();
    zeros += bits == kTop;
  }
  if (zeros > 0) atomicAdd(below, zeros);
}

// The first of sorted numbers for which `is_behind` holds.
template <class Key, class IsBehind>
__device__ std::int64_t find_first(const Key* values, std::int64_t count, IsBehind is_behind) {
  std::int64_t first = 0, end = count;
  while (first < end) {
    std::int64_t middle = first + (end - first) / 2;
    if (is_behind(values[middle]))
      end = middle;
    else
      first = middle + 1;
  }
  return first;
}

// Puts the zeros below zero before the others.
template <class Key>
__global__ void __launch_bounds__(kBlockThreads)
    part_zeros(Key* values, std::int64_t count, const unsigned long long* below) {
  constexpr Key kTop = top_bit<Key>();
  auto zeros = static_cast<std::int64_t>(*below);
  if (zeros == 0) return;
  std::int64_t first = find_first(
      values, count, [](Key bits) { return (bits & kTop) == 0 || (bits & ~kTop) == 0; });
  std::int64_t end = find_first(
      values, count, [](Key bits) { return (bits & kTop) == 0 && (bits & ~kTop) != 0; });
  std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kBlockThreads;
  for (std::int64_t i = first + static_cast<std::int64_t>(blockIdx.x) * kBlockThreads + threadIdx.x;
       i < end; i += stride)
    values[i] = i - first < zeros ? kTop : Key{0};
}

template <class Float, class Key>
void sort_floats(const Queue& queue, Key* values, std::int64_t count) {
  Workspace room(queue.device, sizeof(unsigned long long));
  auto* below = room.as<unsigned long long>();
  check_launch(cudaMemsetAsync(below, 0, sizeof *below, queue.stream));
  auto blocks = static_cast<unsigned>(
      std::min((count + kBlockThreads - 1) / kBlockThreads, kMostBlocks / 4));
  settle_floats<<<blocks, kBlockThreads, 0, queue.stream>>>(values, count, below);
  check_launch(cudaGetLastError());
  sort_keys(queue, reinterpret_cast<Float*>(values), count, 8 * sizeof(Key));
  part_zeros<<<blocks, kBlockThreads, 0, queue.stream>>>(values, count, below);
  check_launch(cudaGetLastError());
}

// CUB orders numbers of four and eight bytes by themselves.
template <class Key>
void sort_long(const Queue& queue, KeyKind kind, Key* values, Lines lines) {
  std::int64_t size = lines.count * lines.length;
  constexpr bool kByItself = sizeof(Key) >= 4;
  bool encoded = !kByItself && kind != KeyKind::kUnsigned;
  if (encoded) for_each(queue, size, EncodeHere<Key>{values, kind});
  for (std::int64_t line = 0; line < lines.count && lines.length > 0; ++line) {
    Key* keys = values + line * lines.length;
    if constexpr (kByItself) {
      using Signed = std::make_signed_t<Key>;
      using Float = std::conditional_t<sizeof(Key) == 8, double, float>;
      if (kind == KeyKind::kSigned) {
        sort_keys(queue, reinterpret_cast<Signed*>(keys), lines.length, 8 * sizeof(Key));
        continue;
      }
      if (kind == KeyKind::kFloating) {
        sort_floats<Float>(queue, keys, lines.length);
        continue;
      }
    }
    sort_keys(queue, keys, lines.length, 8 * sizeof(Key));
  }
  if (encoded) for_each(queue, size, DecodeHere<Key>{values, kind});
}

template <class Key>
void sort_together(const Queue& queue, KeyKind kind, Key* values, Lines lines) {
  std::int64_t size = lines.count * lines.length;
  Workspace room(queue.device, bytes_of(size, sizeof(Key64)));
  auto* keys = room.as<Key64>();
  for_each(queue, size, EncodeWithLine<Key>{values, kind, false, lines.length, keys});
  sort_keys(queue, keys, size, 8 * static_cast<int>(sizeof(Key)) + bits_below(lines.count));
  for_each(queue, size, DecodeWithLine<Key>{keys, kind, values});
}

// Eight bytes leave no room for lines in the key: first all are sorted, then by line.
void sort_together(const Queue& queue, KeyKind kind, Key64* values, Lines lines) {
  std::int64_t size = lines.count * lines.length;
  Workspace room(queue.device, bytes_of(size, sizeof(std::int64_t)));
  auto* numbers = room.as<std::int64_t>();
  for_each(queue, size, EncodeHere<Key64>{values, kind});
  for_each(queue, size, EnumerateLines{numbers, lines.length});
  sort_both(queue, values, numbers, size, 64);
  sort_both(queue, reinterpret_cast<Key64*>(numbers), reinterpret_cast<std::int64_t*>(values), size,
            bits_below(lines.count));
  for_each(queue, size, DecodeHere<Key64>{values, kind});
}

template <class Key>
void sort_as(const Queue& queue, KeyKind kind, std::byte* values, Lines lines) {
  auto* typed = reinterpret_cast<Key*>(values);
  if (lines.count == 1 || are_long(lines)) return sort_long(queue, kind, typed, lines);
  sort_together(queue, kind, typed, lines);
}

// Positions of four bytes, where those are enough, take less of the time than those of eight.
template <class Key>
void order_long(const Queue& queue, KeyKind kind, const Key* values, Lines lines,
                std::int64_t* order) {
  using Wide = std::conditional_t<sizeof(Key) == 8, Key64, std::uint32_t>;
  using Short = std::uint32_t;
  bool is_short = lines.length <= std::int64_t{std::numeric_limits<Short>::max()};
  Workspace room(queue.device, bytes_of(lines.length, sizeof(Wide)));
  Workspace more(queue.device, is_short ? bytes_of(lines.length, sizeof(Short)) : 0);
  auto* keys = room.as<Wide>();
  auto* numbers = more.as<Short>();
  for (std::int64_t line = 0; line < lines.count; ++line) {
    std::int64_t* here = order + line * lines.length;
    for_each(queue, lines.length, Encode<Key, Wide>{values + line * lines.length, kind, keys});
    if (is_short) {
      for_each(queue, lines.length, Enumerate<Short>{numbers, lines.length});
      sort_both(queue, keys, numbers, lines.length, 8 * sizeof(Key));
      for_each(queue, lines.length, Widen{numbers, here});
    } else {
      for_each(queue, lines.length, Enumerate<std::int64_t>{here, lines.length});
      sort_both(queue, keys, here, lines.length, 8 * sizeof(Key));
    }
  }
}

template <class Key>
void order_together(const Queue& queue, KeyKind kind, const Key* values, Lines lines,
                    std::int64_t* order) {
  std::int64_t size = lines.count * lines.length;
  Workspace room(queue.device, bytes_of(size, sizeof(Key64)));
  auto* keys = room.as<Key64>();
  for_each(queue, size, EncodeWithLine<Key>{values, kind, true, lines.length, keys});
  for_each(queue, size, Enumerate<std::int64_t>{order, lines.length});
  sort_both(queue, keys, order, size, 8 * static_cast<int>(sizeof(Key)) + bits_below(lines.count));
}

void order_together(const Queue& queue, KeyKind kind, const Key64* values, Lines lines,
                    std::int64_t* order) {
  std::int64_t size = lines.count * lines.length;
  Workspace room(queue.device, bytes_of(size, sizeof(Key64)));
  auto* keys = room.as<Key64>();
  for_each(queue, size, Encode<Key64, Key64>{values, kind, keys});
  for_each(queue, size, Enumerate<std::int64_t>{order, size});
  sort_both(queue, keys, order, size, 64);
  for_each(queue, size, LinesOf{order, lines.length, keys});
  sort_both(queue, keys, order, size, bits_below(lines.count));
  for_each(queue, size, WithinLines{order, lines.length});
}

template <class Key>
void order_as(const Queue& queue, KeyKind kind, const std::byte* values, Lines lines,
              std::int64_t* order) {
  auto* typed = reinterpret_cast<const Key*>(values);
  if (lines.count == 1 || are_long(lines)) return order_long(queue, kind, typed, lines, order);
  order_together(queue, kind, typed, lines, order);
}

}  // namespace

void sort_lines(const Queue& queue, KeyKind kind, int item, std::byte* values, Lines lines) {
  auto sort_them = item == 1   ? sort_as<std::uint8_t>
                   : item == 2 ? sort_as<std::uint16_t>
                   : item == 4 ? sort_as<std::uint32_t>
                               : sort_as<Key64>;
  sort_them(queue, kind, values, lines);
}

void order_lines(const Queue& queue, KeyKind kind, int item, const std::byte* values, Lines lines,
                 std::int64_t* order) {
  auto order_them = item == 1   ? order_as<std::uint8_t>
                    : item == 2 ? order_as<std::uint16_t>
                    : item == 4 ? order_as<std::uint32_t>
                                : order_as<Key64>;
  order_them(queue, kind, values, lines, order);
}

void sort_pairs(const Queue& queue, std::uint64_t* keys, std::int64_t* values, std::int64_t count,
                int bits) {
  sort_both(queue, keys, values, count, bits);
}

}  // namespace strider::nd::cuda
