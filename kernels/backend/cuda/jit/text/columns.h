// Folds of columns.
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
