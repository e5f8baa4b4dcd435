// Exponentials of doubles, of e and of 2, as vector routines, at most 0.6 units in the last place
// off. What is not plain (infinities, NaN, results beyond normal numbers) is SLEEF's. Only
// operations that IEEE 754 rounds, so that vectors of all lengths give the same bits. Knows no
// loops.
#if defined(__AVX2__)
#include "kernels/backend/cpu/routines/exponentials_of_doubles.h"

#include <sleef.h>

#if defined(__AVX512F__)
#define STRIDER_NAME(name) strider_##name##_d8
#define STRIDER_USUAL(name) Sleef_finz_##name##d8_u10avx512f
#else
#define STRIDER_NAME(name) strider_##name##_d4
#define STRIDER_USUAL(name) Sleef_finz_##name##d4_u10avx2
#endif

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

// Where results are normal numbers.
inline DoublesTruth plain_power_of_e(Doubles x) {
  return compare<_CMP_LE_OQ>(magnitude(x), all(708.0));
}
inline DoublesTruth plain_power_of_2(Doubles x) {
  return compare<_CMP_LE_OQ>(magnitude(x), all(1022.0));
}

// Where some are not.
__attribute__((noinline)) Doubles any_power_of_e(Doubles x, Doubles result) {
  return choose(plain_power_of_e(x), result, STRIDER_USUAL(exp)(x));
}
__attribute__((noinline)) Doubles any_power_of_2(Doubles x, Doubles result) {
  return choose(plain_power_of_2(x), result, STRIDER_USUAL(exp2)(x));
}

}  // namespace

extern "C" Doubles STRIDER_NAME(exp)(Doubles x) {
  Doubles result = power_of_e(x);
  return everywhere(plain_power_of_e(x)) ? result : any_power_of_e(x, result);
}

extern "C" Doubles STRIDER_NAME(exp2)(Doubles x) {
  Doubles result = power_of_2(x);
  return everywhere(plain_power_of_2(x)) ? result : any_power_of_2(x, result);
}

#undef STRIDER_NAME
#undef STRIDER_USUAL
#endif
