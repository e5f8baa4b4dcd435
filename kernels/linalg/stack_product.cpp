// Stacks of products: one large product where the layout allows, else one product each, small ones
// shared out among the threads.
#include "kernels/linalg/stack_product.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <vector>

#include "kernels/backend/library.h"
#include "kernels/core/node.h"
#include "kernels/graph/placement.h"
#include "kernels/index/walk.h"
#include "kernels/linalg/product.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kThreadWork = 500000;  // multiplications worth a thread
constexpr std::int64_t kOwnThreads = 200000;  // from here on a product uses threads itself

Matrix last_two(const Array& array, const std::byte* at) {
  int rank = array.rank();
  const Dims &shape = array.shape(), &strides = array.strides();
  return {at, shape[rank - 2], shape[rank - 1], strides[rank - 2], strides[rank - 1]};
}

Dims leading_strides(const Array& array, const Dims& batch) {
  Dims strides(batch.size());
  int missing = batch.size() - (array.rank() - 2);
  for (int axis = missing; axis < batch.size(); ++axis)
    if (array.shape()[axis - missing] != 1) strides[axis] = array.strides()[axis - missing];
  return strides;
}

Dims product_shape(const Array& a, const Array& b, const Dims& batch) {
  Dims shape = batch;
  shape.push_back(a.shape()[a.rank() - 2]);
  shape.push_back(b.shape().back());
  return shape;
}

struct Pair {
  const std::byte *a, *b;
};

std::vector<Pair> list_pairs(const Array& a, const Array& b, const Dims& batch) {
  Dims steps_a = leading_strides(a, batch), steps_b = leading_strides(b, batch);
  Walk<2> walk(batch, {&steps_a, &steps_b});
  const std::byte *from_a = a.data(), *from_b = b.data();
  std::vector<Pair> pairs;
  auto step = walk.row_steps();
  walk.for_each_row([&](const Walk<2>::Offsets& at) {
    for (std::int64_t i = 0; i < walk.row_length(); ++i)
      pairs.push_back({from_a + at[0] + i * step[0], from_b + at[1] + i * step[1]});
  });
  return pairs;
}

void multiply_each(const Array& a, const Array& b, const Dims& batch, const Array& result) {
  std::vector<Pair> pairs = list_pairs(a, b, batch);
  Matrix x = last_two(a, nullptr), y = last_two(b, nullptr);
  std::int64_t pitch = x.rows * y.columns * item_size(a.dtype());
  std::byte* to = result.mutable_data();
  auto multiply = [&](std::int64_t begin, std::int64_t end) {
    Matrix left = x, right = y;
    for (std::int64_t n = begin; n < end && !interrupt_requested(); ++n) {
      left.at = pairs[static_cast<std::size_t>(n)].a;
      right.at = pairs[static_cast<std::size_t>(n)].b;
      multiply_matrices(a.dtype(), left, right, to + n * pitch);
    }
  };
  auto count = static_cast<std::int64_t>(pairs.size());
  std::int64_t work = std::max<std::int64_t>(1, x.rows * x.columns * y.columns);
  if (work >= kOwnThreads)
    multiply(0, count);
  else
    parallel_for(count, std::max<std::int64_t>(1, worth_a_thread(kThreadWork) / work), multiply);
  check_interrupt();
}

MatrixStack stack_of(const Array& array, std::int64_t count, std::int64_t step, Device& device) {
  Matrix matrix = last_two(array, nullptr);
  std::int64_t item = item_size(array.dtype());
  const Node& node = *array.node();
  return {node.storage->bytes_on(device) + node.offset,
          count,
          step / item,
          matrix.rows,
          matrix.columns,
          matrix.row_stride / item,
          matrix.column_stride / item};
}

// The same on a device. Null where its library does not multiply matrices that lie so.
Array multiply_as_they_lie(Backend& backend, const Array& a, const Array& b, const Dims& batch) {
  Dims outer = batch, steps_a = leading_strides(a, batch), steps_b = leading_strides(b, batch);
  std::int64_t count = 1, step_a = 0, step_b = 0;
  if (!outer.empty()) {  // the innermost axis of the stacks goes to the library as a whole
    count = outer.back();
    step_a = steps_a.back();
    step_b = steps_b.back();
    for (Dims* dims : {&outer, &steps_a, &steps_b}) dims->erase(dims->size() - 1);
  }
  Device& device = *backend.device();
  Array result = make_on(device, product_shape(a, b, batch), a.dtype());
  MatrixStack x = stack_of(a, count, step_a, device), y = stack_of(b, count, step_b, device);
  std::byte* to = result.node()->storage->bytes_on(device);
  std::int64_t pitch = count * x.rows * y.columns * item_size(a.dtype());
  const std::byte *from_a = x.at, *from_b = y.at;
  bool done = true;
  Walk<2> walk(outer, {&steps_a, &steps_b});
  auto step = walk.row_steps();
  walk.for_each_row([&](const Walk<2>::Offsets& at) {
    for (std::int64_t i = 0; done && i < walk.row_length(); ++i, to += pitch) {
      x.at = from_a + at[0] + i * step[0];
      y.at = from_b + at[1] + i * step[1];
      done = backend.library()->multiply(a.dtype(), x, y, to);
    }
  });
  return done ? result : Array();
}

// The same, packed there first where need be. Null where the library does not do it at all.
Array multiply_on(Backend& backend, const Array& a, const Array& b, const Dims& batch) {
  if (!is_inexact(a.dtype()) || element_count(product_shape(a, b, batch)) == 0) return Array();
  if (Array result = multiply_as_they_lie(backend, a, b, batch)) return result;
  if (a.is_c_contiguous() && b.is_c_contiguous()) return Array();
  return multiply_as_they_lie(backend, a.contiguous(), b.contiguous(), batch);
}

}  // namespace

Array multiply_stacks(const Array& a, const Array& b, const Dims& batch) {
  if (b.rank() == 2 && a.rank() > 2 && a.is_c_contiguous() && a.size() > 0) {
    Array rows = a.reshape({a.size() / a.shape().back(), a.shape().back()});
    return multiply_stacks(rows, b, {}).reshape(product_shape(a, b, batch));
  }
  double work = static_cast<double>(element_count(product_shape(a, b, batch))) *
                static_cast<double>(a.shape().back());
  if (Backend* backend = place_library({&a, &b}, work)) {
    if (Array result = multiply_on(*backend, a, b, batch)) return result;
  }
  Array result = Array::empty(product_shape(a, b, batch), a.dtype());
  if (result.size() == 0) return result;
  if (batch.empty())
    multiply_matrices(a.dtype(), last_two(a, a.data()), last_two(b, b.data()),
                      result.mutable_data());
  else
    multiply_each(a, b, batch, result);
  return result;
}

Array multiply_two(const Array& a, const Array& b, DType dtype) {
  DType compute = dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
  Array product = multiply_stacks(a.astype(compute, Order::kKeep, false),
                                  b.astype(compute, Order::kKeep, false), {});
  return product.astype(dtype, Order::kKeep, false);
}

}  // namespace strider::nd
