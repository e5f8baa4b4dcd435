// arcsinh and arccosh as vector routines of AVX2 for numbers of all sizes: SLEEF's square the
// number, so that large ones would overflow; these go through the logarithm of their double. Of
// small ones arcsinh is the number itself. Knows no loops.
#include "kernels/instructions/basic.h"

#if defined(__AVX2__) && !defined(__AVX512F__)
#include <immintrin.h>
#include <sleef.h>

namespace {

constexpr double kLn2 = 0.693147180559945309417232121458176568;
// Their squares are finite.
constexpr double kLarge64 = 0x1p511;
constexpr float kLarge32 = 0x1p63f;
// Their cubes are less than half a unit of theirs.
constexpr double kSmall64 = 0x1p-30;
constexpr float kSmall32 = 0x1p-14f;

}  // namespace

extern "C" {

__m256d strider_asinh_d4(__m256d x) {
  __m256d sign = _mm256_and_pd(x, _mm256_set1_pd(-0.0)), size = _mm256_xor_pd(x, sign);
  __m256d result = Sleef_finz_asinhd4_u10avx2(x);
  result = _mm256_blendv_pd(result, x, _mm256_cmp_pd(size, _mm256_set1_pd(kSmall64), _CMP_LT_OQ));
  __m256d large = _mm256_cmp_pd(size, _mm256_set1_pd(kLarge64), _CMP_GT_OQ);
  if (_mm256_movemask_pd(large) == 0) return result;
  __m256d log = _mm256_add_pd(Sleef_finz_logd4_u10avx2(size), _mm256_set1_pd(kLn2));
  return _mm256_blendv_pd(result, _mm256_or_pd(log, sign), large);
}

__m256d strider_acosh_d4(__m256d x) {
  __m256d result = Sleef_finz_acoshd4_u10avx2(x);
  __m256d large = _mm256_cmp_pd(x, _mm256_set1_pd(kLarge64), _CMP_GT_OQ);
  if (_mm256_movemask_pd(large) == 0) return result;
  __m256d log = _mm256_add_pd(Sleef_finz_logd4_u10avx2(x), _mm256_set1_pd(kLn2));
  return _mm256_blendv_pd(result, log, large);
}

__m256 strider_asinh_f8(__m256 x) {
  __m256 sign = _mm256_and_ps(x, _mm256_set1_ps(-0.0f)), size = _mm256_xor_ps(x, sign);
  __m256 result = Sleef_finz_asinhf8_u10avx2(x);
  result = _mm256_blendv_ps(result, x, _mm256_cmp_ps(size, _mm256_set1_ps(kSmall32), _CMP_LT_OQ));
  __m256 large = _mm256_cmp_ps(size, _mm256_set1_ps(kLarge32), _CMP_GT_OQ);
  if (_mm256_movemask_ps(large) == 0) return result;
  __m256 log = _mm256_add_ps(Sleef_finz_logf8_u10avx2(size), _mm256_set1_ps(float(kLn2)));
  return _mm256_blendv_ps(result, _mm256_or_ps(log, sign), large);
}

__m256 strider_acosh_f8(__m256 x) {
  __m256 result = Sleef_finz_acoshf8_u10avx2(x);
  __m256 large = _mm256_cmp_ps(x, _mm256_set1_ps(kLarge32), _CMP_GT_OQ);
  if (_mm256_movemask_ps(large) == 0) return result;
  __m256 log = _mm256_add_ps(Sleef_finz_logf8_u10avx2(x), _mm256_set1_ps(float(kLn2)));
  return _mm256_blendv_ps(result, log, large);
}

}  // extern "C"
#endif
