// Powers of doubles as a vector routine: y log(x) in two doubles, then its exponential; at most 0.6
// units in the last place off. What is not plain (zeros, infinities, NaN, numbers too small, roots
// of negative ones, results beyond normal numbers) is SLEEF's. Only operations that IEEE 754
// rounds, so that vectors of all lengths give the same bits. Knows no loops.
#if defined(__AVX2__)
#include <sleef.h>

#include "kernels/backend/cpu/routines/power.h"

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

// For sixteenths of [root of 1/2, root of 2): a short number near the reciprocal of the middle, and
// minus its logarithm in two parts, the first a multiple of 2^-42.
alignas(64) constexpr double kInverse[16] = {
    0x1.6p+0, 0x1.5p+0, 0x1.4p+0, 0x1.4p+0, 0x1.3p+0, 0x1.2p+0, 0x1.2p+0, 0x1.1p+0,
    0x1p+0,   0x1p+0,   0x1.ep-1, 0x1.cp-1, 0x1.bp-1, 0x1.9p-1, 0x1.8p-1, 0x1.7p-1,
};
alignas(64) constexpr double kLogHigh[16] = {
    -0x1.4618bc21c6p-2,
    -0x1.1675cababap-2,
    -0x1.c8ff7c79aap-3,
    -0x1.c8ff7c79aap-3,
    -0x1.5ff3070a7ap-3,
    -0x1.e27076e2bp-4,
    -0x1.e27076e2bp-4,
    -0x1.f0a30c0118p-5,
    0x0p+0,
    0x0p+0,
    0x1.08598b59e4p-4,
    0x1.1178e8227ep-3,
    0x1.5bf406b544p-3,
    0x1.f991c6cb3cp-3,
    0x1.269621134ep-2,
    0x1.522ae0738ap-2,
};
alignas(64) constexpr double kLogLow[16] = {
    0x1.3d82f484c84ccp-46,
    -0x1.8380e731f55c4p-44,
    0x1.7794f689f8434p-45,
    0x1.7794f689f8434p-45,
    0x1.8586f183bebf2p-44,
    0x1.a342c2af0003cp-45,
    0x1.a342c2af0003cp-45,
    0x1.d599e83368e91p-45,
    0x0p+0,
    0x0p+0,
    -0x1.7e5dd7009902cp-46,
    0x1.1ef78ce2d07f2p-45,
    -0x1.27023eb68981cp-46,
    -0x1.90d04cd7cc834p-44,
    -0x1.1b61f10522625p-44,
    0x1.ebe708164c759p-45,
};
alignas(64) constexpr double kRootHigh[16] = {
    0x1p+0,
    0x1.0b5586cf9890fp+0,
    0x1.172b83c7d517bp+0,
    0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0,
    0x1.3dea64c123422p+0,
    0x1.4bfdad5362a27p+0,
    0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0,
    0x1.7a11473eb0187p+0,
    0x1.8ace5422aa0dbp+0,
    0x1.9c49182a3f09p+0,
    0x1.ae89f995ad3adp+0,
    0x1.c199bdd85529cp+0,
    0x1.d5818dcfba487p+0,
    0x1.ea4afa2a490dap+0,
};
alignas(64) constexpr double kRootLow[16] = {
    0x0p+0,
    0x1.8a62e4adc610bp-54,
    -0x1.19041b9d78a76p-55,
    0x1.9b07eb6c70573p-54,
    0x1.6f46ad23182e4p-55,
    0x1.ada0911f09ebcp-55,
    0x1.d4397afec42e2p-56,
    0x1.6324c054647adp-54,
    -0x1.bdd3413b26456p-54,
    -0x1.41577ee04992fp-55,
    0x1.6e9f156864b27p-54,
    0x1.c7c46b071f2bep-56,
    0x1.7a1cd345dcc81p-54,
    0x1.11065895048ddp-55,
    0x1.2ed02d75b3707p-55,
    -0x1.e9c23179c2893p-54,
};
// 2^(j/16) in two parts are kRootHigh and kRootLow.
constexpr double kLn2High = 0x1.62e42fefa3800p-1, kLn2Low = 0x1.ef35793c76730p-45;
constexpr double kStepHigh = 0x1.62e42fefa39efp-5, kStepLow = 0x1.abc9e3b39803fp-60,
                 kSteps = 0x1.71547652b82fep+4;       // ln 2 / 16
constexpr std::uint64_t kFirst = 0x3fe6a09000000000;  // the root of 1/2

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
  static constexpr double kWhole = 0x1.8p52, kMostExponent = 0x1p30, kMostLog = 700;

  // The logarithm of a positive normal number.
  static Parts<OfDoubles> logarithm(Real x) {
    constexpr std::uint64_t kBias = std::uint64_t{1024} << 52;
    constexpr double kTerms[] = {1. / 3,   -1. / 4, 1. / 5,   -1. / 6, 1. / 7,   -1. / 8, 1. / 9,
                                 -1. / 10, 1. / 11, -1. / 12, 1. / 13, -1. / 14, 1. / 15};
    DoublesBits behind = bits(x) - kFirst;
    DoublesBits exponent = (behind + kBias) >> 52, index = behind >> 48;
    Real count = real(exponent | 0x4330000000000000) - all(0x1p52 + 1024);
    Real part = real(bits(x) - (exponent << 52) + kBias);
    Real r = fma(part, find(kInverse, index), all(-1.0));           // exact
    Real whole = fma(count, all(kLn2High), find(kLogHigh, index));  // exact, too
    Real rest = fma(count, all(kLn2Low), find(kLogLow, index));
    Real half = all(0.5) * r, square = half * r, square_low = fma(half, r, -square);
    Real first = whole + r, first_low = (whole - first) + r;
    Real second = first - square, second_low = (first - second) - square;
    Real tail = fma(all(2.0) * r * square, polynomial<13>(kTerms, r), rest - square_low);
    Real low = (first_low + second_low) + tail;
    Real high = second + low;
    return {high, (second - high) + low};
  }

  // The exponential of a number that is not beyond kMostLog.
  static Real exponential(Parts<OfDoubles> x) {
    constexpr double kTerms[] = {1. / 2,   1. / 6,    1. / 24,   1. / 120,
                                 1. / 720, 1. / 5040, 1. / 40320};
    Real moved = fma(x.high, all(kSteps), all(kWhole)), steps = moved - all(kWhole);
    Real r = fma(steps, all(-kStepHigh), x.high) + fma(steps, all(-kStepLow), x.low);
    Real grown = fma(r * r, polynomial<7>(kTerms, r), r);
    Real high = find(kRootHigh, bits(moved));
    Real result = high + fma(high, grown, find(kRootLow, bits(moved)));
    return real(bits(result) + ((bits(moved) & ~std::uint64_t{15}) << 48));
  }

  static Real usual(Real x, Real y) { return STRIDER_USUAL_POWER(x, y); }
};

}  // namespace

extern "C" Doubles STRIDER_POWER(Doubles x, Doubles y) { return power<OfDoubles>(x, y); }

#undef STRIDER_POWER
#undef STRIDER_USUAL_POWER
#endif
