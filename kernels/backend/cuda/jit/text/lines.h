// Sums of several rows, or of chunks of one, after sum.h has added each.
#pragma once

namespace strider::nd::device {

// One warp for each result of several lines, which are added in order.
extern "C" __global__ void __launch_bounds__(256) sum_lines(const __grid_constant__ Arguments a) {
  Seen seen;
  const Total* sums = reinterpret_cast<const Total*>(a.sums);
  const unsigned lane = threadIdx.x % 32;
  const Index warps = gridDim.x * Index(blockDim.x / 32);
  for (Index result = blockIdx.x * Index(blockDim.x / 32) + threadIdx.x / 32; result < a.results;
       result += warps) {
    const auto sum_of = [&](Index line) {
      return line < a.lines ? sums[result * a.lines + line] : nothing<Total>();
    };
    Element total = a.start;
    Total following = sum_of(lane);
    for (Index first = 0; first < a.lines; first += 32) {
      const Total mine = following;
      following = sum_of(first + 32 + lane);  // under way while these are added
#pragma unroll 8
      for (unsigned i = 0; i < 32; ++i) {
        const Total next = from_lane(mine, i, 32);  // behind the last line nothing
        total = round_to_element(combine(load_as<Number>(total), next, seen), seen);
      }
    }
    if (lane == 0) store<Element>(a.out + result * sizeof(Element), total);
  }
  report(a, seen);
}

}  // namespace strider::nd::device
