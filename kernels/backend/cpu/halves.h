// Rows of halves to floats and back, by the processor's own conversion where it has one.
#pragma once

#include <strider/nd/half.h>

#include <cstdint>

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace strider::nd::STRIDER_TARGET {

inline void widen_halves(const Half* from, float* to, std::int64_t count) {
  std::int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    _mm256_storeu_ps(to + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  }
#endif
  for (; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

// Rounds to nearest even; overflow is noted in the processor's status.
inline void narrow_floats(const float* from, Half* to, std::int64_t count) {
  std::int64_t i = 0;
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
  }
  for (; i < count; ++i) {
    to[i].bits = static_cast<std::uint16_t>(
        _mm_extract_epi16(_mm_cvtps_ph(_mm_set_ss(from[i]), _MM_FROUND_TO_NEAREST_INT), 0));
  }
#endif
  for (; i < count; ++i) to[i] = Half(from[i]);
}

}  // namespace strider::nd::STRIDER_TARGET
