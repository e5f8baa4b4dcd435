// Folds of columns, which lie side by side.
#pragma once

namespace strider::nd::device {

// Neighbouring threads fold neighbouring columns in order; where there are few columns, each in
// several parts, whose elements alternate.
extern "C" __global__ void __launch_bounds__(256)
    fold_columns(const __grid_constant__ Arguments a) {
  Seen seen;
  const Index threads = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index task = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; task < a.tasks;
       task += threads) {
    const Index part = a.parts == 1 ? 0 : task / a.results, result = task - part * a.results;
    const Point base = result_base(a, result);
    if constexpr (!kFinds) {
      if (a.parts == 1) {
        Element total = a.start;
        const FoldStart start = fold_start(a, base);
        const auto point = [&](Index i) { return fold_point(a, start, i); };
        each_element(a, base, 0, a.count, 1, point, [&](Element next, Index i) {
          Element sum = next;
          if (!kFromFirst || i > 0) {
            sum = compute_row<Row<kFoldOp>, kFoldOp, Element>(total, next, total);
            note_combination(total, next, sum, seen);
          }
          total = sum;
        });
        store<Element>(a.out + result * sizeof(Element), total);
        continue;
      }
    }
    reinterpret_cast<Total*>(a.scratch)[task] =
        fold_elements(a, base, part, a.count, a.parts, seen);
  }
  report(a, seen);
}

// Each block takes neighbouring columns, one for each lane of a warp, of which its warps fold a
// part each.
extern "C" __global__ void __launch_bounds__(256)
    fold_short_columns(const __grid_constant__ Arguments a) {
  Seen seen;
  Total* totals = shared_totals();
  const unsigned lane = threadIdx.x % 32, part = threadIdx.x / 32, parts = blockDim.x / 32;
  for (Index first = blockIdx.x * Index(32); first < a.results; first += gridDim.x * Index(32)) {
    const Index result = first + lane;
    const bool active = result < a.results;
    if (active)
      totals[threadIdx.x] = fold_elements(a, result_base(a, result), part, a.count, parts, seen);
    __syncthreads();
    if (active && part == 0) {
      Total total = totals[lane];
      for (unsigned i = 1; i < parts; ++i) total = combine(total, totals[32 * i + lane], seen);
      finish(a, result, total, true, seen);
    }
    __syncthreads();
  }
  report(a, seen);
}

}  // namespace strider::nd::device
