// Powers of doubles as a vector routine: y log(x) in two doubles, then its exponential; at most 0.6
// units in the last place off. What is not plain (zeros, infinities, NaN, numbers too small, roots
// of negative ones, results beyond normal numbers) is SLEEF's. Only operations that IEEE 754
// rounds, so that vectors of all lengths give the same bits. Knows no loops.
#include "kernels/instructions/basic.h"

#if defined(__AVX2__)
#include <immintrin.h>
#include <sleef.h>

#include <cstdint>

namespace {

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
                 kSteps = 0x1.71547652b82fep+4;      // ln 2 / 16
constexpr std::int64_t kFirst = 0x3fe6a09000000000;  // the root of 1/2
constexpr double kWhole = 0x1.8p52;                  // added, leaves a whole number
constexpr double kMostExponent = 0x1p30, kMostLog = 700;

#if defined(__AVX512F__)
using Real = __m512d;
using Whole = __m512i;
using Truth = __mmask8;
using Words __attribute__((vector_size(64))) = std::uint64_t;
inline Real all(double x) { return _mm512_set1_pd(x); }
inline Whole all(std::int64_t x) { return _mm512_set1_epi64(x); }
inline Real fma(Real x, Real y, Real z) { return _mm512_fmadd_pd(x, y, z); }
inline Whole bits(Real x) { return _mm512_castpd_si512(x); }
inline Real real(Whole x) { return _mm512_castsi512_pd(x); }
inline Whole add(Whole x, Whole y) { return _mm512_add_epi64(x, y); }
inline Whole subtract(Whole x, Whole y) { return _mm512_sub_epi64(x, y); }
inline Whole both(Whole x, Whole y) { return _mm512_and_si512(x, y); }
inline Whole either(Whole x, Whole y) { return _mm512_or_si512(x, y); }
template <int kHow>
inline Truth compare(Real x, Real y) {
  return _mm512_cmp_pd_mask(x, y, kHow);
}
inline Truth both(Truth x, Truth y) { return x & y; }
inline Truth either(Truth x, Truth y) { return x | y; }
inline bool everywhere(Truth x) { return x == 0xff; }
inline Real choose(Truth truth, Real x, Real y) { return _mm512_mask_blend_pd(truth, y, x); }
inline Real find(const double* table, Whole index) {
  return _mm512_permutex2var_pd(_mm512_load_pd(table), index, _mm512_load_pd(table + 8));
}
inline Real usual_power(Real x, Real y) { return Sleef_finz_powd8_u10avx512f(x, y); }
#else
using Real = __m256d;
using Whole = __m256i;
using Truth = __m256d;
using Words __attribute__((vector_size(32))) = std::uint64_t;
inline Real all(double x) { return _mm256_set1_pd(x); }
inline Whole all(std::int64_t x) { return _mm256_set1_epi64x(x); }
inline Real fma(Real x, Real y, Real z) { return _mm256_fmadd_pd(x, y, z); }
inline Whole bits(Real x) { return _mm256_castpd_si256(x); }
inline Real real(Whole x) { return _mm256_castsi256_pd(x); }
inline Whole add(Whole x, Whole y) { return _mm256_add_epi64(x, y); }
inline Whole subtract(Whole x, Whole y) { return _mm256_sub_epi64(x, y); }
inline Whole both(Whole x, Whole y) { return _mm256_and_si256(x, y); }
inline Whole either(Whole x, Whole y) { return _mm256_or_si256(x, y); }
template <int kHow>
inline Truth compare(Real x, Real y) {
  return _mm256_cmp_pd(x, y, kHow);
}
inline Truth both(Truth x, Truth y) { return _mm256_and_pd(x, y); }
inline Truth either(Truth x, Truth y) { return _mm256_or_pd(x, y); }
inline bool everywhere(Truth x) { return _mm256_movemask_pd(x) == 0xf; }
inline Real choose(Truth truth, Real x, Real y) { return _mm256_blendv_pd(y, x, truth); }
inline Real find(const double* table, Whole index) {
  return _mm256_i64gather_pd(table, both(index, all(std::int64_t{15})), 8);
}
inline Real usual_power(Real x, Real y) { return Sleef_finz_powd4_u10avx2(x, y); }
#endif

inline Whole right(Whole x, int count) {
  return reinterpret_cast<Whole>(reinterpret_cast<Words>(x) >> count);
}
inline Whole left(Whole x, int count) {
  return reinterpret_cast<Whole>(reinterpret_cast<Words>(x) << count);
}

// c[0] + x c[1] + …, by halves.
template <int kCount>
inline Real polynomial(const double* c, Real x) {
  if constexpr (kCount == 1) {
    return all(c[0]);
  } else if constexpr (kCount == 2) {
    return fma(x, all(c[1]), all(c[0]));
  } else {
    constexpr int kLow = kCount > 8 ? 8 : kCount > 4 ? 4 : 2;
    Real power = x * x;
    for (int at = 2; at < kLow; at *= 2) power = power * power;
    return fma(power, polynomial<kCount - kLow>(c + kLow, x), polynomial<kLow>(c, x));
  }
}

struct Pair {
  Real high, low;
};

// The logarithm of a positive normal number.
inline Pair logarithm(Real x) {
  constexpr std::int64_t kBias = std::int64_t{1024} << 52;
  constexpr double kTerms[] = {1. / 3,   -1. / 4, 1. / 5,   -1. / 6, 1. / 7,   -1. / 8, 1. / 9,
                               -1. / 10, 1. / 11, -1. / 12, 1. / 13, -1. / 14, 1. / 15};
  Whole behind = subtract(bits(x), all(kFirst));
  Whole exponent = right(add(behind, all(kBias)), 52);
  Whole index = right(behind, 48);
  Real count = real(either(exponent, all(0x4330000000000000))) - all(0x1p52 + 1024);
  Real part = real(add(subtract(bits(x), left(exponent, 52)), all(kBias)));
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
inline Real exponential(Pair x) {
  constexpr double kTerms[] = {1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320};
  Real moved = fma(x.high, all(kSteps), all(kWhole)), steps = moved - all(kWhole);
  Real r = fma(steps, all(-kStepHigh), x.high) + fma(steps, all(-kStepLow), x.low);
  Real grown = fma(r * r, polynomial<7>(kTerms, r), r);
  Real high = find(kRootHigh, bits(moved));
  Real result = high + fma(high, grown, find(kRootLow, bits(moved)));
  Whole sixteenths = both(bits(moved), all(std::int64_t{15}));
  return real(add(bits(result), left(subtract(bits(moved), sixteenths), 48)));
}

}  // namespace

#if defined(__AVX512F__)
#define STRIDER_POWER strider_pow_d8
#else
#define STRIDER_POWER strider_pow_d4
#endif

extern "C" Real STRIDER_POWER(Real x, Real y) {
  Whole sign_bit = all(std::int64_t(std::uint64_t{1} << 63));
  Real size = real(both(bits(x), all(std::int64_t(~std::uint64_t{0} >> 1))));
  Real exponent = real(both(bits(y), all(std::int64_t(~std::uint64_t{0} >> 1))));
  Truth plain = both(compare<_CMP_GE_OQ>(size, all(0x1p-1022)),
                     both(compare<_CMP_LE_OQ>(size, all(0x1.fffffffffffffp1023)),
                          compare<_CMP_LE_OQ>(exponent, all(kMostExponent))));
  Real times = choose(plain, y, all(1.0));
  Real moved = times + all(kWhole);
  Truth whole = compare<_CMP_EQ_OQ>(moved - all(kWhole), times);
  plain = both(plain, either(compare<_CMP_GT_OQ>(x, all(0.0)), whole));
  Pair log = logarithm(choose(plain, size, all(1.0)));
  Real high = times * log.high;
  Real low = fma(times, log.low, fma(times, log.high, -high));
  Real reach = real(both(bits(high), all(std::int64_t(~std::uint64_t{0} >> 1))));
  Truth inside = compare<_CMP_LT_OQ>(reach, all(kMostLog));
  Real none = all(0.0);
  Real result = exponential({choose(inside, high, none), choose(inside, low, none)});
  Whole sign = both(both(bits(x), sign_bit), left(bits(moved), 63));
  result = real(either(bits(result), sign));
  Truth done = both(plain, inside);
  return everywhere(done) ? result : choose(done, result, usual_power(x, y));
}

#undef STRIDER_POWER
#endif
