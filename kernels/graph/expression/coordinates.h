// How a view walks through a dense array: which element it starts at and how its axes move along
// the array's own axes.
#pragma once

#include <strider/nd/dims.h>

#include <optional>
#include <vector>

namespace strider::nd {

// For each axis of the array: where the view starts, and the step of each of the view's axes.
struct Coordinates {
  Dims origin;
  std::vector<Dims> steps;  // by the view's axis
};

// The coordinates of a view (offset and strides in bytes over `extents`) in a dense array of this
// shape and these strides; none when the view does not keep to the array's axes.
std::optional<Coordinates> find_coordinates(const Dims& shape, const Dims& strides, int item,
                                            const Dims& extents, std::int64_t offset,
                                            const Dims& view_strides);

}  // namespace strider::nd
