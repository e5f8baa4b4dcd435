// Results that were folded in parts.
#pragma once

namespace strider::nd::device {

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

}  // namespace strider::nd::device
