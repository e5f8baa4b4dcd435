// Ready-made kernels for stacks of planes (images' channels): edges around them, numbers added to
// them, pooling, and response normalisation. All addresses are the device's. Everything is queued.
#pragma once

#include <strider/nd/dtype.h>

#include "kernels/backend/cuda/precompiled/queue.h"
#include "kernels/backend/networks.h"

namespace strider::nd::cuda {

// Planes of height by width, inside larger ones of whole_height by whole_width from (top, left) on.
struct PlaneEdges {
  std::int64_t planes, height, width, top, left, whole_height, whole_width;
};

// Planes of height by width, and tiles of them: down by across, steps apart, the first of which
// begins at (top, left), which may lie outside.
struct PlaneTiles {
  std::int64_t planes, height, width;
  std::int64_t down, across, step_down, step_across;
  std::int64_t top, left, tile_height, tile_width;
};

// Copies elements of 4 or 8 bytes; what is around them becomes 0.
void pad_planes(const Queue& queue, int item, const PlaneEdges& edges, const std::byte* from,
                std::byte* to);
// Copies the inner planes.
void crop_planes(const Queue& queue, int item, const PlaneEdges& edges, const std::byte* from,
                 std::byte* to);
// Copies tiles, all planes of the first, then all of the next; what is outside becomes 0.
void cut_planes(const Queue& queue, int item, const PlaneTiles& tiles, const std::byte* from,
                std::byte* to);
// Copies planes out of tiles that are as large as the steps between them and begin at (0, 0).
void join_planes(const Queue& queue, int item, const PlaneTiles& tiles, const std::byte* from,
                 std::byte* to);
// Adds b[f] to each of `inner` elements of y (batch, filters, inner).
void add_to_planes(const Queue& queue, DType dtype, std::byte* y, const std::byte* b,
                   std::int64_t batch, std::int64_t filters, std::int64_t inner);

// As the contract of networks says.
void pool_planes(const Queue& queue, DType dtype, const Pooling& pooling, const std::byte* x,
                 std::byte* y);
void pool_planes_gradient(const Queue& queue, DType dtype, const Pooling& pooling,
                          const std::byte* dy, const std::byte* x, std::byte* dx);
void normalize_response(const Queue& queue, DType dtype, const ResponseNorm& norm,
                        const std::byte* x, std::byte* y);
void normalize_response_gradient(const Queue& queue, DType dtype, const ResponseNorm& norm,
                                 const std::byte* dy, const std::byte* x, const std::byte* y,
                                 std::byte* dx);

}  // namespace strider::nd::cuda
