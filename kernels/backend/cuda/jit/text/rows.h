// Folds along rows whose order is free, and searches for extremes.
#pragma once

namespace strider::nd::device {

// Some lanes for each result, or for each part of one.
inline void fold_parts_of_rows(const Arguments& a) {
  Seen seen;
  const Index slots = blockDim.x / a.lanes;
  const unsigned lane = threadIdx.x & (a.lanes - 1);
  for (Index first = blockIdx.x * slots; first < a.tasks; first += gridDim.x * slots) {
    const Index task = first + threadIdx.x / a.lanes;
    const bool active = task < a.tasks;
    const Index result = active ? task / a.parts : 0, part = active ? task - result * a.parts : 0;
    const Index begin = part * a.length, after = begin + a.length;
    const Index end = !active ? begin : after < a.count ? after : a.count;
    const Point base = result_base(a, result);
    Total total = fold_elements(a, base, begin + lane, end, a.lanes, seen);
    join_lanes(total, a.lanes, end - begin, seen);
    if (lane != 0 || !active) continue;
    if (a.parts == 1)
      finish(a, result, total, begin < end, seen);
    else
      reinterpret_cast<Total*>(a.scratch)[task] = total;
  }
  report(a, seen);
}

extern "C" __global__ void __launch_bounds__(256) fold_rows(const __grid_constant__ Arguments a) {
  fold_parts_of_rows(a);
}
// So few long rows that lanes had better have more under way than that there are many.
extern "C" __global__ void __launch_bounds__(256, kFoldBlocks)
    fold_long_rows(const __grid_constant__ Arguments a) {
  fold_parts_of_rows(a);
}

}  // namespace strider::nd::device
