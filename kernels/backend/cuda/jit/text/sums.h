// Inexact sums along rows, several rows to a block or several blocks to a row.
#pragma once

namespace strider::nd::device {

// What blocks leave of a line's nodes are parts, and blocks add slices of those.
inline constexpr Index kSlice = 2048;
inline Index part_count(Index nodes) { return nodes > kGroups ? nodes / kGroups : 1; }
inline Index slice_count(Index parts) { return parts > kSlice ? parts / kSlice : 1; }

// The threads that add up values, each its neighbours, and where the values lie, so that threads
// side by side read side by side.
inline constexpr unsigned kAdders = 256;
inline Index place_of_value(Index value, Index values) {
  const Index each = values > kAdders ? values / kAdders : 1;
  return each == 1 ? value : value % each * kAdders + value / each;
}
inline Index place_of_part(Index part, Index parts) {
  if (parts <= kSlice) return place_of_value(part, parts);
  return part / kSlice * kSlice + place_of_value(part % kSlice, kSlice);
}

extern "C" __global__ void __launch_bounds__(256, kSumBlocks)
    sum_rows(const __grid_constant__ Arguments a) {
  Seen seen;
  const unsigned group = threadIdx.x / kLanes;
  const bool leads = threadIdx.x % kLanes == 0;
  const unsigned together = a.nodes < kGroups ? static_cast<unsigned>(a.nodes) : kGroups;
  for (Index first = blockIdx.x * Index(kGroups); first < a.tasks;
       first += gridDim.x * Index(kGroups)) {
    const Index task = first + group, line = task < a.tasks ? task >> a.depth : 0;
    const Index node = task - line * a.nodes;
    const Line it = find_line(a, line);
    const unsigned depth = node_depth(a, it.length);
    const Index nodes = Index(1) << depth;
    const bool active = task < a.tasks && node < nodes;
    Total total = add_node(a, it, node, depth, active, seen);
    add_neighbours<kLanes>(total, together, seen);
    if (!leads || !active || node % together != 0) continue;
    if (a.lines == 1 && a.nodes <= kGroups) {
      finish(a, it.result, total, true, seen);
    } else {
      const Index place = place_of_part(node / together, part_count(nodes));
      reinterpret_cast<Total*>(a.scratch)[line * a.per_line + place] = total;
    }
  }
  report(a, seen);
}

// Sums of 1, 2, 4 … neighbours that wait for those of the next ones.
struct Waiting {
  Total sums[32];
  unsigned depth = 0;

  // Puts in the sum of `number`, counted from 0.
  inline void add(Total total, Index number, Seen& seen) {
    for (; number & 1; number /= 2) total = combine(sums[--depth], total, seen);
    sums[depth++] = total;
  }
};

// Adds neighbours, which lie so far apart, and the neighbouring sums, until one is left; all are
// read at once.
inline constexpr unsigned kTogether = kComplexSum ? 16 : 32;
inline Total add_some(const Total* values, unsigned count, unsigned step, Seen& seen) {
  Total some[kTogether];
#pragma unroll
  for (unsigned i = 0; i < kTogether; ++i) some[i] = values[(i < count ? i : 0) * step];
#pragma unroll
  for (unsigned apart = 1; apart < kTogether; apart *= 2) {
#pragma unroll
    for (unsigned i = 0; i < kTogether; i += 2 * apart) {
      if (apart < count && i < count) some[i] = combine(some[i], some[i + apart], seen);
    }
  }
  return some[0];
}

// All values, a power of two of them, in one by the threads of a block; the first thread has it.
inline Total add_values(const Total* values, Index count, Seen& seen) {
  const Index each = count > kAdders ? count / kAdders : 1;
  const unsigned step = each > 1 ? kAdders : 1;
  Total total = nothing<Total>();
  if (threadIdx.x * each < count) {
    Waiting waiting;
    const unsigned together = each < kTogether ? static_cast<unsigned>(each) : kTogether;
    for (Index i = 0; i < each; i += together) {
      const Total some = add_some(values + threadIdx.x + i * step, together, step, seen);
      waiting.add(some, i / together, seen);
    }
    total = waiting.sums[0];
  }
  add_neighbours<1>(total, kAdders, seen);
  return total;
}

// One block for each slice of a line's parts, where there are several.
extern "C" __global__ void __launch_bounds__(256) sum_slices(const __grid_constant__ Arguments a) {
  Seen seen;
  const Index most = slice_count(a.per_line);
  for (Index task = blockIdx.x; task < a.results * a.lines * most; task += gridDim.x) {
    const Index line = task / most, slice = task - line * most;
    const Index parts = part_count(Index(1) << node_depth(a, find_line(a, line).length));
    const Index slices = slice_count(parts), size = parts < kSlice ? parts : kSlice;
    if (slice >= slices) continue;
    const Total* values = reinterpret_cast<const Total*>(a.scratch) + line * a.per_line;
    const Total total = add_values(values + slice * kSlice, size, seen);
    if (threadIdx.x != 0) continue;
    reinterpret_cast<Total*>(a.slices)[line * most + place_of_value(slice, slices)] = total;
  }
  report(a, seen);
}

// One block for each line whose nodes were added by several.
extern "C" __global__ void __launch_bounds__(256) sum_parts(const __grid_constant__ Arguments a) {
  Seen seen;
  const Index most = slice_count(a.per_line);
  for (Index line = blockIdx.x; line < a.results * a.lines; line += gridDim.x) {
    const Line it = find_line(a, line);
    const Index parts = part_count(Index(1) << node_depth(a, it.length));
    const Total* values = reinterpret_cast<const Total*>(most > 1 ? a.slices : a.scratch);
    const Index each = most > 1 ? most : a.per_line, count = most > 1 ? slice_count(parts) : parts;
    const Total total = add_values(values + line * each, count, seen);
    if (threadIdx.x != 0) continue;
    if (a.lines == 1)
      finish(a, it.result, total, true, seen);
    else
      reinterpret_cast<Total*>(a.sums)[line] = total;
  }
  report(a, seen);
}

}  // namespace strider::nd::device
