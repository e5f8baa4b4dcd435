// Results that were folded in parts.
#pragma once

namespace strider::nd::device {

inline constexpr unsigned kPartsAtOnce = 8;

// Some lanes for each result that was folded in parts.
extern "C" __global__ void __launch_bounds__(256) fold_parts(const __grid_constant__ Arguments a) {
  Seen seen;
  const Total* parts = reinterpret_cast<const Total*>(a.scratch);
  const Index slots = blockDim.x / a.part_lanes;
  const unsigned lane = threadIdx.x & (a.part_lanes - 1);
  for (Index first = blockIdx.x * slots; first < a.results; first += gridDim.x * slots) {
    const Index result = first + threadIdx.x / a.part_lanes;
    const bool active = result < a.results;
    const Total* own = parts + (active ? result : 0) * a.part_result;
    Total total{};
    if (active && lane < a.part_count) {
      total = own[lane * a.part_step];
      Index i = lane + a.part_lanes;
      // Read together before the first is combined.
      const Index together = kPartsAtOnce * a.part_lanes;
      for (; i + together - a.part_lanes < a.part_count; i += together) {
        Total some[kPartsAtOnce];
#pragma unroll
        for (unsigned k = 0; k < kPartsAtOnce; ++k)
          some[k] = own[(i + k * a.part_lanes) * a.part_step];
#pragma unroll
        for (unsigned k = 0; k < kPartsAtOnce; ++k) total = combine(total, some[k], seen);
      }
      for (; i < a.part_count; i += a.part_lanes)
        total = combine(total, own[i * a.part_step], seen);
    }
    join_lanes(total, a.part_lanes, active ? a.part_count : 0, seen);
    if (lane == 0 && active) finish(a, result, total, true, seen);
  }
  report(a, seen);
}

}  // namespace strider::nd::device
