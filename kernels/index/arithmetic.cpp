// Products, conjugates and sums by plain loops; on a device, by operations that are recorded.
#include "kernels/index/arithmetic.h"

#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include <type_traits>
#include <utility>

#include "kernels/core/node.h"
#include "kernels/graph/graph.h"
#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

template <class T>
T multiplied(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (std::is_same_v<T, Half>)
    return Half(static_cast<float>(a) * static_cast<float>(b));
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) *
                          std::uint64_t{static_cast<std::make_unsigned_t<T>>(b)});
  else
    return a * b;
}

template <class T>
std::complex<T> multiplied(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

template <class T>
void multiply_row(const std::byte* a, const std::byte* b, T* to, const Walk<3>::Offsets& step,
                  std::int64_t count) {
  constexpr std::int64_t kItem = sizeof(T);
  auto x = reinterpret_cast<const T*>(a);
  auto y = reinterpret_cast<const T*>(b);
  if (step[0] == kItem && step[1] == kItem) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = multiplied(x[i], y[i]);
  } else if (step[0] == 0 && step[1] == kItem) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = multiplied(*x, y[i]);
  } else {
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = multiplied(*reinterpret_cast<const T*>(a + i * step[0]),
                         *reinterpret_cast<const T*>(b + i * step[1]));
  }
}

template <class T>
void sum_rows(const T* from, std::int64_t length, std::int64_t rows, T* to) {
  for (std::int64_t n = 0; n < rows; ++n) {
    T sum{};
    for (std::int64_t i = 0; i < length; ++i) sum = static_cast<T>(sum + *from++);
    to[n] = sum;
  }
}

// Nobody hears of the conditions that operations meet in this scope.
class Unwatched {
 public:
  Unwatched() : watched_(std::exchange(recording().watched, 0)) {}
  ~Unwatched() { recording().watched = watched_; }
  Unwatched(const Unwatched&) = delete;

 private:
  const std::uint8_t watched_;
};

Array multiply_there(const Array& a, const Array& b, DType dtype) {
  Unwatched unwatched;
  Array x = a.astype(dtype, Order::kKeep, false), y = b.astype(dtype, Order::kKeep, false);
  return apply(Op::kMultiply, x, y);
}

}  // namespace

bool belongs_on_device(const Array& array) {
  bool device = recording().on_device || array.node()->storage->device();
  return device && worth_recording(array);
}

Array multiply_elements(const Array& a, const Array& b, DType dtype) {
  Dims shapes[] = {a.shape(), b.shape()};
  Dims shape = broadcast_shapes(shapes);
  bool large = recording().on_device && element_count(shape) >= recording().limit();
  if (large || belongs_on_device(a) || belongs_on_device(b)) return multiply_there(a, b, dtype);
  Array x = a.astype(dtype, Order::kKeep, false).broadcast_to(shape);
  Array y = b.astype(dtype, Order::kKeep, false).broadcast_to(shape);
  Array result = Array::empty(shape, dtype);
  Walk<3> walk(shape, {&x.strides(), &y.strides(), &result.strides()});
  const std::byte *from_x = x.data(), *from_y = y.data();
  std::byte* to = result.mutable_data();
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    walk.for_each_row([&](const Walk<3>::Offsets& at) {
      multiply_row<T>(from_x + at[0], from_y + at[1], reinterpret_cast<T*>(to + at[2]),
                      walk.row_steps(), walk.row_length());
    });
  });
  return result;
}

Array conjugated(const Array& array) {
  if (!is_complex(array.dtype())) return array;
  return apply(Op::kConjugate, array);
}

Array sum_last_axis(const Array& array) {
  if (array.dtype() == DType::kFloat16)
    return sum_last_axis(array.astype(DType::kFloat32)).astype(DType::kFloat16);
  if (belongs_on_device(array) && array.shape().back() > 0) {
    Unwatched unwatched;
    ReduceOptions options;
    options.axes = Axes(-1);
    options.dtype = array.dtype();
    return sum(array, options);
  }
  Dims shape = array.shape();
  std::int64_t length = shape.back();
  shape.resize(shape.size() - 1);
  Array packed = array.contiguous(), sums = Array::zeros(shape, array.dtype());
  dispatch(array.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (!std::is_same_v<T, Half>)
      if (length > 0) sum_rows(packed.as<T>(), length, sums.size(), sums.mutable_as<T>());
  });
  return sums;
}

}  // namespace strider::nd
