// log(1 + x) of float32 as a vector routine for numbers of all sizes: SLEEF's own says infinity of
// the largest ones and nothing of the smallest. Of those the logarithm is that of x itself, of
// these x. Knows no loops.
#if defined(__AVX2__) && !defined(__AVX512F__)
#include <sleef.h>

#include "kernels/backend/cpu/routines/lanes.h"

extern "C" __m256 strider_log1p_f8(__m256 x) {
  using namespace strider::nd::STRIDER_TARGET::lanes;
  constexpr float kLeast = 0x1p-100f, kMost = 0x1p100f;
  auto plain =
      both(compare<_CMP_NGT_UQ>(x, all(kMost)), compare<_CMP_NLT_UQ>(magnitude(x), all(kLeast)));
  if (everywhere(plain)) return Sleef_finz_log1pf8_u10avx2(x);
  auto large = compare<_CMP_GT_OQ>(x, all(kMost));
  Floats other = choose(large, Sleef_finz_logf8_u10avx2(choose(large, x, all(1.0f))), x);
  return choose(plain, Sleef_finz_log1pf8_u10avx2(choose(plain, x, all(0.0f))), other);
}
#endif
