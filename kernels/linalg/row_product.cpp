// Products of rows with rows. The order of additions is that of NumPy's einsum: vectors of 16
// bytes, four products added to the sum from the last to the first. (Beyond 8192 elements NumPy may
// cut a row where its buffer ends.)
#include "kernels/linalg/row_product.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "kernels/core/node.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kLookRows = 4096;  // between two looks at the interrupt flag

template <class T>
struct Vectors {
  static constexpr std::int64_t kLanes = 16 / static_cast<std::int64_t>(sizeof(T));
  typedef T Vector __attribute__((vector_size(16)));

  template <int kCount = kLanes>
  static Vector load(const T* from) {
    Vector value{};
    std::memcpy(&value, from, kCount * sizeof(T));
    return value;
  }
  // The last elements of a row, fewer than there are lanes, and zeros.
  static Vector load_rest(const T* from, std::int64_t count) {
    if (kLanes == 2 || count == 1) return load<1>(from);
    return count == 2 ? load<2>(from) : load<kLanes - 1>(from);
  }
  static T sum(Vector v) {
    if constexpr (kLanes == 2)
      return v[0] + v[1];
    else
      return (v[0] + v[1]) + (v[2] + v[3]);
  }
};

template <class T>
[[gnu::always_inline]] inline T multiply_row(const T* a, const T* b, std::int64_t count) {
  using V = Vectors<T>;
  constexpr std::int64_t kLanes = V::kLanes;
  typename V::Vector total{};
  std::int64_t i = 0;
  for (; i + 4 * kLanes <= count; i += 4 * kLanes)
    for (std::int64_t k = 3; k >= 0; --k)
      total = V::load(a + i + k * kLanes) * V::load(b + i + k * kLanes) + total;
  for (; i + kLanes <= count; i += kLanes) total = V::load(a + i) * V::load(b + i) + total;
  if (i < count) total = V::load_rest(a + i, count - i) * V::load_rest(b + i, count - i) + total;
  return V::sum(total);
}

// Rows of two arrays, `a_step` and `b_step` bytes apart.
struct RowPairs {
  const std::byte *a, *b;
  std::int64_t a_step, b_step, count;
};

template <class T, class Length>
void multiply_pairs(const RowPairs& rows, Length length, T* out) {
  const std::byte *a = rows.a, *b = rows.b;
  for (std::int64_t row = 0; row < rows.count; ++row, a += rows.a_step, b += rows.b_step)
    out[row] = multiply_row(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(b), length);
}

// Rows of few elements take as long as what decides how many there are.
template <class T>
void multiply_pairs_of(const RowPairs& rows, std::int64_t length, T* out) {
  switch (length) {
    case 2:
      return multiply_pairs(rows, std::integral_constant<std::int64_t, 2>(), out);
    case 3:
      return multiply_pairs(rows, std::integral_constant<std::int64_t, 3>(), out);
    case 4:
      return multiply_pairs(rows, std::integral_constant<std::int64_t, 4>(), out);
    default:
      return multiply_pairs(rows, length, out);
  }
}

// How far the row of this number lies from the first: rows are along all axes but the last.
std::int64_t offset_of_row(const Array& array, std::int64_t row) {
  const Dims &shape = array.shape(), &strides = array.strides();
  int axis = shape.size() - 2;
  std::int64_t offset = 0;
  for (; axis > 0; --axis) {
    offset += row % shape[axis] * strides[axis];
    row /= shape[axis];
  }
  return offset + row * strides[0];
}

template <class T>
void multiply_all(const Array& a, const Array& b, const Array& result) {
  int axis = a.rank() - 2;
  std::int64_t length = a.shape().back(), line = a.shape()[axis];
  std::int64_t a_step = a.strides()[axis], b_step = b.strides()[axis];
  const std::byte *from_a = a.data(), *from_b = b.data();
  T* out = result.mutable_as<T>();
  std::int64_t share = std::max<std::int64_t>(1, worth_a_thread(1 << 16) / length);
  parallel_for(result.size(), share, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end && !interrupt_requested()) {
      std::int64_t count = std::min({end - begin, line - begin % line, kLookRows});
      RowPairs rows{from_a + offset_of_row(a, begin), from_b + offset_of_row(b, begin), a_step,
                    b_step, count};
      multiply_pairs_of(rows, length, out + begin);
      begin += count;
    }
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
