// Kernels of the arithmetic rows: sums, products, rounding, extremes.
#define STRIDER_GROUP kArithmetic

#include "kernels/backend/cpu/loops.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace strider::nd::STRIDER_TARGET {

#if defined(__AVX512F__)
namespace {

// Complex products, four (eight) at a time; the same roundings as multiply().
void multiply_complex128(const std::byte* const* inputs, std::byte* const* outputs,
                         std::int64_t count) {
  auto* x = reinterpret_cast<const double*>(inputs[0]);
  auto* y = reinterpret_cast<const double*>(inputs[1]);
  auto* out = reinterpret_cast<double*>(outputs[0]);
  for (std::int64_t i = 0; i < 2 * count; i += 8) {
    auto lanes = static_cast<__mmask8>(2 * count - i >= 8 ? 0xff : (1 << (2 * count - i)) - 1);
    __m512d a = _mm512_maskz_loadu_pd(lanes, x + i), b = _mm512_maskz_loadu_pd(lanes, y + i);
    __m512d cross = _mm512_mul_pd(_mm512_permute_pd(a, 0xff), _mm512_permute_pd(b, 0x55));
    _mm512_mask_storeu_pd(out + i, lanes, _mm512_fmaddsub_pd(_mm512_movedup_pd(a), b, cross));
  }
}

void multiply_complex64(const std::byte* const* inputs, std::byte* const* outputs,
                        std::int64_t count) {
  auto* x = reinterpret_cast<const float*>(inputs[0]);
  auto* y = reinterpret_cast<const float*>(inputs[1]);
  auto* out = reinterpret_cast<float*>(outputs[0]);
  for (std::int64_t i = 0; i < 2 * count; i += 16) {
    auto lanes = static_cast<__mmask16>(2 * count - i >= 16 ? 0xffff : (1 << (2 * count - i)) - 1);
    __m512 a = _mm512_maskz_loadu_ps(lanes, x + i), b = _mm512_maskz_loadu_ps(lanes, y + i);
    __m512 cross = _mm512_mul_ps(_mm512_movehdup_ps(a), _mm512_permute_ps(b, 0xb1));
    _mm512_mask_storeu_ps(out + i, lanes, _mm512_fmaddsub_ps(_mm512_moveldup_ps(a), b, cross));
  }
}

template <Kernel kMultiply>
void square_complex(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  const std::byte* both[2] = {inputs[0], inputs[0]};
  kMultiply(both, outputs, count);
}

void fill_complex(KernelTable& table) {
  Kernel* products = table.loops[static_cast<int>(Op::kMultiply)];
  Kernel* squares = table.loops[static_cast<int>(Op::kSquare)];
  products[static_cast<int>(DType::kComplex64)] = multiply_complex64;
  products[static_cast<int>(DType::kComplex128)] = multiply_complex128;
  squares[static_cast<int>(DType::kComplex64)] = square_complex<multiply_complex64>;
  squares[static_cast<int>(DType::kComplex128)] = square_complex<multiply_complex128>;
}

}  // namespace
#endif

void fill_arithmetic(KernelTable& table) {
  STRIDER_GROUP::fill_group(table);
#if defined(__AVX512F__)
  fill_complex(table);
#endif
}

}  // namespace strider::nd::STRIDER_TARGET
