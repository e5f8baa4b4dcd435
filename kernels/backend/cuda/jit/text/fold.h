// Folds whose order is free, searches for extremes, and columns.
#pragma once

namespace strider::nd::device {

// Some lanes for each result, or for each part of one.
extern "C" __global__ void __launch_bounds__(256) fold_rows(const __grid_constant__ Arguments a) {
  Seen seen;
  const Index slots = blockDim.x / a.lanes;
  const unsigned lane = threadIdx.x & (a.lanes - 1);
  for (Index first = blockIdx.x * slots; first < a.tasks; first += gridDim.x * slots) {
    const Index task = first + threadIdx.x / a.lanes;
    const bool active = task < a.tasks;
    const Index result = active ? task / a.parts : 0, part = active ? task - result * a.parts : 0;
    const Index begin = part * a.length, after = begin + a.length;
    const Index end = !active ? begin : after < a.count ? after : a.count;
    const Index base = result_base(a, result);
    Total total{};
    if (begin + lane < end) {
      total = total_at(a, base, begin + lane, seen);
#pragma unroll 4
      for (Index i = begin + lane + a.lanes; i < end; i += a.lanes) {
        total = combine(total, total_at(a, base, i, seen), seen);
      }
    }
    join_lanes(total, a.lanes, end - begin, seen);
    if (lane != 0 || !active) continue;
    if (a.parts == 1)
      finish(a, result, total, begin < end, seen);
    else
      reinterpret_cast<Total*>(a.scratch)[task] = total;
  }
  report(a, seen);
}

// One block for each result that was folded in parts.
extern "C" __global__ void __launch_bounds__(256) fold_parts(const __grid_constant__ Arguments a) {
  Seen seen;
  const Total* parts = reinterpret_cast<const Total*>(a.scratch);
  for (Index result = blockIdx.x; result < a.results; result += gridDim.x) {
    const Index first = result * a.part_result;
    Total total{};
    if (threadIdx.x < a.parts) {
      total = parts[first + threadIdx.x * a.part_step];
      for (Index i = threadIdx.x + blockDim.x; i < a.parts; i += blockDim.x) {
        total = combine(total, parts[first + i * a.part_step], seen);
      }
    }
    join_lanes(total, blockDim.x, a.parts, seen);
    if (threadIdx.x == 0) finish(a, result, total, true, seen);
  }
  report(a, seen);
}

// Neighbouring threads fold neighbouring columns in order; where there are few columns, each in
// several parts, whose elements alternate.
extern "C" __global__ void __launch_bounds__(256)
    fold_columns(const __grid_constant__ Arguments a) {
  Seen seen;
  const Index threads = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index task = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; task < a.tasks;
       task += threads) {
    const Index part = a.parts == 1 ? 0 : task / a.results, result = task - part * a.results;
    const Index base = result_base(a, result);
    if constexpr (!kFinds) {
      if (a.parts == 1) {
        Element total = a.start;
        Index i = 0;
        if (kFromFirst && a.count > 0) {
          total = element(a, base, seen);
          i = 1;
        }
#pragma unroll 4
        for (; i < a.count; ++i) {
          const Element next = element(a, base + fold_offset(a, i), seen);
          const Element sum = compute_row<Row<kFoldOp>, kFoldOp, Element>(total, next, total);
          note_combination(total, next, sum, seen);
          total = sum;
        }
        store<Element>(a.out + result * sizeof(Element), total);
        continue;
      }
    }
    Total total = total_at(a, base, part, seen);
#pragma unroll 4
    for (Index i = part + a.parts; i < a.count; i += a.parts) {
      total = combine(total, total_at(a, base, i, seen), seen);
    }
    reinterpret_cast<Total*>(a.scratch)[task] = total;
  }
  report(a, seen);
}

}  // namespace strider::nd::device
