// Powers of doubles as a vector routine: y log(x) in two doubles, then its exponential; at most 0.6
// units in the last place off. What is not plain (zeros, infinities, NaN, numbers too small, roots
// of negative ones, results beyond normal numbers) is SLEEF's. Only operations that IEEE 754
// rounds, so that vectors of all lengths give the same bits. Knows no loops.
#if defined(__AVX2__)
#include <sleef.h>

#include "kernels/backend/cpu/routines/octaves_of_doubles.h"
#include "kernels/backend/cpu/routines/power.h"
#include "kernels/backend/cpu/routines/roots_of_two.h"

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

#if defined(__AVX512F__)
#define STRIDER_POWER strider_pow_d8
#define STRIDER_USUAL_POWER Sleef_finz_powd8_u10avx512f
#else
#define STRIDER_POWER strider_pow_d4
#define STRIDER_USUAL_POWER Sleef_finz_powd4_u10avx2
#endif

struct OfDoubles {
  using Number = double;
  using Real = Doubles;
  static constexpr double kLeast = 0x1p-1022, kMost = 0x1.fffffffffffffp1023;
  static constexpr double kWhole = 0x1.8p52, kMostExponent = 0x1p30, kMostLog = 700,
                          kInfiniteLog = 710;

  // The logarithm of a positive normal number: 1 + r has its terms up to r^3 in two parts each,
  // because large exponents multiply what is lost of them.
  static Parts<OfDoubles> logarithm(Real x) {
    constexpr double kTerms[] = {-1. / 4,  1. / 5,  -1. / 6,  1. / 7,  -1. / 8,  1. / 9,
                                 -1. / 10, 1. / 11, -1. / 12, 1. / 13, -1. / 14, 1. / 15};
    constexpr double kTwoThirds = 2. / 3, kTwoThirdsLow = 0x1.5555555555555p-55;
    const OctavesOfDoubles octaves(x);
    Real r = octaves.r;
    Real whole = fma(octaves.count, all(kLn2OfDoubleHigh), find(kLogOfDoubleHigh, octaves.index));
    Real rest = fma(octaves.count, all(kLn2OfDoubleLow), find(kLogOfDoubleLow, octaves.index));
    Real half = all(0.5) * r, square = half * r, square_low = fma(half, r, -square);
    Real cube = square * r, cube_low = fma(square_low, r, fma(square, r, -cube));
    Real part = cube * all(kTwoThirds), part_low = fma(cube, all(kTwoThirds), -part);
    part_low += fma(cube, all(kTwoThirdsLow), cube_low * all(kTwoThirds));
    Real first = whole + r, first_low = (whole - first) + r;
    Real second = first - square, second_low = (first - second) - square;
    Real third = second + part, third_low = (second - third) + part;
    Real tail = fma(square * square * all(4.0), polynomial<12>(kTerms, r), rest - square_low);
    Real low = ((first_low + second_low) + (third_low + part_low)) + tail;
    Real high = third + low;
    return {high, (third - high) + low};
  }

  // The exponential of a number that is not beyond kMostLog, or that without so many octaves.
  template <int kOctaves = 0>
  static Real exponential(Parts<OfDoubles> x) {
    constexpr double kTerms[] = {1. / 2,   1. / 6,    1. / 24,   1. / 120,
                                 1. / 720, 1. / 5040, 1. / 40320};
    Real moved = fma(x.high, all(kSteps), all(kWhole)), steps = moved - all(kWhole);
    Real r = fma(steps, all(-kStepHigh), x.high) + fma(steps, all(-kStepLow), x.low);
    const PowerOfTwo power(moved - all(16.0 * kOctaves));
    Real grown = fma(r * r, polynomial<7>(kTerms, r), r + power.low);
    return fma(power.high, grown, power.high);
  }
  static Real large_exponential(Parts<OfDoubles> x) { return exponential<8>(x) * all(0x1p8); }

  static Real usual(Real x, Real y) { return STRIDER_USUAL_POWER(x, y); }
};

}  // namespace

extern "C" Doubles STRIDER_POWER(Doubles x, Doubles y) { return power<OfDoubles>(x, y); }

#undef STRIDER_POWER
#undef STRIDER_USUAL_POWER
#endif
