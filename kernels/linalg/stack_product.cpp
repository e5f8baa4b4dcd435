// Stacks of products: one large product where the layout allows, else one product each, small ones
// shared out among the threads.
#include "kernels/linalg/stack_product.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <vector>

#include "kernels/core/node.h"
#include "kernels/core/watch.h"
#include "kernels/graph/graph.h"
#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kThreadWork = 500000;  // multiplications worth a thread
constexpr std::int64_t kOwnThreads = 200000;  // from here on a product uses threads itself
constexpr std::int64_t kLookWork = 100000;    // those between two looks at the interrupt flag

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

std::vector<MatrixPair> list_pairs(const Array& a, const Array& b, const Dims& batch) {
  Dims steps_a = leading_strides(a, batch), steps_b = leading_strides(b, batch);
  Walk<2> walk(batch, {&steps_a, &steps_b});
  const std::byte *from_a = a.data(), *from_b = b.data();
  std::vector<MatrixPair> pairs;
  auto step = walk.row_steps();
  walk.for_each_row([&](const Walk<2>::Offsets& at) {
    for (std::int64_t i = 0; i < walk.row_length(); ++i)
      pairs.push_back({from_a + at[0] + i * step[0], from_b + at[1] + i * step[1]});
  });
  return pairs;
}

}  // namespace

void multiply_pairs(DType dtype, const Matrix& a, const Matrix& b,
                    std::span<const MatrixPair> pairs, std::byte* out) {
  std::int64_t pitch = a.rows * b.columns * item_size(dtype);
  std::int64_t work = std::max<std::int64_t>(1, a.rows * a.columns * b.columns);
  std::int64_t batch = std::max<std::int64_t>(1, kLookWork / work);
  auto multiply = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t n = begin; n < end && !interrupt_requested(); n += batch) {
      auto first = static_cast<std::size_t>(n);
      auto count = static_cast<std::size_t>(std::min(batch, end - n));
      multiply_alike(dtype, a, b, pairs.subspan(first, count), out + n * pitch);
    }
  };
  auto count = static_cast<std::int64_t>(pairs.size());
  if (count == 1 || work >= kOwnThreads)
    multiply(0, count);
  else
    parallel_for(count, std::max<std::int64_t>(1, worth_a_thread(kThreadWork) / work), multiply);
  check_interrupt();
}

Array multiply_stacks(const Array& a, const Array& b, const Dims& batch, const char* name) {
  if (b.rank() == 2 && a.rank() > 2 && a.is_c_contiguous() && a.size() > 0) {
    Array rows = a.reshape({a.size() / a.shape().back(), a.shape().back()});
    return with_shape(multiply_stacks(rows, b, {}, name), product_shape(a, b, batch));
  }
  if (Array promised = record_product(a, b, batch, name)) return promised;
  Array result = Array::empty(product_shape(a, b, batch), a.dtype());
  if (result.size() == 0) return result;
  Watch watch(is_inexact(a.dtype()) ? name : nullptr);
  if (batch.empty())
    multiply_matrices(a.dtype(), last_two(a, a.data()), last_two(b, b.data()),
                      result.mutable_data());
  else
    multiply_pairs(a.dtype(), last_two(a, nullptr), last_two(b, nullptr), list_pairs(a, b, batch),
                   result.mutable_data());
  watch.tell();
  return result;
}

Array multiply_vectors(const Array& a, const Array& b, const char* name) {
  DType dtype = a.dtype();
  bool simple = dtype == b.dtype() && dtype != DType::kFloat16 && a.size() > 0 &&
                !worth_recording(a) && !worth_recording(b);
  if (!simple) return Array();
  std::int64_t count = a.size(), step_a = a.strides()[0], step_b = b.strides()[0];
  Array result = Array::empty({}, dtype);
  Watch watch(is_inexact(dtype) ? name : nullptr);
  multiply_matrices(dtype, {a.data(), 1, count, count * step_a, step_a},
                    {b.data(), count, 1, step_b, item_size(dtype)}, result.mutable_data());
  watch.tell();
  return result;
}

Array with_shape(Array array, const Dims& shape) {
  Node& node = *array.node();
  if (node.base || node.references > 1) return array.reshape(shape);
  node.shape = shape;
  node.strides = dense_strides(shape, item_size(node.dtype));
  node.f_contiguous = is_dense(shape, node.strides, item_size(node.dtype), true);
  return array;
}

Array with_axes(Array array, const Dims& order) {
  Node& node = *array.node();
  Dims shape = node.shape, strides = node.strides;
  for (int axis = 0; axis < order.size(); ++axis) {
    auto place = static_cast<int>(order[axis]);
    shape[place] = node.shape[axis];
    strides[place] = node.strides[axis];
  }
  if (node.base || node.references > 1) return array.view(shape, strides, 0);
  node.shape = shape;
  node.strides = strides;
  int item = item_size(node.dtype);
  node.c_contiguous = is_dense(shape, strides, item, false);
  node.f_contiguous = is_dense(shape, strides, item, true);
  return array;
}

Array multiply_two(const Array& a, const Array& b, DType dtype, const char* name) {
  DType compute = dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
  Array product = multiply_stacks(a.astype(compute, Order::kKeep, false),
                                  b.astype(compute, Order::kKeep, false), {}, name);
  return product.astype(dtype, Order::kKeep, false);
}

}  // namespace strider::nd
