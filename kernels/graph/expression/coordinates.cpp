// Positions in a dense array are numbers in a mixed radix: its digits are the coordinates.
#include "kernels/graph/expression/coordinates.h"

#include <algorithm>

namespace strider::nd {
namespace {

class DenseArray {
 public:
  DenseArray(const Dims& shape, const Dims& strides, int item)
      : shape_(shape), strides_(strides), item_(item), order_(shape.size()) {
    for (int axis = 0; axis < shape.size(); ++axis) order_[axis] = axis;
    std::stable_sort(order_.begin(), order_.end(), [&](std::int64_t a, std::int64_t b) {
      return strides[static_cast<int>(a)] > strides[static_cast<int>(b)];
    });
  }

  // The coordinates of the element at this offset; false if there is none.
  bool locate(std::int64_t offset, Dims& coordinates) const {
    coordinates = Dims(shape_.size());
    if (offset < 0 || offset % item_ != 0) return false;
    for (std::int64_t index : order_) {
      int axis = static_cast<int>(index);
      if (shape_[axis] == 1) continue;
      coordinates[axis] = offset / strides_[axis];
      offset %= strides_[axis];
      if (coordinates[axis] >= shape_[axis]) return false;
    }
    return offset == 0;
  }

 private:
  const Dims& shape_;
  const Dims& strides_;
  int item_;
  Dims order_;  // axes, those with the largest strides first
};

// Whether no element of the view leaves the array along one of its axes.
bool stays_inside(const Dims& shape, const Dims& extents, const Coordinates& found) {
  for (int axis = 0; axis < shape.size(); ++axis) {
    std::int64_t low = found.origin[axis], high = low;
    for (int k = 0; k < extents.size(); ++k) {
      std::int64_t reach = found.steps[static_cast<std::size_t>(k)][axis] * (extents[k] - 1);
      (reach < 0 ? low : high) += reach;
    }
    if (low < 0 || high >= shape[axis]) return false;
  }
  return true;
}

}  // namespace

std::optional<Coordinates> find_coordinates(const Dims& shape, const Dims& strides, int item,
                                            const Dims& extents, std::int64_t offset,
                                            const Dims& view_strides) {
  DenseArray dense(shape, strides, item);
  Coordinates found;
  if (!dense.locate(offset, found.origin)) return std::nullopt;
  for (int k = 0; k < extents.size(); ++k) {
    Dims step(shape.size());
    if (extents[k] > 1 && view_strides[k] != 0) {
      if (!dense.locate(offset + view_strides[k], step)) return std::nullopt;
      for (int axis = 0; axis < shape.size(); ++axis) step[axis] -= found.origin[axis];
    }
    found.steps.push_back(step);
  }
  if (!stays_inside(shape, extents, found)) return std::nullopt;
  return found;
}

}  // namespace strider::nd
