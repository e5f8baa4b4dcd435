// Merging axes, and following a view down to what an expression reads.
#include "kernels/graph/expression/space.h"

namespace strider::nd {
namespace {

bool walks(const Reading& reading) { return reading.storage || !reading.strides.empty(); }

}  // namespace

Space merge_axes(const Expression& expression) {
  Space space;
  for (std::int64_t index : storage_order(expression.shape, expression.strides)) {
    int axis = static_cast<int>(index);
    std::int64_t extent = expression.shape[axis];
    if (extent == 1) continue;
    bool joined = space.shape.size() > 0;
    for (int i = 0; joined && i < expression.count; ++i) {
      const Reading& reading = expression.arguments[i];
      if (walks(reading)) joined = space.arguments[i].back() == reading.strides[axis] * extent;
    }
    if (joined) {
      space.shape.back() *= extent;
      space.strides.back() = expression.strides[axis];
    } else {
      space.shape.push_back(extent);
      space.strides.push_back(expression.strides[axis]);
    }
    for (int i = 0; i < expression.count; ++i) {
      const Reading& reading = expression.arguments[i];
      std::int64_t step = walks(reading) ? reading.strides[axis] : 0;
      if (joined)
        space.arguments[i].back() = step;
      else
        space.arguments[i].push_back(step);
    }
  }
  return space;
}

bool steps_alike(const Dims& extents, const Dims& a, const Dims& b) {
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] != 1 && a[axis] != b[axis]) return false;
  }
  return true;
}

Access follow(const Coordinates& at, const Dims& steps, std::int64_t offset) {
  Access access{offset, Dims(static_cast<int>(at.steps.size()))};
  for (int axis = 0; axis < steps.size(); ++axis) {
    access.offset += at.origin[axis] * steps[axis];
    for (int k = 0; k < access.strides.size(); ++k) {
      access.strides[k] += at.steps[static_cast<std::size_t>(k)][axis] * steps[axis];
    }
  }
  return access;
}

Dims storage_order(const Dims& shape, const Dims& strides) {
  Dims order;
  for (int axis = 0; axis < shape.size(); ++axis) {
    int place = order.size();
    while (place > 0 && strides[static_cast<int>(order[place - 1])] < strides[axis]) --place;
    order.insert(place, axis);
  }
  return order;
}

}  // namespace strider::nd
