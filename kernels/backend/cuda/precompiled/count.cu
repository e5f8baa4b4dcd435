// Counting by atomic additions of integers, which no order changes; and sums of runs, each added by
// one warp in the order of its values.
#include "kernels/backend/cuda/precompiled/each.cuh"
#include "kernels/backend/cuda/precompiled/kernels.h"

namespace strider::nd::cuda {
namespace {

using Counter = unsigned long long;

constexpr std::int64_t kMostSharedBins = 8192;
constexpr unsigned kWarp = 32;

struct Count {
  const std::int64_t* values;
  Counter* counts;
  __device__ void operator()(std::int64_t i) const { atomicAdd(counts + values[i], Counter{1}); }
};

// Few bins: each block counts for itself first.
__global__ void __launch_bounds__(kBlockThreads)
    count_shared(const std::int64_t* values, std::int64_t count, Counter* counts, int bins) {
  extern __shared__ unsigned own[];
  for (int bin = threadIdx.x; bin < bins; bin += kBlockThreads) own[bin] = 0;
  __syncthreads();
  std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kBlockThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kBlockThreads + threadIdx.x;
       i < count; i += stride)
    atomicAdd(own + values[i], 1u);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += kBlockThreads)
    if (own[bin]) atomicAdd(counts + bin, static_cast<Counter>(own[bin]));
}

__global__ void __launch_bounds__(kBlockThreads)
    add_each(const double* values, const std::int64_t* starts, std::int64_t runs, double* sums) {
  std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * (kBlockThreads / kWarp);
  std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (kBlockThreads / kWarp);
  unsigned lane = threadIdx.x % kWarp;
  for (std::int64_t run = first + threadIdx.x / kWarp; run < runs; run += warps) {
    double sum = 0;
    std::int64_t end = starts[run + 1];
    for (std::int64_t i = starts[run]; i < end; i += kWarp) {
      double mine = i + lane < end ? values[i + lane] : 0.0;
      int present = end - i < kWarp ? static_cast<int>(end - i) : static_cast<int>(kWarp);
      for (int k = 0; k < present; ++k) sum += __shfl_sync(0xffffffffu, mine, k);
    }
    if (lane == 0) sums[run] = sum;
  }
}

}  // namespace

void count_values(const Queue& queue, const std::int64_t* values, std::int64_t count,
                  std::int64_t* counts, std::int64_t bins) {
  auto* counters = reinterpret_cast<Counter*>(counts);
  auto bytes = static_cast<std::size_t>(bins) * sizeof(Counter);
  check_launch(cudaMemsetAsync(counters, 0, bytes, queue.stream));
  if (count == 0) return;
  if (bins > kMostSharedBins || count < bins)
    return for_each(queue, count, Count{values, counters});
  // So many values a block that no counter of its own overflows, and adding up is worth it.
  std::int64_t blocks = std::min<std::int64_t>(kMostBlocks, count / (16 * kBlockThreads) + 1);
  auto shared = static_cast<std::size_t>(bins) * sizeof(unsigned);
  count_shared<<<static_cast<unsigned>(blocks), kBlockThreads, shared, queue.stream>>>(
      values, count, counters, static_cast<int>(bins));
  check_launch(cudaGetLastError());
}

void add_runs(const Queue& queue, const double* values, const std::int64_t* starts,
              std::int64_t runs, double* sums) {
  if (runs == 0) return;
  std::int64_t per_block = kBlockThreads / kWarp;
  std::int64_t blocks = std::min(kMostBlocks, (runs + per_block - 1) / per_block);
  add_each<<<static_cast<unsigned>(blocks), kBlockThreads, 0, queue.stream>>>(values, starts, runs,
                                                                              sums);
  check_launch(cudaGetLastError());
}

}  // namespace strider::nd::cuda
