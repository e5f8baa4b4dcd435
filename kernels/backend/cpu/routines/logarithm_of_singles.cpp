// The logarithm of single-precision numbers as a vector routine, at most 0.6 units in the last
// place off. What is not plain (zeros, negative numbers, infinities, NaN, numbers too small) is
// SLEEF's. Vectors of all lengths give the same bits. Knows no loops.
#if defined(__AVX2__)
#include <sleef.h>

#include "kernels/backend/cpu/routines/octave_parts.h"

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

// Minus the logarithms of kInverse in two parts, the first a multiple of 2^-15.
alignas(64) constexpr float kLogHigh[32] = {
    -0x1.5d18p-2f, -0x1.4618p-2f, -0x1.2e9p-2f, -0x1.1678p-2f, -0x1.fb9p-3f, -0x1.fb9p-3f,
    -0x1.c9p-3f,   -0x1.952p-3f,  -0x1.5ffp-3f, -0x1.5ffp-3f,  -0x1.295p-3f, -0x1.e28p-4f,
    -0x1.e28p-4f,  -0x1.6fp-4f,   -0x1.f0cp-5f, -0x1.f0cp-5f,  -0x1.f8p-6f,  -0x1.f8p-6f,
    0x0.0p+0f,     0x0.0p+0f,     0x1.894p-5f,  0x1.4d4p-4f,   0x1.934p-4f,  0x1.118p-3f,
    0x1.366p-3f,   0x1.824p-3f,   0x1.a94p-3f,  0x1.d1p-3f,    0x1.1178p-2f, 0x1.2698p-2f,
    0x1.3c28p-2f,  0x1.5228p-2f,
};
alignas(64) constexpr float kLogLow[32] = {
    -0x1.edfacp-17f,  -0x1.78438cp-19f, 0x1.d451eep-18f,  0x1.1aa2a2p-17f,  -0x1.86d5e4p-19f,
    -0x1.86d5e4p-19f, 0x1.070cacp-20f,  -0x1.6a73d2p-17f, -0x1.83853cp-18f, -0x1.83853cp-18f,
    -0x1.4be08p-17f,  0x1.f123aap-17f,  0x1.f123aap-17f,  -0x1.a515cap-17f, 0x1.cf3feep-17f,
    0x1.cf3feep-17f,  -0x1.4d873cp-17f, -0x1.4d873cp-17f, 0x0.0p+0f,        0x0.0p+0f,
    0x1.54294p-18f,   -0x1.dd45cp-17f,  -0x1.43454ep-17f, -0x1.c5f76p-17f,  -0x1.a7f538p-22f,
    -0x1.f4d572p-18f, -0x1.2c3752p-19f, 0x1.bf932ap-18f,  0x1.d044fcp-19f,  -0x1.deecb2p-18f,
    -0x1.6c4666p-17f, 0x1.7039c6p-17f,
};
constexpr float kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f;

}  // namespace

#if defined(__AVX512F__)
#define STRIDER_LOG strider_log_f16
#define STRIDER_USUAL_LOG Sleef_finz_logf16_u10avx512f
#else
#define STRIDER_LOG strider_log_f8
#define STRIDER_USUAL_LOG Sleef_finz_logf8_u10avx2
#endif

extern "C" Floats STRIDER_LOG(Floats x) {
  constexpr float kTerms[] = {-1.f / 2, 1.f / 3, -1.f / 4, 1.f / 5, -1.f / 6};
  const auto [index, count, r] = OctaveParts(x);
  Floats whole = fma(count, all(kLn2High), find(kLogHigh, index));  // exact
  Floats rest = fma(count, all(kLn2Low), find(kLogLow, index));
  Floats high = whole + r, low = (whole - high) + r;
  Floats result = high + (low + fma(r * r, polynomial<5>(kTerms, r), rest));
  auto plain =
      both(compare<_CMP_GE_OQ>(x, all(0x1p-126f)), compare<_CMP_LE_OQ>(x, all(0x1.fffffep127f)));
  return everywhere(plain) ? result : choose(plain, result, STRIDER_USUAL_LOG(x));
}

#undef STRIDER_LOG
#undef STRIDER_USUAL_LOG
#endif
