// Sums, differences, products and quotients of elements that lie apart, as columns of a matrix do.
// Collecting them into a vector and spreading the results takes two more passes over their memory.
#include <cstdint>
#include <type_traits>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/core/unaligned.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

// Integers wrap around.
template <class T>
struct Wrapping {
  using type = T;
};
template <class T>
requires std::is_integral_v<T>
struct Wrapping<T> {
  using type = std::make_unsigned_t<T>;
};

template <Op kOp, class T>
T combine(T x, T y) {
  using W = typename Wrapping<T>::type;
  W a = static_cast<W>(x), b = static_cast<W>(y);
  if constexpr (kOp == Op::kAdd) return static_cast<T>(a + b);
  if constexpr (kOp == Op::kSubtract) return static_cast<T>(a - b);
  if constexpr (kOp == Op::kMultiply) return static_cast<T>(a * b);
  if constexpr (kOp == Op::kDivide) return static_cast<T>(a / b);
}

// Several are read before the first of them is written: an output may be an input, but its elements
// share no bytes.
template <Op kOp, class T>
void combine_apart(const std::byte* const* inputs, const std::int64_t* steps, std::byte* output,
                   std::int64_t step, std::int64_t count) {
  constexpr int kTogether = 4;
  const std::byte *x = inputs[0], *y = inputs[1];
  const std::int64_t x_step = steps[0], y_step = steps[1];
  std::int64_t i = 0;
  for (; i + kTogether <= count; i += kTogether) {
    T results[kTogether];
    for (int k = 0; k < kTogether; ++k)
      results[k] = combine<kOp>(load<T>(x + k * x_step), load<T>(y + k * y_step));
    for (int k = 0; k < kTogether; ++k) store(output + k * step, results[k]);
    x += kTogether * x_step;
    y += kTogether * y_step;
    output += kTogether * step;
  }
  for (; i < count; ++i, x += x_step, y += y_step, output += step)
    store(output, combine<kOp>(load<T>(x), load<T>(y)));
}

// The parts of a complex number: one load, one store.
template <class T>
using Parts [[gnu::vector_size(2 * sizeof(T))]] = T;

void set_loop(KernelTable& table, Op op, DType dtype, StridedKernel kernel) {
  table.strided[static_cast<int>(op)][static_cast<int>(dtype)] = kernel;
}

template <class T>
void fill_sums(KernelTable& table, DType dtype) {
  set_loop(table, Op::kAdd, dtype, combine_apart<Op::kAdd, T>);
  set_loop(table, Op::kSubtract, dtype, combine_apart<Op::kSubtract, T>);
}

template <class T>
void fill_type(KernelTable& table, DType dtype) {
  fill_sums<T>(table, dtype);
  set_loop(table, Op::kMultiply, dtype, combine_apart<Op::kMultiply, T>);
  if constexpr (std::is_floating_point_v<T>)
    set_loop(table, Op::kDivide, dtype, combine_apart<Op::kDivide, T>);
}

}  // namespace

void fill_strided(KernelTable& table) {
  fill_type<double>(table, DType::kFloat64);
  fill_type<float>(table, DType::kFloat32);
  fill_sums<Parts<double>>(table, DType::kComplex128);
  fill_sums<Parts<float>>(table, DType::kComplex64);
  fill_type<std::int64_t>(table, DType::kInt64);
  fill_type<std::int32_t>(table, DType::kInt32);
  fill_type<std::uint8_t>(table, DType::kUInt8);
}

}  // namespace strider::nd::STRIDER_TARGET
