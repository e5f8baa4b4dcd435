// Folds of columns, which lie side by side.
#pragma once

namespace strider::nd::device {

// Neighbouring threads fold neighbouring columns in order; where there are few columns, each in
// several parts, whose elements alternate.
extern "C" __global__ void __launch_bounds__(256, kFoldBlocks)
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

// So few columns that a block has several parts of each, which it combines.
extern "C" __global__ void __launch_bounds__(256, kFoldBlocks)
    fold_few_columns(const __grid_constant__ Arguments a) {
  Seen seen;
  Total* totals = shared_totals();
  const unsigned columns = static_cast<unsigned>(a.results), slots = blockDim.x / columns;
  const unsigned slot = threadIdx.x / columns, column = threadIdx.x - slot * columns;
  for (Index tile = blockIdx.x; tile < a.part_count; tile += gridDim.x) {
    const Index first = tile * slots, after = first + slots;
    unsigned left = static_cast<unsigned>((after < a.parts ? after : a.parts) - first);
    if (slot < left) {
      const Point base = result_base(a, column);
      totals[threadIdx.x] = fold_elements(a, base, first + slot, a.count, a.parts, seen);
    }
    __syncthreads();
    while (left > 1) {
      const unsigned half = (left + 1) / 2;
      if (slot + half < left) {
        const Total later = totals[threadIdx.x + half * columns];
        totals[threadIdx.x] = combine(totals[threadIdx.x], later, seen);
      }
      left = half;
      __syncthreads();
    }
    if (slot == 0 && a.part_count == 1)
      finish(a, column, totals[column], true, seen);
    else if (slot == 0)
      reinterpret_cast<Total*>(a.scratch)[tile * columns + column] = totals[column];
    __syncthreads();
  }
  report(a, seen);
}

// Each block takes neighbouring columns, one for each lane of a warp, of which its warps fold a
// part each.
extern "C" __global__ void __launch_bounds__(256, kFoldBlocks)
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
