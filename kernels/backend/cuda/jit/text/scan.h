// Running combinations along rows. A block takes a segment of a row, a tile after the other; where
// rows are cut into several segments, the totals of segments come first. Floating results depend on
// the rows' lengths alone, but their order of additions is not the CPU's.
#pragma once

namespace strider::nd::device {

inline constexpr unsigned kEach = 4;  // elements of a thread in a tile
inline constexpr Index kTile = 256 * kEach;

// Combines what comes before each thread into `before`; the whole of all threads is returned.
inline Total scan_threads(Total total, bool has, Total& before, bool& has_before, Seen& seen) {
  Total* shared = shared_totals();
  Total sum = total;
  const unsigned thread = threadIdx.x;
#pragma unroll 1
  for (unsigned apart = 1; apart < 256; apart *= 2) {
    __syncthreads();
    shared[thread] = sum;
    __syncthreads();
    if (thread >= apart && has) sum = combine(shared[thread - apart], sum, seen);
  }
  __syncthreads();
  shared[thread] = sum;
  __syncthreads();
  has_before = thread > 0;
  if (has_before) before = shared[thread - 1];
  return sum;
}

// Scans one segment; `carry` is what comes before it. Results are written where `writes`.
inline Total scan_segment(const Arguments& a, Index base, Index begin, Index end, Total carry,
                          bool has_carry, bool writes, Seen& seen) {
  Total* shared = shared_totals();
  for (Index tile = begin; tile < end; tile += kTile) {
    const Index first = tile + threadIdx.x * kEach;
    Total values[kEach];
    for (unsigned i = 0; i < kEach; ++i) {
      if (first + i >= end) continue;
      values[i] = load_as<Number>(element(a, base + first + i, seen, writes));
      if (i > 0) values[i] = combine(values[i - 1], values[i], seen);
    }
    const bool has = first < end;
    Total mine{}, before{};
    for (unsigned i = 0; i < kEach; ++i) {
      if (first + i < end) mine = values[i];
    }
    bool has_before;
    scan_threads(mine, has, before, has_before, seen);
    if (has_carry) before = has_before ? combine(carry, before, seen) : carry;
    has_before |= has_carry;
    for (unsigned i = 0; i < kEach; ++i) {
      if (first + i >= end) continue;
      if (has_before) values[i] = combine(before, values[i], seen);
      mine = values[i];
      if (writes) {
        store<Element>(a.out + (base + first + i) * sizeof(Element),
                       static_cast<Element>(values[i]));
      }
    }
    // The last thread that has elements holds the carry of the next tile.
    const Index left = end - tile;
    const unsigned last = left >= kTile ? 255 : static_cast<unsigned>((left - 1) / kEach);
    __syncthreads();
    if (threadIdx.x == last) shared[0] = mine;
    __syncthreads();
    carry = shared[0];
    has_carry = true;
  }
  return carry;
}

extern "C" __global__ void __launch_bounds__(256) scan_totals(const __grid_constant__ Arguments a) {
  Seen seen;
  for (Index task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const Index row = task / a.parts, begin = (task - row * a.parts) * a.length;
    const Index after = begin + a.length, end = after < a.count ? after : a.count;
    Total total = scan_segment(a, result_base(a, row), begin, end, Total{}, false, false, seen);
    if (threadIdx.x == 0) reinterpret_cast<Total*>(a.scratch)[task] = total;
  }
}

// One thread for each row: totals of segments become what comes before the next one.
extern "C" __global__ void __launch_bounds__(256)
    scan_carries(const __grid_constant__ Arguments a) {
  Seen seen;
  Total* totals = reinterpret_cast<Total*>(a.scratch);
  const Index threads = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index row = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; row < a.results;
       row += threads) {
    for (Index i = 1; i < a.parts; ++i) {
      const Index at = row * a.parts + i;
      totals[at] = combine(totals[at - 1], totals[at], seen);
    }
  }
}

extern "C" __global__ void __launch_bounds__(256) scan_rows(const __grid_constant__ Arguments a) {
  Seen seen;
  for (Index task = blockIdx.x; task < a.tasks; task += gridDim.x) {
    const Index row = task / a.parts, part = task - row * a.parts, begin = part * a.length;
    const Index after = begin + a.length, end = after < a.count ? after : a.count;
    Total carry{};
    if (part > 0) carry = reinterpret_cast<Total*>(a.scratch)[task - 1];
    scan_segment(a, result_base(a, row), begin, end, carry, part > 0, true, seen);
  }
  report(a, seen);
}

}  // namespace strider::nd::device
