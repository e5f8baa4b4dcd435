// Vectors of doubles or floats as routines of elementary functions are written with them, alike
// for both lengths of vectors. Only operations that IEEE 754 rounds.
#pragma once

#include <immintrin.h>

#include <cstdint>

namespace strider::nd::STRIDER_TARGET::lanes {

#if defined(__AVX512F__)
constexpr int kBytes = 64;
using Doubles = __m512d;
using Floats = __m512;
using DoublesTruth = __mmask8;
using FloatsTruth = __mmask16;
inline Doubles all(double x) { return _mm512_set1_pd(x); }
inline Floats all(float x) { return _mm512_set1_ps(x); }
inline Doubles fma(Doubles x, Doubles y, Doubles z) { return _mm512_fmadd_pd(x, y, z); }
// z - x y
inline Doubles less(Doubles x, Doubles y, Doubles z) { return _mm512_fnmadd_pd(x, y, z); }
inline Floats less(Floats x, Floats y, Floats z) { return _mm512_fnmadd_ps(x, y, z); }
// Of NaN and a number, these are the second.
inline Doubles least(Doubles x, Doubles y) { return _mm512_maskz_min_pd(0xff, x, y); }
inline Doubles greatest(Doubles x, Doubles y) { return _mm512_maskz_max_pd(0xff, x, y); }
inline Floats fma(Floats x, Floats y, Floats z) { return _mm512_fmadd_ps(x, y, z); }
inline Doubles root(Doubles x) { return _mm512_maskz_sqrt_pd(0xff, x); }
template <int kHow>
inline DoublesTruth compare(Doubles x, Doubles y) {
  return _mm512_cmp_pd_mask(x, y, kHow);
}
template <int kHow>
inline FloatsTruth compare(Floats x, Floats y) {
  return _mm512_cmp_ps_mask(x, y, kHow);
}
template <class Truth>
inline Truth both(Truth x, Truth y) {
  return x & y;
}
template <class Truth>
inline Truth either(Truth x, Truth y) {
  return x | y;
}
template <class Truth>
inline bool everywhere(Truth x) {
  return x == static_cast<Truth>(~Truth{0});
}
inline Doubles choose(DoublesTruth truth, Doubles x, Doubles y) {
  return _mm512_mask_blend_pd(truth, y, x);
}
inline Floats choose(FloatsTruth truth, Floats x, Floats y) {
  return _mm512_mask_blend_ps(truth, y, x);
}
#else
constexpr int kBytes = 32;
using Doubles = __m256d;
using Floats = __m256;
using DoublesTruth = __m256d;
using FloatsTruth = __m256;
inline Doubles all(double x) { return _mm256_set1_pd(x); }
inline Floats all(float x) { return _mm256_set1_ps(x); }
inline Doubles fma(Doubles x, Doubles y, Doubles z) { return _mm256_fmadd_pd(x, y, z); }
inline Doubles less(Doubles x, Doubles y, Doubles z) { return _mm256_fnmadd_pd(x, y, z); }
inline Floats less(Floats x, Floats y, Floats z) { return _mm256_fnmadd_ps(x, y, z); }
inline Doubles least(Doubles x, Doubles y) { return _mm256_min_pd(x, y); }
inline Doubles greatest(Doubles x, Doubles y) { return _mm256_max_pd(x, y); }
inline Floats fma(Floats x, Floats y, Floats z) { return _mm256_fmadd_ps(x, y, z); }
inline Doubles root(Doubles x) { return _mm256_sqrt_pd(x); }
template <int kHow>
inline DoublesTruth compare(Doubles x, Doubles y) {
  return _mm256_cmp_pd(x, y, kHow);
}
template <int kHow>
inline FloatsTruth compare(Floats x, Floats y) {
  return _mm256_cmp_ps(x, y, kHow);
}
inline DoublesTruth both(DoublesTruth x, DoublesTruth y) { return _mm256_and_pd(x, y); }
inline FloatsTruth both(FloatsTruth x, FloatsTruth y) { return _mm256_and_ps(x, y); }
inline DoublesTruth either(DoublesTruth x, DoublesTruth y) { return _mm256_or_pd(x, y); }
inline FloatsTruth either(FloatsTruth x, FloatsTruth y) { return _mm256_or_ps(x, y); }
inline bool everywhere(DoublesTruth x) { return _mm256_movemask_pd(x) == 0xf; }
inline bool everywhere(FloatsTruth x) { return _mm256_movemask_ps(x) == 0xff; }
inline Doubles choose(DoublesTruth truth, Doubles x, Doubles y) {
  return _mm256_blendv_pd(y, x, truth);
}
inline Floats choose(FloatsTruth truth, Floats x, Floats y) {
  return _mm256_blendv_ps(y, x, truth);
}
#endif

// Whether numbers are neither zero, negative, infinite, NaN nor smaller than normal ones.
inline DoublesTruth positive_normal(Doubles x) {
#if defined(__AVX512F__)
  return static_cast<DoublesTruth>(~_mm512_fpclass_pd_mask(x, 0xff));
#else
  return both(compare<_CMP_GE_OQ>(x, all(0x1p-1022)),
              compare<_CMP_LE_OQ>(x, all(0x1.fffffffffffffp1023)));
#endif
}

// The bits of numbers, with the operators of unsigned integers.
using DoublesBits __attribute__((vector_size(kBytes))) = std::uint64_t;
using FloatsBits __attribute__((vector_size(kBytes))) = std::uint32_t;
inline DoublesBits bits(Doubles x) { return reinterpret_cast<DoublesBits>(x); }
inline FloatsBits bits(Floats x) { return reinterpret_cast<FloatsBits>(x); }
inline Doubles real(DoublesBits x) { return reinterpret_cast<Doubles>(x); }
inline Floats real(FloatsBits x) { return reinterpret_cast<Floats>(x); }

// Whether this bit is set.
inline DoublesTruth has(DoublesBits x, std::uint64_t bit) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(x), _mm512_set1_epi64(bit));
#else
  return reinterpret_cast<Doubles>((x & bit) != 0);
#endif
}

// These bits in every lane, from memory: g++ would take a register of the other kind to the unit
// that shuffles.
inline DoublesBits every(const std::uint64_t& x) {
  DoublesBits result;
  asm("vpbroadcastq %1, %0" : "=v"(result) : "m"(x));
  return result;
}

constexpr std::uint64_t kSign = std::uint64_t{1} << 63, kSize = kSign - 1;
inline Doubles magnitude(Doubles x) { return real(bits(x) & every(kSize)); }
inline DoublesBits sign(Doubles x) { return bits(x) & every(kSign); }
inline Floats magnitude(Floats x) { return real(bits(x) & ~std::uint32_t{0} >> 1); }

// About the reciprocal, an eighth of it off at most, with the sign.
constexpr std::uint64_t kAboutReciprocal = 0x7fde623822fc16e6;
inline Doubles about_reciprocal(Doubles x) { return real(every(kAboutReciprocal) - bits(x)); }

// Element `index` modulo 16 of a table of doubles, modulo 32 of one of floats.
#if defined(__AVX512F__)
inline Doubles find(const double* table, DoublesBits index) {
  return _mm512_permutex2var_pd(_mm512_load_pd(table), reinterpret_cast<__m512i>(index),
                                _mm512_load_pd(table + 8));
}
inline Floats find(const float* table, FloatsBits index) {
  return _mm512_permutex2var_ps(_mm512_load_ps(table), reinterpret_cast<__m512i>(index),
                                _mm512_load_ps(table + 16));
}
#else
inline Doubles find(const double* table, DoublesBits index) {
  return _mm256_i64gather_pd(table, reinterpret_cast<__m256i>(index & 15), 8);
}
inline Floats find(const float* table, FloatsBits index) {
  return _mm256_i32gather_ps(table, reinterpret_cast<__m256i>(index & 31), 4);
}
#endif

// c[0] + x c[1] + …, by halves.
template <int kCount, class T, class Real>
inline Real polynomial(const T* c, Real x) {
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

}  // namespace strider::nd::STRIDER_TARGET::lanes
