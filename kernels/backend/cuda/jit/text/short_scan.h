// Running combinations along short rows, one element after the other as the CPU has them: 32
// threads take a row, compute 32 elements at a time, and all of them walk through these.
#pragma once

namespace strider::nd::device {

// What the result so far becomes: rounded as it is stored.
inline Number next_result(Number sum, Number element, Seen& seen) {
  return load_as<Number>(round_to_element(combine(sum, element, seen), seen));
}

extern "C" __global__ void __launch_bounds__(256) short_scan(const __grid_constant__ Arguments a) {
  Seen seen, unseen;
  const unsigned lane = threadIdx.x & 31;
  Total* shared = shared_totals() + (threadIdx.x - lane);
  const Index groups = static_cast<Index>(gridDim.x) * (blockDim.x / 32);
  const Index mine = static_cast<Index>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
  for (Index row = mine; row < a.results; row += groups) {
    const Index base = result_base(a, row);
    Number sum{};
    for (Index first = 0; first < a.count; first += 32) {
      const unsigned count = a.count - first < 32 ? static_cast<unsigned>(a.count - first) : 32;
      __syncwarp();
      if (lane < count) shared[lane] = load_as<Number>(element(a, base + first + lane, seen));
      __syncwarp();
      Number result{};
      for (unsigned i = 0; i < count; ++i) {
        const bool own = i == lane;
        sum = first + i == 0 ? shared[i] : next_result(sum, shared[i], own ? seen : unseen);
        if (own) result = sum;
      }
      if (lane < count) {
        store<Element>(a.out + (base + first + lane) * sizeof(Element),
                       static_cast<Element>(result));
      }
    }
  }
  report(a, seen);
}

}  // namespace strider::nd::device
