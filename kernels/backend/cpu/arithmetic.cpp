// Kernels of the arithmetic rows: sums, products, rounding, extremes.
#define STRIDER_GROUP kArithmetic

#include <cstring>

#include "kernels/backend/cpu/loops.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace strider::nd::STRIDER_TARGET {
namespace {

// Two bytes, wherever they lie.
using BytePair __attribute__((may_alias, aligned(1))) = std::uint16_t;

// Products of bytes, two in a number of 16 bits, which processors multiply.
void multiply_bytes(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  const BytePair* x = reinterpret_cast<const BytePair*>(inputs[0]);
  const BytePair* y = reinterpret_cast<const BytePair*>(inputs[1]);
  BytePair* out = reinterpret_cast<BytePair*>(outputs[0]);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count / 2; ++i) {
    std::uint16_t a = x[i], b = y[i];
    auto low = static_cast<std::uint16_t>(a * b), second = static_cast<std::uint16_t>(a >> 8);
    auto high = static_cast<std::uint16_t>(second * (b & 0xff00));
    out[i] = static_cast<std::uint16_t>((low & 0xff) | high);
  }
  if (count % 2) {
    auto last = std::to_integer<unsigned>(inputs[0][count - 1]) *
                std::to_integer<unsigned>(inputs[1][count - 1]);
    outputs[0][count - 1] = static_cast<std::byte>(last);
  }
}

void square_bytes(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  const std::byte* both[2] = {inputs[0], inputs[0]};
  multiply_bytes(both, outputs, count);
}

// Halves whose sign bits are kept by one mask and changed by another.
template <std::uint16_t kKept, std::uint16_t kChanged>
void sign_halves(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  auto* x = reinterpret_cast<const std::uint16_t*>(inputs[0]);
  auto* out = reinterpret_cast<std::uint16_t*>(outputs[0]);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i)
    out[i] = static_cast<std::uint16_t>((x[i] & kKept) ^ kChanged);
}

void fill_small(KernelTable& table) {
  auto place = [&table](Op op, DType dtype) -> Kernel& {
    return table.loops[static_cast<int>(op)][static_cast<int>(dtype)];
  };
  for (DType dtype : {DType::kInt8, DType::kUInt8}) {
    place(Op::kMultiply, dtype) = multiply_bytes;
    place(Op::kSquare, dtype) = square_bytes;
  }
  place(Op::kAbsolute, DType::kFloat16) = sign_halves<0x7fff, 0>;
  place(Op::kFabs, DType::kFloat16) = sign_halves<0x7fff, 0>;
  place(Op::kNegative, DType::kFloat16) = sign_halves<0xffff, 0x8000>;
}

}  // namespace

#if defined(__AVX2__)
namespace {

// Complex products, a vector at a time; the same roundings as multiply().
#if defined(__AVX512F__)
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

#else
inline __m256d multiply_pairs(__m256d a, __m256d b) {
  __m256d cross = _mm256_mul_pd(_mm256_permute_pd(a, 0xf), _mm256_permute_pd(b, 0x5));
  return _mm256_fmaddsub_pd(_mm256_movedup_pd(a), b, cross);
}
inline __m256 multiply_pairs(__m256 a, __m256 b) {
  __m256 cross = _mm256_mul_ps(_mm256_movehdup_ps(a), _mm256_permute_ps(b, 0xb1));
  return _mm256_fmaddsub_ps(_mm256_moveldup_ps(a), b, cross);
}

// Elements behind the last whole vector go through one that is filled up with zeros.
template <class Vector, class T>
void multiply_complex(const std::byte* const* inputs, std::byte* const* outputs,
                      std::int64_t count) {
  auto product = [&](std::int64_t at, std::size_t size) {
    Vector a = {}, b = {};
    std::memcpy(&a, inputs[0] + at, size);
    std::memcpy(&b, inputs[1] + at, size);
    a = multiply_pairs(a, b);
    std::memcpy(outputs[0] + at, &a, size);
  };
  std::int64_t bytes = count * std::int64_t{2 * sizeof(T)}, at = 0;
  constexpr std::int64_t kSize = sizeof(Vector);
  for (; at + kSize <= bytes; at += kSize) product(at, kSize);
  if (at < bytes) product(at, static_cast<std::size_t>(bytes - at));
}

constexpr Kernel multiply_complex128 = multiply_complex<__m256d, double>;
constexpr Kernel multiply_complex64 = multiply_complex<__m256, float>;
#endif

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
  fill_small(table);
#if defined(__AVX2__)
  fill_complex(table);
#endif
}

}  // namespace strider::nd::STRIDER_TARGET
