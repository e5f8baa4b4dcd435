// A fold along a row whose order is free, or a search in it, by the threads of a block.
#pragma once

namespace strider::nd::device {

inline void run_row(const Arguments& a, Index row, Seen& seen) {
  Total total = fold_elements(a, result_base(a, row), threadIdx.x, a.count, blockDim.x, seen);
  join_lanes(total, blockDim.x, a.count, seen);
  if (threadIdx.x == 0) finish(a, row, total, true, seen);
}

}  // namespace strider::nd::device
