// Subscript: a list of index items resolved against one array: which axes stay, which are indexed
// by arrays, and the shape of the result. Moves no elements.
#pragma once

#include <strider/nd/index.h>

#include <vector>

namespace strider::nd {

// One array of int64 indices over one axis.
struct AxisIndex {
  Array indices;            // null for a single integer
  std::int64_t single = 0;  // that integer
  int axis = -1;            // -1: a lone True or False, which indexes no axis
  std::int64_t extent = 1;
  std::int64_t stride = 0;
};

struct Subscript {
  Dims shape, strides;  // the axes that basic items leave
  std::int64_t offset = 0;
  std::vector<AxisIndex> advanced;
  int position = 0;  // how many basic axes stand before the index axes
  Dims index_shape;  // all advanced indices, broadcast

  // The shape of the result: index_shape inserted into shape at position.
  Dims result_shape() const;
  // The byte offset of every advanced index; kIndex when one is out of bounds.
  void fill_offsets(std::int64_t* offsets) const;
  // The same as an array, computed where the indices are or where recorded operations are.
  Array offsets() const;
};

Subscript resolve(const Array& array, IndexItems items);
// The view that integers, slices, new axes and an ellipsis choose.
Array get_view(const Array& array, IndexItems items);

// Checks `index` against `extent` and makes it non-negative; kIndex "index 5 is out of bounds for
// axis 0 with size 3".
std::int64_t checked_index(std::int64_t index, std::int64_t extent, int axis);
// The byte offsets of packed int64 indices along one axis, as recorded operations compute them. The
// check waits for a device that computed the indices.
Array checked_offsets(const Array& indices, std::int64_t extent, std::int64_t stride, int axis);
[[noreturn]] void throw_out_of_bounds(std::int64_t index, std::int64_t extent, int axis);

}  // namespace strider::nd
