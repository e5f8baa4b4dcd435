// Space: the axes of an expression as those who read it see them. Knows no loops.
#pragma once

#include "kernels/graph/expression/coordinates.h"
#include "kernels/graph/expression/expression.h"

namespace strider::nd {

// How a loop reads a storage: the first byte, and the step of each of the loop's axes.
struct Access {
  std::int64_t offset = 0;
  Dims strides;

  friend bool operator==(const Access&, const Access&) = default;
};

// An expression's axes in the order of its result's layout, those that everything it reads steps
// through alike merged.
struct Space {
  Dims shape;
  Dims strides;
  Dims arguments[3];
};
Space merge_axes(const Expression& expression);

// Whether both steps are the same along all axes of more than one point.
bool steps_alike(const Dims& extents, const Dims& a, const Dims& b);

// Where a view of an expression makes it read one of its arguments.
Access follow(const Coordinates& at, const Dims& steps, std::int64_t offset);

// The axes of a dense layout, those with the largest strides first.
Dims storage_order(const Dims& shape, const Dims& strides);

}  // namespace strider::nd
