// Devices that are none: memory of their own within the host's, computed on by the CPU's backend.
// They show without a GPU whether elements are where they are believed to be, and what becomes of
// programs that run out of a device's memory.
#pragma once

#include "kernels/backend/backend.h"

namespace strider::nd {

// There are two.
inline constexpr int kMirrors = 2;
Backend& mirror_backend(int number);

// The mirrors' requests for memory, all together, that fail from now on: so many after the next
// `after` ones. For tests.
void fail_mirror_requests(std::int64_t after, std::int64_t count);
// How many requests there were since.
std::int64_t mirror_requests();

}  // namespace strider::nd
