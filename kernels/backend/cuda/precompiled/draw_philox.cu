// Draws from Philox.
#include "kernels/backend/cuda/precompiled/draw.cuh"

namespace strider::nd::cuda {

bool draw_philox(const Queue& queue, const RandomStream& stream, const RandomDraw& draw,
                 std::byte* to, std::int64_t count, std::int64_t* units) {
  return draw_from<drawing::PhiloxWords>(queue, stream, draw, to, count, units);
}

}  // namespace strider::nd::cuda
