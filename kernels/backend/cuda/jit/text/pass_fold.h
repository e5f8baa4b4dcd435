// A fold along a row whose order is free, or a search in it, by the threads of a block.
#pragma once

namespace strider::nd::device {

inline void run_row(const Arguments& a, Index row, Seen& seen) {
  const Index base = result_base(a, row);
  Total total{};
  if (threadIdx.x < a.count) {
    total = total_at(a, base, threadIdx.x, seen);
    for (Index i = threadIdx.x + blockDim.x; i < a.count; i += blockDim.x) {
      total = combine(total, total_at(a, base, i, seen), seen);
    }
  }
  join_lanes(total, blockDim.x, a.count, seen);
  if (threadIdx.x == 0) finish(a, row, total, true, seen);
}

}  // namespace strider::nd::device
