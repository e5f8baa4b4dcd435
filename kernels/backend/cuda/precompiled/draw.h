// Random numbers by ready-made kernels. Knows no arrays.
#pragma once

#include "kernels/backend/cuda/precompiled/queue.h"
#include "kernels/backend/draws/request.h"

namespace strider::nd::cuda {

// Queues `count` numbers, those that the stream gives next, and tells how many of its words, or of
// halves of words, they take. Waits where that depends on the words. False: the host has to draw.
bool draw_pcg64(const Queue& queue, const RandomStream& stream, const RandomDraw& draw,
                std::byte* to, std::int64_t count, std::int64_t* units);
bool draw_pcg64_dxsm(const Queue& queue, const RandomStream& stream, const RandomDraw& draw,
                     std::byte* to, std::int64_t count, std::int64_t* units);
bool draw_philox(const Queue& queue, const RandomStream& stream, const RandomDraw& draw,
                 std::byte* to, std::int64_t count, std::int64_t* units);

}  // namespace strider::nd::cuda
