// Products of small matrices, held in registers, for one instruction set.
#include "kernels/backend/cpu/small_product.h"

#include <cmath>

#include "kernels/core/unaligned.h"

namespace strider::nd::STRIDER_TARGET {
namespace {

#if defined(__FMA__)

template <class T, int kDepth, int kColumns>
struct Right {
  T at[kDepth][kColumns];

  [[gnu::always_inline]] Right(const std::byte* from, std::int64_t row, std::int64_t column) {
#pragma GCC unroll 4
    for (int k = 0; k < kDepth; ++k)
#pragma GCC unroll 4
      for (int j = 0; j < kColumns; ++j) at[k][j] = load<T>(from + k * row + j * column);
  }
};

// Every sum begins with the first product, as in BLAS.
template <class T, int kDepth, int kColumns>
[[gnu::always_inline]] inline void multiply_row(const std::byte* row, std::int64_t step,
                                                const Right<T, kDepth, kColumns>& right, T* out) {
  T sums[kColumns] = {};
#pragma GCC unroll 4
  for (int k = 0; k < kDepth; ++k) {
    T factor = load<T>(row + k * step);
#pragma GCC unroll 4
    for (int j = 0; j < kColumns; ++j) sums[j] = std::fma(factor, right.at[k][j], sums[j]);
  }
#pragma GCC unroll 4
  for (int j = 0; j < kColumns; ++j) out[j] = sums[j];
}

template <class T, int kDepth, int kColumns>
void multiply(const SmallProducts<T>& p) {
  T* out = p.out;
  for (std::int64_t n = 0; n < p.count; ++n) {
    Right<T, kDepth, kColumns> right(p.pairs[n].b, p.row_b, p.column_b);
    for (std::int64_t i = 0; i < p.rows; ++i, out += kColumns)
      multiply_row(p.pairs[n].a + i * p.row_a, p.column_a, right, out);
  }
}

template <class T, int kDepth>
void multiply_depth(const SmallProducts<T>& p) {
  switch (p.columns) {
    case 2:
      return multiply<T, kDepth, 2>(p);
    case 3:
      return multiply<T, kDepth, 3>(p);
    default:
      return multiply<T, kDepth, 4>(p);
  }
}

template <class T>
void multiply_any(const SmallProducts<T>& p) {
  switch (p.depth) {
    case 2:
      return multiply_depth<T, 2>(p);
    case 3:
      return multiply_depth<T, 3>(p);
    default:
      return multiply_depth<T, 4>(p);
  }
}

#endif

}  // namespace

void fill_small_product([[maybe_unused]] SmallProductKernel<float>*& kernel) {
#if defined(__FMA__)
  kernel = multiply_any<float>;
#endif
}

void fill_small_product([[maybe_unused]] SmallProductKernel<double>*& kernel) {
#if defined(__FMA__)
  kernel = multiply_any<double>;
#endif
}

}  // namespace strider::nd::STRIDER_TARGET
