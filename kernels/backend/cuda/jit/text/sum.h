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

extern "C" __global__ void __launch_bounds__(256) sum_rows(const __grid_constant__ Arguments a) {
  Seen seen;
  const unsigned group = threadIdx.x / kLanes;
  const bool leads = threadIdx.x % kLanes == 0;
  const unsigned together = a.nodes < kGroups ? static_cast<unsigned>(a.nodes) : kGroups;
  for (Index first = blockIdx.x * Index(kGroups); first < a.tasks;
       first += gridDim.x * Index(kGroups)) {
    const Index task = first + group, line = task < a.tasks ? task / a.nodes : 0;
    const Index node = task - line * a.nodes;
    const Line it = find_line(a, line);
    const Index nodes = node_count(a, it.length);
    const bool active = task < a.tasks && node < nodes;
    Index point = it.point, count = active ? it.length : 0;
    for (Index bit = nodes / 2; active && bit > 0; bit /= 2) {
      const Index half = first_half(count);
      point += node & bit ? half : 0;
      count = node & bit ? count - half : half;
    }
    // One leaf, or two whose sum is the node's.
    const Index half = count > kLeafElements ? first_half(count) : count;
    const bool second = __any_sync(~0u, half != count);
    Total total = nothing<Total>();
#pragma unroll 1
    for (unsigned leaf = 0; leaf < 1u + second; ++leaf) {
      const Index begin = leaf ? half : 0, size = leaf ? count - half : half;
      const Total sum = add_leaf(a, point + begin, size, seen);
      if (size > 0) total = combine(total, sum, seen);
    }
    add_neighbours(total, node, active ? nodes : 0, together, group, leads, seen);
    if (!leads || !active || node % together != 0) continue;
    if (a.lines == 1 && a.nodes <= kGroups)
      finish(a, it.result, total, true, seen);
    else
      reinterpret_cast<Total*>(a.scratch)[line * a.per_line + node / together] = total;
  }
  report(a, seen);
}

// One block for each line whose nodes were added by several.
extern "C" __global__ void __launch_bounds__(256) sum_parts(const __grid_constant__ Arguments a) {
  Seen seen;
  for (Index line = blockIdx.x; line < a.results * a.lines; line += gridDim.x) {
    const Line it = find_line(a, line);
    const Index nodes = node_count(a, it.length), parts = nodes > kGroups ? nodes / kGroups : 1;
    const Index each = parts > blockDim.x ? parts / blockDim.x : 1;
    const Total* values = reinterpret_cast<const Total*>(a.scratch) + line * a.per_line;
    Total total = nothing<Total>();
    if (threadIdx.x * each < parts) {
      // Sums of 1, 2, 4 … values that wait for their neighbours.
      Total waiting[32];
      unsigned depth = 0;
      for (Index i = 0; i < each; ++i) {
        total = values[threadIdx.x * each + i];
        for (Index bits = i; bits & 1; bits /= 2) total = combine(waiting[--depth], total, seen);
        waiting[depth++] = total;
      }
    }
    add_neighbours(total, threadIdx.x, parts / each, blockDim.x, threadIdx.x, true, seen);
    if (threadIdx.x != 0) continue;
    if (a.lines == 1)
      finish(a, it.result, total, true, seen);
    else
      reinterpret_cast<Total*>(a.sums)[line] = total;
  }
  report(a, seen);
}

}  // namespace strider::nd::device
