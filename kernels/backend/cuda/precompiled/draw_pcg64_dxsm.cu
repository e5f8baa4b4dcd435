// Draws from PCG64DXSM.
#include "kernels/backend/cuda/precompiled/draw.cuh"

namespace strider::nd::cuda {

bool draw_pcg64_dxsm(const Queue& queue, const RandomStream& stream, const RandomDraw& draw,
                     std::byte* to, std::int64_t count, std::int64_t* units) {
  return draw_from<drawing::PcgWords<true>>(queue, stream, draw, to, count, units);
}

}  // namespace strider::nd::cuda
