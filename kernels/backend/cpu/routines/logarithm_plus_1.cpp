// log(1 + x) as a vector routine for numbers of all sizes: SLEEF's own says infinity of the largest
// ones and nothing of the smallest. Of those the logarithm is that of x itself, of these x. Knows
// no loops.
#if defined(__AVX2__)
#include <sleef.h>

#include "kernels/backend/cpu/routines/lanes.h"

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

// `usual`: log(1 + x) of numbers from `least` to `most`.
template <class Vector, class Number, class Usual, class Log>
Vector log_plus_1(Vector x, Number least, Number most, Usual usual, Log log) {
  auto plain =
      both(compare<_CMP_NGT_UQ>(x, all(most)), compare<_CMP_NLT_UQ>(magnitude(x), all(least)));
  if (everywhere(plain)) return usual(x);
  auto large = compare<_CMP_GT_OQ>(x, all(most));
  Vector other = choose(large, log(choose(large, x, all(Number{1}))), x);
  return choose(plain, usual(choose(plain, x, all(Number{0}))), other);
}

}  // namespace

#if defined(__AVX512F__)
extern "C" Doubles strider_log1p_d8(Doubles x) {
  return log_plus_1(x, 0x1p-1000, 0x1p1000, Sleef_finz_log1pd8_u10avx512f,
                    Sleef_finz_logd8_u10avx512f);
}
#else
extern "C" Doubles strider_log1p_d4(Doubles x) {
  return log_plus_1(x, 0x1p-1000, 0x1p1000, Sleef_finz_log1pd4_u10avx2, Sleef_finz_logd4_u10avx2);
}

extern "C" Floats strider_log1p_f8(Floats x) {
  return log_plus_1(x, 0x1p-100f, 0x1p100f, Sleef_finz_log1pf8_u10avx2, Sleef_finz_logf8_u10avx2);
}
#endif
#endif
