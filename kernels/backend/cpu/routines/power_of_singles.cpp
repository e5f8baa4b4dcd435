// Powers of single-precision numbers as a vector routine: y log2(x) in two of them, then two to
// that; at most 0.8 units in the last place off. What is not plain (zeros, infinities, NaN, numbers
// too small, roots of negative ones, results beyond normal numbers) is SLEEF's. Vectors of all
// lengths give the same bits. Knows no loops.
#if defined(__AVX2__)
#include <sleef.h>

#include "kernels/backend/cpu/routines/octave_parts.h"
#include "kernels/backend/cpu/routines/power.h"
#include "kernels/backend/cpu/routines/roots_of_two.h"

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

// Minus the logarithms to base 2 of kInverse in two parts, the first a multiple of 2^-15.
alignas(64) constexpr float kLogHigh[32] = {
    -0x1.f7a8p-2f, -0x1.d678p-2f, -0x1.b480p-2f, -0x1.91b8p-2f, -0x1.6e20p-2f, -0x1.6e20p-2f,
    -0x1.49a8p-2f, -0x1.2440p-2f, -0x1.fbc0p-3f, -0x1.fbc0p-3f, -0x1.acf0p-3f, -0x1.5c00p-3f,
    -0x1.5c00p-3f, -0x1.08c0p-3f, -0x1.6640p-4f, -0x1.6640p-4f, -0x1.6bc0p-5f, -0x1.6bc0p-5f,
    0x0.0p+0f,     0x0.0p+0f,     0x1.1bc0p-4f,  0x1.e0c0p-4f,  0x1.22e0p-3f,  0x1.8a90p-3f,
    0x1.bfc0p-3f,  0x1.16a0p-2f,  0x1.32c0p-2f,  0x1.4f70p-2f,  0x1.8a88p-2f,  0x1.a900p-2f,
    0x1.c818p-2f,  0x1.e7e0p-2f,
};
alignas(64) constexpr float kLogLow[32] = {
    -0x1.5a32c2p-20f, 0x1.60fe68p-17f,  0x1.408c78p-18f,  -0x1.d448f8p-17f, -0x1.0e6ce8p-17f,
    -0x1.0e6ce8p-17f, 0x1.ed0cbap-20f,  -0x1.eac382p-20f, -0x1.6b9026p-19f, -0x1.6b9026p-19f,
    -0x1.78b6d4p-17f, -0x1.a39fbep-19f, -0x1.a39fbep-19f, -0x1.62336ap-17f, 0x1.20a6dep-21f,
    0x1.20a6dep-21f,  0x1.2c8a72p-17f,  0x1.2c8a72p-17f,  0x0.0p+0f,        0x0.0p+0f,
    -0x1.9ab400p-17f, -0x1.ca2e1ap-17f, -0x1.48f554p-17f, -0x1.9fd502p-17f, 0x1.9ea000p-17f,
    -0x1.fd64e0p-17f, -0x1.1c8f12p-22f, -0x1.134c4ep-20f, 0x1.80abfcp-18f,  -0x1.a39fbep-20f,
    0x1.dc2d46p-18f,  -0x1.40358ep-19f,
};
// 1 / ln 2 in two parts, what it is divided by in the series of the logarithm, and powers of ln 2
// over factorials.
constexpr float kLog2High = 0x1.715476p+0f, kLog2Low = 0x1.4ae0c0p-26f;
constexpr float kLogTerms[] = {0x1.ec709ep-2f, -0x1.715476p-2f, 0x1.2776c6p-2f, -0x1.ec709ep-3f};
constexpr float kRootTerms[] = {0x1.62e430p-1f, 0x1.ebfbe0p-3f, 0x1.c6b08ep-5f};

#if defined(__AVX512F__)
#define STRIDER_POWER strider_pow_f16
#define STRIDER_USUAL_POWER Sleef_finz_powf16_u10avx512f
#else
#define STRIDER_POWER strider_pow_f8
#define STRIDER_USUAL_POWER Sleef_finz_powf8_u10avx2
#endif

struct OfSingles {
  using Number = float;
  using Real = Floats;
  static constexpr float kLeast = 0x1p-126f, kMost = 0x1.fffffep127f;
  static constexpr float kWhole = 0x1.8p23f, kMostExponent = 0x1p21f, kMostLog = 125,
                         kInfiniteLog = 129;

  // The logarithm to base 2 of a positive normal number; the low part is small beside the high one.
  static Parts<OfSingles> logarithm(Real x) {
    const auto [index, count, r] = OctaveParts(x);
    Real whole = count + find(kLogHigh, index);  // exact
    Real first = all(kLog2High) * r;
    Real first_low = fma(all(kLog2High), r, -first);
    Real square = r * r, square_low = fma(r, r, -square);
    Real half = all(0.5f * kLog2High) * square;
    Real half_low = fma(all(0.5f * kLog2High), square, -half);
    half_low = fma(all(0.5f * kLog2High), square_low, half_low);
    Real second = whole + first, second_low = (whole - second) + first;
    Real third = second - half, third_low = (second - third) - half;
    Real rest = fma(all(kLog2Low), r, find(kLogLow, index)) + (first_low - half_low);
    Real tail = fma(square * r, polynomial<4>(kLogTerms, r), rest);
    return {third, (second_low + third_low) + tail};
  }

  // Two to a power that is not beyond kMostLog, or that without so many octaves.
  template <int kOctaves = 0>
  static Real exponential(Parts<OfSingles> x) {
    Real moved = (x.high + x.low) + all(kThirtySeconds);
    Real r = (x.high - (moved - all(kThirtySeconds))) + x.low;
    Real grown = r * polynomial<3>(kRootTerms, r);
    return grow(moved - all(float(kOctaves)), grown);
  }
  static Real large_exponential(Parts<OfSingles> x) { return exponential<8>(x) * all(0x1p8f); }

  static Real usual(Real x, Real y) { return STRIDER_USUAL_POWER(x, y); }
};

}  // namespace

extern "C" Floats STRIDER_POWER(Floats x, Floats y) { return power<OfSingles>(x, y); }

#undef STRIDER_POWER
#undef STRIDER_USUAL_POWER
#endif
