// Vectors of doubles or floats as routines for powers and logarithms are written with them, alike
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
inline Floats fma(Floats x, Floats y, Floats z) { return _mm512_fmadd_ps(x, y, z); }
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
inline Floats fma(Floats x, Floats y, Floats z) { return _mm256_fmadd_ps(x, y, z); }
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

// The bits of numbers, with the operators of unsigned integers.
using DoublesBits __attribute__((vector_size(kBytes))) = std::uint64_t;
using FloatsBits __attribute__((vector_size(kBytes))) = std::uint32_t;
inline DoublesBits bits(Doubles x) { return reinterpret_cast<DoublesBits>(x); }
inline FloatsBits bits(Floats x) { return reinterpret_cast<FloatsBits>(x); }
inline Doubles real(DoublesBits x) { return reinterpret_cast<Doubles>(x); }
inline Floats real(FloatsBits x) { return reinterpret_cast<Floats>(x); }

inline Doubles magnitude(Doubles x) { return real(bits(x) & ~std::uint64_t{0} >> 1); }
inline Floats magnitude(Floats x) { return real(bits(x) & ~std::uint32_t{0} >> 1); }

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
