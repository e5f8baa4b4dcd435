// Products by plain loops, a row of b at a time so that the compiler vectorises them.
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>

#include "kernels/core/unaligned.h"
#include "kernels/linalg/product.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kDepth = 128;     // rows of b kept in cache
constexpr std::int64_t kWidth = 2048;    // columns of b kept in cache
constexpr std::int64_t kGrain = 200000;  // multiplications worth a thread

template <class T>
void add_multiple(T* to, T factor, const T* row, std::int64_t count) {
  if constexpr (std::is_same_v<T, bool>) {
    if (factor)
      for (std::int64_t j = 0; j < count; ++j) to[j] = to[j] | row[j];
  } else {
    for (std::int64_t j = 0; j < count; ++j) to[j] = static_cast<T>(to[j] + factor * row[j]);
  }
}

// The matrix packed row by row (itself when it already is).
template <class T>
class Packed {
 public:
  explicit Packed(const Matrix& m) {
    constexpr auto kItem = static_cast<std::int64_t>(sizeof(T));
    bool packed = (m.columns == 1 || m.column_stride == kItem) &&
                  (m.rows == 1 || m.row_stride == kItem * m.columns);
    if (packed) {
      at_ = reinterpret_cast<const T*>(m.at);
      return;
    }
    own_.reset(new T[static_cast<std::size_t>(m.rows * m.columns)]);
    T* to = own_.get();
    for (std::int64_t i = 0; i < m.rows; ++i)
      for (std::int64_t j = 0; j < m.columns; ++j)
        *to++ = load<T>(m.at + i * m.row_stride + j * m.column_stride);
    at_ = own_.get();
  }
  const T* at() const { return at_; }

 private:
  std::unique_ptr<T[]> own_;
  const T* at_ = nullptr;
};

template <class T>
void multiply_rows(const Matrix& a, const T* b, std::int64_t columns, std::int64_t begin,
                   std::int64_t end, T* out) {
  std::int64_t depth = a.columns;
  for (std::int64_t left = 0; left < columns; left += kWidth)
    for (std::int64_t top = 0; top < depth; top += kDepth) {
      if (interrupt_requested()) return;
      std::int64_t width = std::min(kWidth, columns - left), bottom = std::min(top + kDepth, depth);
      for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t k = top; k < bottom; ++k) {
          T factor = load<T>(a.at + i * a.row_stride + k * a.column_stride);
          add_multiple(out + i * columns + left, factor, b + k * columns + left, width);
        }
    }
}

// A row of `a` with a packed column.
template <class T>
T multiply_row(const std::byte* row, std::int64_t step, const T* column, std::int64_t count) {
  T sum{};
  auto add = [&](T x, T y) {
    if constexpr (std::is_same_v<T, bool>)
      sum = sum | (x & y);
    else
      sum = static_cast<T>(sum + x * y);
  };
  if (step == sizeof(T)) {
    auto* packed = reinterpret_cast<const T*>(row);
    for (std::int64_t k = 0; k < count; ++k) add(packed[k], column[k]);
  } else {
    for (std::int64_t k = 0; k < count; ++k) add(load<T>(row + k * step), column[k]);
  }
  return sum;
}

template <class T>
void multiply_column(const Matrix& a, const T* column, T* out) {
  std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread(kGrain) / a.columns);
  parallel_for(a.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end && !interrupt_requested(); ++i)
      out[i] = multiply_row(a.at + i * a.row_stride, a.column_stride, column, a.columns);
  });
  check_interrupt();
}

template <class T>
void multiply(const Matrix& a, const Matrix& b, T* out) {
  std::fill_n(out, a.rows * b.columns, T{});
  if (a.columns == 0 || b.columns == 0) return;
  Packed<T> packed(b);
  if (b.columns == 1) return multiply_column(a, packed.at(), out);
  std::int64_t grain = std::max<std::int64_t>(1, worth_a_thread(kGrain) / (a.columns * b.columns));
  parallel_for(a.rows, grain, [&](std::int64_t begin, std::int64_t end) {
    multiply_rows(a, packed.at(), b.columns, begin, end, out);
  });
  check_interrupt();
}

}  // namespace

void multiply_by_loops(DType dtype, const Matrix& a, const Matrix& b, std::byte* out) {
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, bool> || !std::is_integral_v<T>) {
      if constexpr (!std::is_same_v<T, Half>) multiply(a, b, reinterpret_cast<T*>(out));
    } else {  // wrapping products have the same bits for signed and unsigned integers
      using Wrapping = std::make_unsigned_t<T>;
      multiply(a, b, reinterpret_cast<Wrapping*>(out));
    }
  });
}

}  // namespace strider::nd
