// The vector routines of logarithms of doubles. What is not plain is SLEEF's. Knows no loops.
#if defined(__AVX2__)
#include "kernels/backend/cpu/routines/logarithms_of_doubles.h"

#include "kernels/backend/cpu/routines/names.h"

namespace strider::nd::STRIDER_TARGET::lanes {

template <>
__attribute__((noinline)) Doubles any_logarithm<Natural>(Doubles x, Doubles result) {
  return choose(positive_normal(x), result, STRIDER_USUAL(log)(x));
}

template <>
__attribute__((noinline)) Doubles any_logarithm<ToBase2>(Doubles x, Doubles result) {
  return choose(positive_normal(x), result, STRIDER_USUAL(log2)(x));
}

template <>
__attribute__((noinline)) Doubles any_logarithm<ToBase10>(Doubles x, Doubles result) {
  return choose(positive_normal(x), result, STRIDER_USUAL(log10)(x));
}

// SLEEF's is infinite for large numbers.
__attribute__((noinline)) Doubles any_logarithm_beyond_1(Doubles x, Doubles result) {
  auto large = compare<_CMP_GE_OQ>(x, all(0x1p1000));
  Doubles usual = choose(large, logarithm<Natural>(x), STRIDER_USUAL(log1p)(x));
  return choose(plain_beyond_1(x), result, usual);
}

}  // namespace strider::nd::STRIDER_TARGET::lanes

using namespace strider::nd::STRIDER_TARGET::lanes;

extern "C" Doubles STRIDER_NAME(log)(Doubles x) { return logarithm<Natural>(x); }
extern "C" Doubles STRIDER_NAME(log2)(Doubles x) { return logarithm<ToBase2>(x); }
extern "C" Doubles STRIDER_NAME(log10)(Doubles x) { return logarithm<ToBase10>(x); }
extern "C" Doubles STRIDER_NAME(log1p)(Doubles x) { return logarithm_beyond_1(x); }

#undef STRIDER_NAME
#undef STRIDER_USUAL
#endif
