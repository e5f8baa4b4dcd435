// Inexact sums of short rows, a row to a thread: eight sums of every eighth element, added in
// pairs, and then the elements that are left, as the lanes of sum.h add them.
#pragma once

namespace strider::nd::device {

inline constexpr unsigned kSums = 8;

// The sum of a row's whole blocks of eight elements.
inline Total add_blocks(const Arguments& a, const Inputs& still, Point base, Index whole,
                        Seen& seen) {
  const auto place_of = [&](Position i) { return further(base, i); };
  Total sums[kSums];
#pragma unroll 1
  for (Index first = 0; first < whole; first += kSums) {
    const auto batch = take_batch<kSums, true>(a, still, first, 1, whole, place_of);
#pragma unroll
    for (unsigned i = 0; i < kSums; ++i) {
      const Total next = load_as<Number>(batch.values[i]);
      sums[i] = first == 0 ? next : combine(sums[i], next, seen);
    }
  }
#pragma unroll
  for (unsigned apart = 1; apart < kSums; apart *= 2) {
#pragma unroll
    for (unsigned i = 0; i < kSums; i += 2 * apart)
      sums[i] = combine(sums[i], sums[i + apart], seen);
  }
  return sums[0];
}

extern "C" __global__ void __launch_bounds__(256) sum_short(const __grid_constant__ Arguments a) {
  Seen seen;
  const Index threads = static_cast<Index>(gridDim.x) * blockDim.x;
  const Index whole = a.count - a.count % kSums;
  for (Index row = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; row < a.results;
       row += threads) {
    const Point base = result_base(a, row);
    Inputs still;
    read_still(a, place(a, base), still);
    Total total = add_blocks(a, still, base, whole, seen);
    if (whole < a.count) {
      const auto place_of = [&](Position i) { return further(base, i); };
      const auto last = take_batch<kSums - 1, false>(a, still, whole, 1, a.count, place_of);
#pragma unroll
      for (unsigned i = 0; i + 1 < kSums; ++i) {
        if (whole + i < a.count) total = combine(total, load_as<Number>(last.values[i]), seen);
      }
    }
    finish(a, row, total, true, seen);
  }
  report(a, seen);
}

}  // namespace strider::nd::device
