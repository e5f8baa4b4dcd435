// One thread for each of many positions. Knows nothing of what is done there.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/backend/cuda/precompiled/queue.h"

namespace strider::nd::cuda {

constexpr int kBlockThreads = 256;
constexpr std::int64_t kMostBlocks = 1 << 14;

template <class Body>
__global__ void __launch_bounds__(kBlockThreads) run_each(std::int64_t count, Body body) {
  std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kBlockThreads;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kBlockThreads + threadIdx.x;
       i < count; i += stride)
    body(i);
}

// Calls body(i) on the device for 0 <= i < count.
template <class Body>
void for_each(const Queue& queue, std::int64_t count, const Body& body) {
  if (count <= 0) return;
  std::int64_t blocks = std::min((count + kBlockThreads - 1) / kBlockThreads, kMostBlocks);
  run_each<<<static_cast<unsigned>(blocks), kBlockThreads, 0, queue.stream>>>(count, body);
  check_launch(cudaGetLastError());
}

}  // namespace strider::nd::cuda
