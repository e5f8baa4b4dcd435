// Stacks of matrices turned into LAPACK's column order and back.
#include "kernels/linalg/columns.h"

namespace strider::nd {

Dims stack_shape(const Array& a, int count) {
  Dims shape = a.shape();
  shape.resize(shape.size() - count);
  return shape;
}

Dims with_core(const Dims& stack, std::initializer_list<std::int64_t> core) {
  Dims shape = stack;
  for (std::int64_t extent : core) shape.push_back(extent);
  return shape;
}

Array to_columns(const Array& a, DType dtype) {
  return a.swap_axes(a.rank() - 2, a.rank() - 1).astype(dtype, Order::kC, true);
}

Array from_columns(const Array& columns) {
  return columns.swap_axes(columns.rank() - 2, columns.rank() - 1).copy();
}

}  // namespace strider::nd
