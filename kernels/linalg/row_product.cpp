// Products of rows with rows. The order of additions is that of NumPy's einsum: vectors of 16
// bytes, four products added to the sum from the last to the first. (Beyond 8192 elements NumPy may
// cut a row where its buffer ends.)
#include "kernels/linalg/row_product.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>

#include "kernels/core/node.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

template <class T>
struct Vectors {
  static constexpr std::int64_t kLanes = 16 / static_cast<std::int64_t>(sizeof(T));
  typedef T Vector __attribute__((vector_size(16)));

  static Vector load(const T* from, std::int64_t count = kLanes) {
    Vector value{};
    std::memcpy(&value, from, static_cast<std::size_t>(count) * sizeof(T));
    return value;
  }
  static T sum(Vector v) {
    if constexpr (kLanes == 2)
      return v[0] + v[1];
    else
      return (v[0] + v[1]) + (v[2] + v[3]);
  }
};

template <class T>
T multiply_row(const T* a, const T* b, std::int64_t count) {
  using V = Vectors<T>;
  constexpr std::int64_t kLanes = V::kLanes;
  typename V::Vector total{};
  std::int64_t i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes)
    for (std::int64_t k = 3; k >= 0; --k)
      total = V::load(a + i + k * kLanes) * V::load(b + i + k * kLanes) + total;
  for (; i + kLanes <= count; i += kLanes) total = V::load(a + i) * V::load(b + i) + total;
  if (i < count) total = V::load(a + i, count - i) * V::load(b + i, count - i) + total;
  return V::sum(total);
}

// The rows of an array: all axes but the last, in C order.
struct Rows {
  explicit Rows(const Array& array)
      : data(array.data()), shape(array.shape()), strides(array.strides()) {}
  template <class T>
  const T* at(std::int64_t row) const {
    int axis = shape.size() - 2;
    std::int64_t offset = 0;
    for (; axis > 0; --axis) {
      offset += row % shape[axis] * strides[axis];
      row /= shape[axis];
    }
    return reinterpret_cast<const T*>(data + offset + row * strides[0]);
  }

  const std::byte* data;
  Dims shape, strides;
};

template <class T>
void multiply_all(const Array& a, const Array& b, const Array& result) {
  std::int64_t count = a.shape().back();
  T* out = result.mutable_as<T>();
  Rows left(a), right(b);
  std::int64_t share = std::max<std::int64_t>(1, worth_a_thread(1 << 16) / count);
  parallel_for(result.size(), share, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end && !interrupt_requested(); ++row)
      out[row] = multiply_row(left.at<T>(row), right.at<T>(row), count);
  });
  check_interrupt();
}

bool has_plain_rows(const Array& array) {
  bool there = recording().on_device || array.node()->storage->device();
  return !there && array.rank() > 1 && array.size() > 0 &&
         array.strides().back() == item_size(array.dtype());
}

}  // namespace

Array multiply_rows(const Array& a, const Array& b) {
  DType dtype = a.dtype();
  bool known = dtype == DType::kFloat64 || dtype == DType::kFloat32;
  if (!known || b.dtype() != dtype || !has_plain_rows(a) || !has_plain_rows(b)) return Array();
  evaluate(a);
  evaluate(b);
  Dims shape = a.shape();
  shape.resize(shape.size() - 1);
  Array result = Array::empty(shape, dtype);
  if (dtype == DType::kFloat64)
    multiply_all<double>(a, b, result);
  else
    multiply_all<float>(a, b, result);
  return result;
}

}  // namespace strider::nd
