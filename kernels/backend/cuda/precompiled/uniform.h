// Random doubles by a ready-made kernel. Knows no arrays.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace strider::nd::cuda {

// Queues `count` doubles in [0, 1): those that the stream PCG64 (or PCG64DXSM) gives next, each of
// 53 bits of one word. State and increment: low words first.
void draw_doubles(cudaStream_t stream, bool dxsm, const std::uint64_t (&state)[2],
                  const std::uint64_t (&increment)[2], double* to, std::int64_t count);

}  // namespace strider::nd::cuda
