// The exponential of single-precision numbers as a vector routine, at most 0.6 units in the last
// place off. What is not plain (infinities, NaN, results beyond normal numbers) is
// SLEEF's. Only operations that IEEE 754 rounds, so that vectors of all lengths give the same bits.
// Knows no loops.
#if defined(__AVX2__)
#include <sleef.h>

#include "kernels/backend/cpu/routines/roots_of_two.h"

#if defined(__AVX512F__)
#define STRIDER_EXP strider_exp_f16
#define STRIDER_USUAL_EXP Sleef_finz_expf16_u10avx512f
#else
#define STRIDER_EXP strider_exp_f8
#define STRIDER_USUAL_EXP Sleef_finz_expf8_u10avx2
#endif

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

// Where results are normal numbers.
inline FloatsTruth plain_power_of_e(Floats x) {
  return compare<_CMP_LE_OQ>(magnitude(x), all(87.0f));
}

// Where some are not.
__attribute__((noinline)) Floats any_power_of_e(Floats x, Floats result) {
  return choose(plain_power_of_e(x), result, STRIDER_USUAL_EXP(x));
}

}  // namespace

extern "C" Floats STRIDER_EXP(Floats x) {
  // ln 2 / 32 in two parts, and its inverse.
  constexpr float kStepHigh = 0x1.62e4p-6f, kStepLow = 0x1.7f7d1cp-25f, kSteps = 0x1.715476p+5f;
  constexpr float kWhole = 0x1.8p23f;
  // (exp(r) - 1 - r) / r^2
  constexpr float kTerms[] = {0x1.00008cp-1f, 0x1.5552bcp-3f};
  Floats moved = fma(x, all(kSteps), all(kWhole)), steps = moved - all(kWhole);
  Floats r = less(steps, all(kStepLow), less(steps, all(kStepHigh), x));
  Floats result = grow(moved, fma(r * r, polynomial<2>(kTerms, r), r));
  return everywhere(plain_power_of_e(x)) ? result : any_power_of_e(x, result);
}

#undef STRIDER_EXP
#undef STRIDER_USUAL_EXP
#endif
