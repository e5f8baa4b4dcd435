// The vector routines of exponentials of doubles. What is not plain (infinities, NaN, results
// beyond normal numbers) is SLEEF's. Knows no loops.
#if defined(__AVX2__)
#include "kernels/backend/cpu/routines/exponentials_of_doubles.h"

#include "kernels/backend/cpu/routines/names.h"

namespace strider::nd::STRIDER_TARGET::lanes {

__attribute__((noinline)) Doubles any_power_of_e(Doubles x, Doubles result) {
  return choose(plain_power_of_e(x), result, STRIDER_USUAL(exp)(x));
}

__attribute__((noinline)) Doubles any_power_of_2(Doubles x, Doubles result) {
  return choose(plain_power_of_2(x), result, STRIDER_USUAL(exp2)(x));
}

}  // namespace strider::nd::STRIDER_TARGET::lanes

using namespace strider::nd::STRIDER_TARGET::lanes;

extern "C" Doubles STRIDER_NAME(exp)(Doubles x) { return exponential(x); }
extern "C" Doubles STRIDER_NAME(exp2)(Doubles x) { return exponential2(x); }

#undef STRIDER_NAME
#undef STRIDER_USUAL
#endif
