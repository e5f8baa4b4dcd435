// Gather and scatter: elements moved between an array and a packed block by a list of places.
// Knows bytes only; the places have been checked.
#pragma once

#include <cstddef>

#include "kernels/backend/arranger.h"

namespace strider::nd {

// Copies the elements at `places` of `base` one after another to `packed`.
void gather(const std::byte* base, const Places& places, std::byte* packed);
// Copies packed elements to `places` of `base`; `repeat_one` writes the one packed element to all.
void scatter(std::byte* base, const Places& places, const std::byte* packed, bool repeat_one);

// One axis whose elements are picked one by one.
struct Line {
  std::int64_t extent, stride;
  int item;
};

// Gathers by indices that are checked on the way (negative ones count from the end). Returns how
// many were in bounds: `count`, or the number of the first that was not.
std::int64_t gather_line(const std::byte* base, const Line& line, const std::int64_t* indices,
                         std::int64_t count, std::byte* packed);
// The number of indices that are in bounds: `count`, or the number of the first that is not.
std::int64_t check_line(const Line& line, const std::int64_t* indices, std::int64_t count);
// Scatters by indices that are in bounds.
void scatter_line(std::byte* base, const Line& line, const std::int64_t* indices,
                  std::int64_t count, const std::byte* packed, bool repeat_one);

}  // namespace strider::nd
