// Inexact sums along rows, by the tree of pairs that the CPU's follow (backend/cpu/reduction.cpp):
// blocks of up to 128 numbers in eight lanes, halves above. A lane is a thread; a node of the
// tree's last level but one is the work of one group of lanes. All nodes above have two children,
// so that their level is a list whose neighbours are added.
#pragma once

namespace strider::nd::device {

inline constexpr bool kComplexSum = is_complex_type<Number>;
inline constexpr unsigned kLanes = kComplexSum ? 4 : 8;  // elements side by side
inline constexpr unsigned kGroups = 256 / kLanes;
inline constexpr Index kLeafElements = kComplexSum ? 64 : 128;

// The first half of a node's elements, in whole blocks of eight numbers.
inline Index first_half(Index count) {
  if constexpr (kComplexSum)
    return (count - count % 8) / 2;
  else
    return count / 2 - count / 2 % 8;
}

// The depth of the tree's leaves.
inline unsigned level_count(Index count) {
  unsigned levels = 0;
  for (; count > kLeafElements; count -= first_half(count)) ++levels;
  return levels;
}

template <class T>
inline T from_lane(T value, unsigned lane, unsigned width) {
  if constexpr (is_complex_type<T>)
    return T(__shfl_sync(~0u, value.real(), lane, width),
             __shfl_sync(~0u, value.imag(), lane, width));
  else
    return __shfl_sync(~0u, value, lane, width);
}

// What changes no sum.
template <class T>
inline T nothing() {
  if constexpr (is_complex_type<T>)
    return T(-0.0, -0.0);
  else
    return T(-0.0);
}

// Run by all threads of a warp together, each group with a leaf of its own; every lane has the sum.
inline Total add_leaf(const Arguments& a, Index point, Index count, Seen& seen) {
  const unsigned lane = threadIdx.x % kLanes;
  const Index whole = count - count % kLanes;
  Total total = nothing<Total>(), last = total;
#pragma unroll 4
  for (Index i = lane; i < count; i += kLanes) {
    const Total next = load_as<Number>(element(a, point + i, seen));
    if (i < whole)
      total = combine(total, next, seen);
    else
      last = next;
  }
#pragma unroll 1
  for (unsigned other = 1; other < kLanes; other *= 2) {
    total = combine(total, from_lane(total, lane ^ other, kLanes), seen);
  }
  if (__any_sync(~0u, whole != count)) {
#pragma unroll 1
    for (unsigned i = 0; i + 1 < kLanes; ++i) {
      const Total next = from_lane(last, i, kLanes);
      if (whole + i < count) total = combine(total, next, seen);
    }
  }
  return total;
}

struct Line {
  Index result, point, length;
};
inline Line find_line(const Arguments& a, Index line) {
  const Index result = a.lines == 1 ? line : line / a.lines, rest = line - result * a.lines;
  const Index outer = a.chunks == 1 ? rest : rest / a.chunks, chunk = rest - outer * a.chunks;
  const Index begin = chunk * a.chunk, left = a.row - begin;
  const Index point = result_base(a, result) + fold_offset(a, outer * a.row) + begin;
  return {result, point, left < a.chunk ? left : a.chunk};
}
inline Index node_count(const Arguments& a, Index length) {
  const unsigned levels = length == a.chunk ? a.levels : level_count(length);
  return levels > 0 ? Index(1) << (levels - 1) : 1;
}

// Adds the values of neighbouring threads `apart`, of which `count` have one, in the tree's order.
inline void add_neighbours(Total& total, Index at, Index count, unsigned values, unsigned slot,
                           bool writes, Seen& seen) {
  Total* shared = shared_totals();
  for (unsigned apart = 1; apart < values; apart *= 2) {
    __syncthreads();
    if (writes) shared[slot] = total;
    __syncthreads();
    if (writes && at % (2 * apart) == 0 && at + apart < count) {
      total = combine(total, shared[slot + apart], seen);
    }
  }
}

// A node of the line's tree: one leaf, or two whose sum is the node's.
inline Total add_node(const Arguments& a, const Line& it, Index node, Index nodes, bool active,
                      Seen& seen) {
  Index point = it.point, count = active ? it.length : 0;
  for (Index bit = nodes / 2; active && bit > 0; bit /= 2) {
    const Index half = first_half(count);
    point += node & bit ? half : 0;
    count = node & bit ? count - half : half;
  }
  const Index half = count > kLeafElements ? first_half(count) : count;
  const bool second = __any_sync(~0u, half != count);
  Total total = nothing<Total>();
#pragma unroll 1
  for (unsigned leaf = 0; leaf < 1u + second; ++leaf) {
    const Index begin = leaf ? half : 0, size = leaf ? count - half : half;
    const Total sum = add_leaf(a, point + begin, size, seen);
    if (size > 0) total = combine(total, sum, seen);
  }
  return total;
}

}  // namespace strider::nd::device
