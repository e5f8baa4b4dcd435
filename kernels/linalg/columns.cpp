// Stacks of matrices turned into LAPACK's column order and back.
#include "kernels/linalg/columns.h"

#include <strider/nd/generate.h>

#include <algorithm>

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

Array from_columns(const Array& columns, DType dtype) {
  return columns.swap_axes(columns.rank() - 2, columns.rank() - 1).astype(dtype, Order::kC, true);
}

double cubic_work(const Array& a) {
  std::int64_t rows = a.shape()[a.rank() - 2], columns = a.shape().back();
  return static_cast<double>(a.size()) * static_cast<double>(std::min(rows, columns));
}

Array identity(std::int64_t rows, std::int64_t columns, DType dtype) {
  return generate_diagonal(rows, columns, 0, dtype);
}

}  // namespace strider::nd
