// Random numbers as devices draw them, one try after another. Knows no memory but the given.
#pragma once

#include <cstddef>

#include "kernels/backend/draws/request.h"

namespace strider::nd {

// Writes the numbers that the stream gives next. Returns how many units they use up.
std::int64_t draw_in_order(const RandomStream& stream, const RandomDraw& draw, std::byte* to,
                           std::int64_t count);

}  // namespace strider::nd
