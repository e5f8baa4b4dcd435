// Kernels of floats scaled by powers of two, taken apart and stepped, where vectors do better than
// the rows' expressions. Knows no shapes.
#include <strider/nd/floating_errors.h>

#include <limits>
#include <type_traits>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/instructions/division.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace strider::nd::STRIDER_TARGET {
namespace {

// A float's bits as an integer, and those of infinity and of the smallest normal number.
template <class T>
struct Step {
  using Bits = std::make_signed_t<typename Layout<T>::Bits>;
  static constexpr Bits kInfinity = Layout<T>::kExponents,
                        kNormal = Bits{1} << Layout<T>::kFraction;
};
template <>
struct Step<Half> {
  using Bits = std::int16_t;
  static constexpr Bits kInfinity = 0x7c00, kNormal = 0x0400;
};

// std::nextafter of the C library, in integers, which raise no conditions of their own: those are
// told by what numbers become. NumPy's of halves have one NaN, keep the first of equal zeros, and
// call nothing an underflow.
template <class T>
void step_each(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  using Bits = typename Step<T>::Bits;
  constexpr bool kHalf = std::is_same_v<T, Half>;
  constexpr Bits kSign = std::numeric_limits<Bits>::min(), kSize = std::numeric_limits<Bits>::max();
  constexpr Bits kInfinity = Step<T>::kInfinity, kNormal = Step<T>::kNormal, kQuiet = kNormal >> 1;
  auto* x = reinterpret_cast<const Bits*>(inputs[0]);
  auto* y = reinterpret_cast<const Bits*>(inputs[1]);
  auto* out = reinterpret_cast<Bits*>(outputs[0]);
  Bits too_large = 0, too_small = 0;
#pragma GCC ivdep
  for (std::int64_t i = 0; i < count; ++i) {
    Bits from = x[i], to = y[i], size = from & kSize, size_to = to & kSize;
    Bits away = (from ^ to) < 0 ? Bits{0} : size_to;
    Bits next = static_cast<Bits>(from + (away > size ? Bits{1} : Bits{-1}));
    next = size == 0 ? static_cast<Bits>((to & kSign) | 1) : next;
    Bits stays = from == to ? to : next;
    stays = (size | size_to) == 0 ? (kHalf ? from : to) : stays;
    Bits none =
        static_cast<Bits>(kHalf ? kInfinity | kQuiet : (size > kInfinity ? from : to) | kQuiet);
    Bits larger = size > size_to ? size : size_to;
    Bits result = larger > kInfinity ? none : stays;
    // What neither stayed nor is NaN.
    Bits moved = result == next ? static_cast<Bits>(result & kSize) : kNormal;
    too_large |= moved == kInfinity ? Bits{1} : Bits{0};
    too_small |= moved < kNormal ? Bits{1} : Bits{0};
    out[i] = result;
  }
  std::uint8_t flags = (too_large ? FloatingErrors::kOverflow : 0) |
                       (too_small && !kHalf ? FloatingErrors::kUnderflow : 0);
  if (flags) raise_floating_errors({flags});
}

#if defined(__AVX512F__)

inline __mmask8 lanes(std::int64_t count) { return static_cast<__mmask8>((1u << count) - 1); }

inline void scale_lanes(const double* x, const std::int64_t* power, double* out, __mmask8 which) {
  __m512d times = _mm512_maskz_cvtepi64_pd(which, _mm512_maskz_loadu_epi64(which, power));
  __m512d result = _mm512_maskz_scalef_pd(which, _mm512_maskz_loadu_pd(which, x), times);
  _mm512_mask_storeu_pd(out, which, result);
}
inline void scale_lanes(const float* x, const std::int64_t* power, float* out, __mmask8 which) {
  __m256 times = _mm512_maskz_cvtepi64_ps(which, _mm512_maskz_loadu_epi64(which, power));
  __m256 result = _mm256_maskz_scalef_ps(which, _mm256_maskz_loadu_ps(which, x), times);
  _mm256_mask_storeu_ps(out, which, result);
}

template <class T>
void scale_each(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  auto* x = reinterpret_cast<const T*>(inputs[0]);
  auto* power = reinterpret_cast<const std::int64_t*>(inputs[1]);
  auto* out = reinterpret_cast<T*>(outputs[0]);
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) scale_lanes(x + i, power + i, out + i, 0xff);
  if (i < count) scale_lanes(x + i, power + i, out + i, lanes(count - i));
}

// Zeros, infinities and NaN are their own mantissa, with exponent 0.
constexpr int kNoDigits = 0x9f;

inline void part_lanes(const double* x, double* mantissa, std::int32_t* exponent, __mmask8 which) {
  __m512d number = _mm512_maskz_loadu_pd(which, x);
  __mmask8 digits = static_cast<__mmask8>(~_mm512_fpclass_pd_mask(number, kNoDigits));
  __m512d part =
      _mm512_mask_getmant_pd(number, digits, number, _MM_MANT_NORM_p5_1, _MM_MANT_SIGN_src);
  __m512d power = _mm512_add_pd(_mm512_maskz_getexp_pd(digits, number), _mm512_set1_pd(1));
  _mm512_mask_storeu_pd(mantissa, which, part);
  _mm256_mask_storeu_epi32(exponent, which, _mm512_maskz_cvtpd_epi32(digits, power));
}

inline void part_lanes(const float* x, float* mantissa, std::int32_t* exponent, __mmask8 which) {
  __m256 number = _mm256_maskz_loadu_ps(which, x);
  __mmask8 digits = static_cast<__mmask8>(~_mm256_fpclass_ps_mask(number, kNoDigits));
  __m256 part =
      _mm256_mask_getmant_ps(number, digits, number, _MM_MANT_NORM_p5_1, _MM_MANT_SIGN_src);
  __m256 power = _mm256_add_ps(_mm256_maskz_getexp_ps(digits, number), _mm256_set1_ps(1));
  _mm256_mask_storeu_ps(mantissa, which, part);
  _mm256_mask_storeu_epi32(exponent, which, _mm256_maskz_cvtps_epi32(digits, power));
}

template <class T>
void part_each(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count) {
  auto* x = reinterpret_cast<const T*>(inputs[0]);
  auto* mantissa = reinterpret_cast<T*>(outputs[0]);
  auto* exponent = reinterpret_cast<std::int32_t*>(outputs[1]);
  std::int64_t i = 0;
  for (; i + 8 <= count; i += 8) part_lanes(x + i, mantissa + i, exponent + i, 0xff);
  if (i < count) part_lanes(x + i, mantissa + i, exponent + i, lanes(count - i));
}

#endif

}  // namespace

void fill_scaling(KernelTable& table) {
  auto set = [&table](Op op, DType dtype, Kernel kernel) {
    table.loops[static_cast<int>(op)][static_cast<int>(dtype)] = kernel;
  };
  set(Op::kNextafter, DType::kFloat64, step_each<double>);
  set(Op::kNextafter, DType::kFloat32, step_each<float>);
  set(Op::kNextafter, DType::kFloat16, step_each<Half>);
#if defined(__AVX512F__)
  set(Op::kLdexp, DType::kFloat64, scale_each<double>);
  set(Op::kLdexp, DType::kFloat32, scale_each<float>);
  set(Op::kFrexp, DType::kFloat64, part_each<double>);
  set(Op::kFrexp, DType::kFloat32, part_each<float>);
#endif
}

}  // namespace strider::nd::STRIDER_TARGET
