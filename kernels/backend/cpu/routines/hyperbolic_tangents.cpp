// tanh as vector routines of AVX2, less than a unit in the last place off: an odd polynomial of
// small numbers, 1 - 2 / (exp(2 x) + 1) of others. Knows no loops.
#if defined(__AVX2__) && !defined(__AVX512F__)
#include "kernels/backend/cpu/routines/exponentials_of_doubles.h"

namespace {

using namespace strider::nd::STRIDER_TARGET::lanes;

// Up to here the polynomial is right.
constexpr double kSmall = 0.7;

// (tanh(x) / x - 1) / x^2 of x^2
constexpr double kTerms[] = {
    -0x1.555555555554ap-2,  0x1.11111111104eap-3,  -0x1.ba1ba1b983f2ap-5,  0x1.664f4864e9433p-6,
    -0x1.226e31e5e99f1p-7,  0x1.d6d34ba8c80b3p-9,  -0x1.7d9c9d3fec2bfp-10, 0x1.351a63f3d3948p-11,
    -0x1.f25dcc0f04ebep-13, 0x1.88109624e3889p-14, -0x1.1a4b2ff35cfc4p-15, 0x1.3f3ed338e0b3bp-17,
    -0x1.906c8981f2578p-20,
};
constexpr float kSingleTerms[] = {
    -0x1.55554ap-2f, 0x1.110ddap-3f,  -0x1.b98198p-5f,
    0x1.5f976ap-6f,  -0x1.f69c66p-8f, 0x1.c937aep-10f,
};

// 1 - 2 e / (1 + e) of an e from 0 to 1/4 or so, from the quotient and what it leaves over, whose
// own divisor may be anything near 1.
template <class Real, class Number>
inline Real complement(Real e, Number near) {
  Real sum = all(Number{1}) + e, sum_low = e - (sum - all(Number{1}));
  Real twice = e + e, quotient = twice / sum;
  Real rest = less(quotient, sum_low, less(quotient, sum, twice)) * all(near);
  Real result = all(Number{1}) - quotient;
  return result + (((all(Number{1}) - result) - quotient) - rest);
}

// The exponential of a number from -30 to 0.
inline Floats power_of_e(Floats x) {
  constexpr float kLn2High = 0x1.62e4p-1f, kLn2Low = 0x1.7f7d1cp-20f, kOctaves = 0x1.715476p+0f;
  constexpr float kWholeOctaves = 0x1.8p23f;
  // (exp(r) - 1 - r) / r^2
  constexpr float kOfE[] = {0x1p-1f, 0x1.55548ep-3f, 0x1.55545ep-5f, 0x1.123bdep-7f,
                            0x1.6db4eap-10f};
  Floats moved = fma(x, all(kOctaves), all(kWholeOctaves)), count = moved - all(kWholeOctaves);
  Floats r = less(count, all(kLn2Low), less(count, all(kLn2High), x));
  Floats power = real((bits(moved) << 23) + bits(all(1.0f)));
  return fma(power, fma(r * r, polynomial<5>(kOfE, r), r), power);
}

constexpr std::uint32_t kSingleSign = std::uint32_t{1} << 31;

}  // namespace

extern "C" {

Doubles strider_tanh_d4(Doubles x) {
  // From here on the result is 1. Of a number and NaN, least() is the second.
  Doubles size = least(all(22.0), magnitude(x)), square = size * size;
  Doubles small = fma(size * square, polynomial<13>(kTerms, square), size);
  Doubles large = complement(power_of_e(all(-2.0) * size), 0.875);
  Doubles result = choose(compare<_CMP_LE_OQ>(size, all(kSmall)), small, large);
  return real(bits(result) | sign(x));
}

Floats strider_tanh_f8(Floats x) {
  Floats size = _mm256_min_ps(all(10.0f), magnitude(x)), square = size * size;
  Floats small = fma(size * square, polynomial<6>(kSingleTerms, square), size);
  Floats large = complement(power_of_e(all(-2.0f) * size), 0.875f);
  Floats result = choose(compare<_CMP_LE_OQ>(size, all(static_cast<float>(kSmall))), small, large);
  return real(bits(result) | (bits(x) & kSingleSign));
}

}  // extern "C"
#endif
