// sinh and cosh as vector routines of AVX2 for numbers of all sizes: SLEEF's are infinite where
// half of the exponential is not. There it is that of 1 less, times e / 2. Knows no loops.
#if defined(__AVX2__) && !defined(__AVX512F__)
#include <sleef.h>

#include "kernels/backend/cpu/routines/lanes.h"

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

constexpr double kHalfOfE = 1.35914091422952261768;
// Above these, half of the exponential is the result, and below both are right.
constexpr double kLarge64 = 500;
constexpr float kLarge32 = 60;

// `result` where numbers are not large; `exp` of the vector, and the sign that large ones get.
template <class Vector, class Number, class Exponential>
Vector complete(Vector result, Vector size, Vector sign, Number largest, Exponential exp) {
  auto large = compare<_CMP_GT_OQ>(size, all(largest));
  if (everywhere(compare<_CMP_NGT_UQ>(size, all(largest)))) return result;
  Vector half = exp(size - all(Number{1})) * all(static_cast<Number>(kHalfOfE));
  if constexpr (sizeof(Number) == sizeof(double))
    return choose(large, _mm256_or_pd(half, sign), result);
  else
    return choose(large, _mm256_or_ps(half, sign), result);
}

Doubles sign_of(Doubles x) { return _mm256_and_pd(x, all(-0.0)); }
Floats sign_of(Floats x) { return _mm256_and_ps(x, all(-0.0f)); }

}  // namespace

extern "C" {

Doubles strider_sinh_d4(Doubles x) {
  return complete(Sleef_finz_sinhd4_u10avx2(x), magnitude(x), sign_of(x), kLarge64,
                  Sleef_finz_expd4_u10avx2);
}
Doubles strider_cosh_d4(Doubles x) {
  return complete(Sleef_finz_coshd4_u10avx2(x), magnitude(x), all(0.0), kLarge64,
                  Sleef_finz_expd4_u10avx2);
}
Floats strider_sinh_f8(Floats x) {
  return complete(Sleef_finz_sinhf8_u10avx2(x), magnitude(x), sign_of(x), kLarge32,
                  Sleef_finz_expf8_u10avx2);
}
Floats strider_cosh_f8(Floats x) {
  return complete(Sleef_finz_coshf8_u10avx2(x), magnitude(x), all(0.0f), kLarge32,
                  Sleef_finz_expf8_u10avx2);
}

}  // extern "C"
#endif
