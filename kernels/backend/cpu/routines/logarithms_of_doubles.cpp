// Logarithms of doubles, to bases e, 2 and 10 and of numbers beyond 1, as vector routines, at most
// 0.6 units in the last place off. What is not plain (zeros, negative numbers, infinities, NaN,
// numbers too small) is SLEEF's. Only operations that IEEE 754 rounds, so that vectors of all
// lengths give the same bits. Knows no loops.
#if defined(__AVX2__)
#include "kernels/backend/cpu/routines/logarithms_of_doubles.h"

#include <sleef.h>

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

}  // namespace

#if defined(__AVX512F__)
#define STRIDER_NAME(name) strider_##name##_d8
#define STRIDER_USUAL(name) Sleef_finz_##name##d8_u10avx512f
#else
#define STRIDER_NAME(name) strider_##name##_d4
#define STRIDER_USUAL(name) Sleef_finz_##name##d4_u10avx2
#endif

// A logarithm, and that of numbers of which some are not plain.
#define STRIDER_LOGARITHM(name, Base)                                              \
  static __attribute__((noinline)) Doubles any_##name(Doubles x, Doubles result) { \
    return choose(positive_normal(x), result, STRIDER_USUAL(name)(x));             \
  }                                                                                \
  extern "C" Doubles STRIDER_NAME(name)(Doubles x) {                               \
    Doubles result = logarithm<Base>(x);                                           \
    return everywhere(positive_normal(x)) ? result : any_##name(x, result);        \
  }
STRIDER_LOGARITHM(log, Natural)
STRIDER_LOGARITHM(log2, ToBase2)
STRIDER_LOGARITHM(log10, ToBase10)

namespace {

inline DoublesTruth plain_beyond_1(Doubles x) {
  return both(compare<_CMP_GT_OQ>(x, all(-1.0)), compare<_CMP_LT_OQ>(x, all(0x1p1000)));
}

// SLEEF's is infinite for large numbers.
__attribute__((noinline)) Doubles any_log1p(Doubles x, Doubles result) {
  Doubles usual =
      choose(compare<_CMP_GE_OQ>(x, all(0x1p1000)), STRIDER_NAME(log)(x), STRIDER_USUAL(log1p)(x));
  return choose(plain_beyond_1(x), result, usual);
}

}  // namespace

// Of 1 + x. The sign is that of x, also of its zeros.
extern "C" Doubles STRIDER_NAME(log1p)(Doubles x) {
  Doubles one = all(1.0);
  auto beyond = compare<_CMP_GT_OQ>(x, one);
  Doubles sum = x + one;
  Doubles lost = choose(beyond, one, x) - (sum - choose(beyond, x, one));
  Doubles result = real(bits(logarithm_of_sum(sum, lost)) | sign(x));
  return everywhere(plain_beyond_1(x)) ? result : any_log1p(x, result);
}

#undef STRIDER_LOGARITHM
#undef STRIDER_NAME
#undef STRIDER_USUAL
#endif
