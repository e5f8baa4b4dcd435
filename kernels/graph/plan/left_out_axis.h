// Axes of a few places that a promise's loop may leave out. Plans nothing.
#pragma once

#include <vector>

#include "kernels/graph/expression/expression.h"

namespace strider::nd {

// An axis of a promise that its loop does not run along, so that what the promise repeats along it
// is computed once for all places, each of which is an output of its own.
struct LeftOutAxis {
  std::int64_t places = 0;
  std::int64_t step = 0;  // bytes from one place to the next
  Dims extents, strides;  // of the axes that are left, outermost first
};

// The axes of at most so many places along which a map may read another one again and again.
std::vector<LeftOutAxis> repeating_axes(const Expression& map, const Expression& repeated,
                                        std::int64_t most_places);

}  // namespace strider::nd
