// Diagonals and triangles of the last or chosen two axes, and strided views.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/generate.h>
#include <strider/nd/index.h>
#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <cstring>

#include "kernels/core/watch.h"
#include "kernels/index/arithmetic.h"

namespace strider::nd {
namespace {

struct PlaneAxes {
  int row, column;
};

PlaneAxes plane_axes(const Array& array, int axis1, int axis2) {
  if (array.rank() < 2)
    throw Error(ErrorKind::kValue, "diag requires an array of at least two dimensions");
  PlaneAxes axes{normalize_named(axis1, array.rank(), "axis1: "),
                 normalize_named(axis2, array.rank(), "axis2: ")};
  if (axes.row == axes.column) throw Error(ErrorKind::kValue, "axis1 and axis2 cannot be the same");
  return axes;
}

}  // namespace

Array diagonal(const Array& array, int offset, int axis1, int axis2) {
  auto [row, column] = plane_axes(array, axis1, axis2);
  std::int64_t rows = array.shape()[row], columns = array.shape()[column];
  std::int64_t row_step = array.strides()[row], column_step = array.strides()[column];
  std::int64_t length =
      offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns);
  length = std::max<std::int64_t>(length, 0);
  std::int64_t start = offset >= 0 ? offset * column_step : -offset * row_step;
  Dims shape, strides;
  for (int axis = 0; axis < array.rank(); ++axis) {
    if (axis == row || axis == column) continue;
    shape.push_back(array.shape()[axis]);
    strides.push_back(array.strides()[axis]);
  }
  shape.push_back(length);
  strides.push_back(row_step + column_step);
  Array result = array.view(shape, strides, length ? start : 0);
  result.set_writeable(false);
  return result;
}

namespace {

// The type that sums of `dtype` have: small integers widen.
DType sum_type(DType dtype) {
  if (category(dtype) == Category::kUnsigned) return DType::kUInt64;
  return category(dtype) <= Category::kSigned ? DType::kInt64 : dtype;
}

}  // namespace

Array trace(const Array& array, int offset, int axis1, int axis2, std::optional<DType> dtype,
            const Array* out) {
  Array rows = diagonal(array, offset, axis1, axis2);
  if (!out) {
    Array summands = rows.contiguous(dtype.value_or(sum_type(array.dtype())));
    Watch watch(is_inexact(summands.dtype()) ? "reduce" : nullptr);
    Array sums = sum_last_axis(summands);
    watch.tell();
    return sums;
  }
  ReduceOptions options;
  options.axes = Axes(-1);
  options.dtype = dtype;
  options.out = out;
  return sum(rows, options);
}

void fill_diagonal(const Array& array, const Array& values, bool wrap) {
  if (array.rank() < 2) throw Error(ErrorKind::kValue, "array must be at least 2-d");
  const Dims& shape = array.shape();
  std::int64_t step = 1, end = array.size();
  if (array.rank() == 2) {
    step = shape[1] + 1;
    if (!wrap) end = std::min(end, shape[1] * shape[1]);
  } else {
    for (int axis = 1; axis < array.rank(); ++axis)
      if (shape[axis] != shape[0])
        throw Error(ErrorKind::kValue, "All dimensions of input must be of equal length");
    std::int64_t plane = 1;
    for (int axis = 0; axis < array.rank() - 1; ++axis) {
      plane *= shape[axis];
      step += plane;
    }
  }
  if (end > 0) set_flat(array, IndexItem::of_slice(0, end, step), values);
}

namespace {

// Copies rows, keeping columns [first(i), last(i)) of row i and clearing the others.
template <class Keep>
Array masked_triangle(const Array& array, Keep&& keep) {
  Array source = array;
  if (array.rank() == 1)  // one row serves for all
    source = array.broadcast_to({array.shape()[0], array.shape()[0]});
  Array result = source.copy();
  if (result.size() == 0) return result;
  int rank = result.rank();
  std::int64_t rows = result.shape()[rank - 2], columns = result.shape()[rank - 1];
  std::int64_t item = item_size(result.dtype());
  std::byte* row = result.mutable_data();
  for (std::int64_t n = 0; n < result.size() / columns; ++n, row += columns * item) {
    auto [first, last] = keep(n % rows, columns);
    std::memset(row, 0, static_cast<std::size_t>(first * item));
    std::memset(row + last * item, 0, static_cast<std::size_t>((columns - last) * item));
  }
  return result;
}

struct Range {
  std::int64_t first, last;
};

// The same by operations that stay on a device: keeps where column - row compares with k.
Array chosen_triangle(const Array& array, Op comparison, std::int64_t k) {
  int rank = array.rank();
  std::int64_t rows = array.shape()[rank - 2], columns = array.shape()[rank - 1];
  auto count = [](std::int64_t extent) {
    return generate_range(Scalar(std::int64_t{0}), Scalar(std::int64_t{1}), extent, DType::kInt64);
  };
  Array row = count(rows).reshape({rows, 1}), column = count(columns);
  Array keep = apply(comparison, apply(Op::kSubtract, column, row), Operand::weak_int(k));
  return select(keep, array, Operand(Scalar(false).as(array.dtype())));
}

// The result lies in memory as that of a choice by a matrix of truths does.
bool is_stack_in_other_order(const Array& array) {
  return array.rank() > 2 && array.size() > 0 && !array.is_c_contiguous();
}

bool chooses(const Array& array) {
  return array.rank() > 1 && array.size() > 0 && belongs_on_device(array);
}

}  // namespace

Array tril(const Array& array, std::int64_t k) {
  if (chooses(array)) return chosen_triangle(array, Op::kLessEqual, k).contiguous();
  if (is_stack_in_other_order(array)) return chosen_triangle(array, Op::kLessEqual, k);
  return masked_triangle(array, [k](std::int64_t row, std::int64_t columns) {
    return Range{0, std::clamp<std::int64_t>(row + k + 1, 0, columns)};
  });
}

Array triu(const Array& array, std::int64_t k) {
  if (chooses(array)) return chosen_triangle(array, Op::kGreaterEqual, k).contiguous();
  if (is_stack_in_other_order(array)) return chosen_triangle(array, Op::kGreaterEqual, k);
  return masked_triangle(array, [k](std::int64_t row, std::int64_t columns) {
    return Range{std::clamp<std::int64_t>(row + k, 0, columns), columns};
  });
}

Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, DType dtype) {
  if (Array promised = promise_triangle(rows, columns, k, dtype)) return promised;
  return tril(Array::full({rows, columns}, Scalar(true), dtype), k);
}

namespace {

// The lowest and highest byte offset that a view of this shape touches, the end exclusive.
Range byte_range(const Dims& shape, const Dims& strides, std::int64_t item) {
  Range range{0, item};
  for (int axis = 0; axis < shape.size(); ++axis) {
    std::int64_t reach = (shape[axis] - 1) * strides[axis];
    (reach < 0 ? range.first : range.last) += reach;
  }
  return range;
}

Array root_of(const Array& array) {
  Array root = array;
  while (Array base = root.base()) root = base;
  return root;
}

}  // namespace

Array as_strided(const Array& array, const Dims& shape, const Dims& strides, bool writeable) {
  std::int64_t item = item_size(array.dtype());
  std::int64_t bytes = item;
  bool too_big = false;
  for (std::int64_t extent : shape) {
    if (extent < 0) throw Error(ErrorKind::kValue, "negative dimensions are not allowed");
    if (extent) too_big |= __builtin_mul_overflow(bytes, extent, &bytes);
  }
  if (too_big) {
    throw Error(ErrorKind::kValue,
                "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                "possible size.");
  }
  if (element_count(shape) > 0) {
    Array root = root_of(array);
    std::int64_t start = array.data() - root.data();
    Range whole = byte_range(root.shape(), root.strides(), item_size(root.dtype()));
    Range wanted = byte_range(shape, strides, item);
    if (start + wanted.first < whole.first || start + wanted.last > whole.last)
      throw Error(ErrorKind::kValue,
                  "as_strided: this shape and strides reach outside the array's memory");
  }
  Array result = array.view(shape, strides, 0);
  if (!writeable) result.set_writeable(false);
  return result;
}

}  // namespace strider::nd
