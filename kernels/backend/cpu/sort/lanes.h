// Vectors of keys for sorting: what the instruction sets with shuffles wide enough can do. A key is
// a signed integer of 4 or 8 bytes. Included by files that are compiled per instruction set.
#pragma once

#if defined(__AVX2__)
#define STRIDER_SORT_LANES
#include <immintrin.h>

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

namespace strider::nd::STRIDER_TARGET {

// Lane i of the result is lane i ^ kMask.
template <int kMask, class Vector>
[[gnu::always_inline]] inline Vector exchanged(Vector v) {
  return [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) __attribute__((always_inline)) {
    return __builtin_shufflevector(v, v, (kIndex ^ kMask)...);
  }
  (std::make_integer_sequence<int, sizeof v / sizeof v[0]>{});
}

template <class Key>
struct Lanes;

// Keys of 8 bytes are compared as floats of the same order, since processors have the smaller and
// the larger of two floats in one step: keys from 0 on are their bits, of lower ones all bits but
// the sign are turned. Of two equal ones `smaller` and `larger` give one each.
template <>
struct Lanes<double> {
#if defined(__AVX512F__)
  typedef double Vector __attribute__((vector_size(64)));
  static constexpr int kCount = 8;
  static Vector smaller(Vector a, Vector b) { return Vector(_mm512_min_pd(a, b)); }
  static Vector larger(Vector a, Vector b) { return Vector(_mm512_max_pd(b, a)); }
#else
  typedef double Vector __attribute__((vector_size(32)));
  static constexpr int kCount = 4;
  static Vector smaller(Vector a, Vector b) { return Vector(_mm256_min_pd(a, b)); }
  static Vector larger(Vector a, Vector b) { return Vector(_mm256_max_pd(b, a)); }
#endif
  typedef std::int64_t Keys __attribute__((vector_size(sizeof(Vector))));
  static constexpr std::int64_t kInfinity = 0x7ff0000000000000;  // as a key: no float is larger

  static Vector of_keys(Keys keys) { return Vector(turned(keys)); }
  static Keys to_keys(Vector v) { return turned(Keys(v)); }
  // Lanes that are all zero where every float is larger or smaller than every other key: no NaN and
  // no zero, as which two keys compare as equal.
  static Keys misplaced(Vector v) { return (v != v) | (v == Vector{}); }

 private:
  static Keys turned(Keys bits) { return bits ^ ((bits >> 63) & INT64_MAX); }
};

// For every set of keys that goes to the right: the order of lanes that puts the others first.
// `kWidth` is how many lanes make a key; those that go to the right may do so backwards.
template <int kWidth, bool kBackwards>
constexpr auto make_part_orders() {
  constexpr int kKeys = 8 / kWidth;
  std::array<std::array<std::uint8_t, 8>, 1 << kKeys> orders{};
  for (unsigned above = 0; above < orders.size(); ++above) {
    int place = 0;
    for (unsigned side = 0; side < 2; ++side)
      for (int i = 0; i < kKeys; ++i)
        if (int key = side == 1 && kBackwards ? kKeys - 1 - i : i; (above >> key & 1) == side)
          for (int part = 0; part < kWidth; ++part)
            orders[above][place++] = static_cast<std::uint8_t>(key * kWidth + part);
  }
  return orders;
}
template <int kWidth, bool kBackwards = false>
inline constexpr auto kPartOrders = make_part_orders<kWidth, kBackwards>();

#if defined(__AVX512F__)

template <>
struct Lanes<std::int64_t> {
  typedef std::int64_t Vector __attribute__((vector_size(64)));
  static constexpr int kCount = 8;

  static Vector all(std::int64_t key) { return Vector(_mm512_set1_epi64(key)); }
  static Vector load(const std::int64_t* keys) { return Vector(_mm512_loadu_si512(keys)); }
  static void store(std::int64_t* keys, Vector v) { _mm512_storeu_si512(keys, __m512i(v)); }
  static Vector smaller(Vector a, Vector b) { return a < b ? a : b; }
  static Vector larger(Vector a, Vector b) { return a > b ? a : b; }

  static bool any(Vector bits) { return _mm512_test_epi64_mask(__m512i(bits), __m512i(bits)); }

  // The first `count` keys, then `fill`; count may be more than there are lanes, or negative.
  static Vector load_some(const std::int64_t* keys, std::int64_t count, Vector fill) {
    return Vector(_mm512_mask_loadu_epi64(__m512i(fill), first(count), keys));
  }
  static void store_some(std::int64_t* keys, std::int64_t count, Vector v) {
    _mm512_mask_storeu_epi64(keys, first(count), __m512i(v));
  }

  // Writes the keys up to `pivot` at `left` and those above it before `right_end`; returns how many
  // are above. May write a whole vector on either side.
  static int part(Vector v, Vector pivot, std::int64_t* left, std::int64_t* right_end) {
    const unsigned bits = above(v, pivot);
    const Vector both = parted(v, bits);
    store(left, both);
    store(right_end - kCount, both);
    return __builtin_popcount(bits);
  }

  // Which keys are above `pivot`, as bits, and the lanes of any vector with those behind the
  // others.
  static unsigned above(Vector v, Vector pivot) {
    return _mm512_cmpgt_epi64_mask(__m512i(v), __m512i(pivot));
  }
  static Vector parted(Vector v, unsigned above) {
    constexpr __mmask8 kEvery = 0xff;  // without it g++ 12 takes the intrinsics for uninitialised
    auto bytes = reinterpret_cast<const __m128i*>(kPartOrders<1>[above].data());
    __m512i order = _mm512_maskz_cvtepu8_epi64(kEvery, _mm_loadl_epi64(bytes));
    return Vector(_mm512_maskz_permutexvar_epi64(kEvery, order, __m512i(v)));
  }
  static Vector parted_in_pairs(Vector v, unsigned above) { return parted(v, above); }

 private:
  static __mmask8 first(std::int64_t count) {
    return count >= kCount ? 0xff : count <= 0 ? 0 : static_cast<__mmask8>((1u << count) - 1);
  }
};

template <>
struct Lanes<std::int32_t> {
  typedef std::int32_t Vector __attribute__((vector_size(64)));
  static constexpr int kCount = 16;

  static Vector all(std::int32_t key) { return Vector(_mm512_set1_epi32(key)); }
  static Vector load(const std::int32_t* keys) { return Vector(_mm512_loadu_si512(keys)); }
  static void store(std::int32_t* keys, Vector v) { _mm512_storeu_si512(keys, __m512i(v)); }
  static Vector smaller(Vector a, Vector b) { return a < b ? a : b; }
  static Vector larger(Vector a, Vector b) { return a > b ? a : b; }
  static Vector load_some(const std::int32_t* keys, std::int64_t count, Vector fill) {
    return Vector(_mm512_mask_loadu_epi32(__m512i(fill), first(count), keys));
  }
  static void store_some(std::int32_t* keys, std::int64_t count, Vector v) {
    _mm512_mask_storeu_epi32(keys, first(count), __m512i(v));
  }
  static int part(Vector v, Vector pivot, std::int32_t* left, std::int32_t* right_end) {
    __mmask16 above = _mm512_cmpgt_epi32_mask(__m512i(v), __m512i(pivot));
    int count = __builtin_popcount(above);
    _mm512_storeu_si512(left,
                        _mm512_maskz_compress_epi32(static_cast<__mmask16>(~above), __m512i(v)));
    _mm512_mask_storeu_epi32(right_end - count, first(count),
                             _mm512_maskz_compress_epi32(above, __m512i(v)));
    return count;
  }

 private:
  static __mmask16 first(std::int64_t count) {
    return count >= kCount ? 0xffff : count <= 0 ? 0 : static_cast<__mmask16>((1u << count) - 1);
  }
};

#else

template <int kWidth, bool kBackwards = false>
inline __m256i parted_lanes(__m256i v, unsigned above) {
  auto bytes = reinterpret_cast<const __m128i*>(kPartOrders<kWidth, kBackwards>[above].data());
  return _mm256_permutevar8x32_epi32(v, _mm256_cvtepu8_epi32(_mm_loadl_epi64(bytes)));
}

template <>
struct Lanes<std::int64_t> {
  typedef std::int64_t Vector __attribute__((vector_size(32)));
  static constexpr int kCount = 4;

  static Vector all(std::int64_t key) { return Vector(_mm256_set1_epi64x(key)); }
  static Vector load(const std::int64_t* keys) {
    return Vector(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys)));
  }
  static void store(std::int64_t* keys, Vector v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys), __m256i(v));
  }
  static Vector smaller(Vector a, Vector b) {
    return Vector(_mm256_blendv_epi8(__m256i(a), __m256i(b), exceeds(a, b)));
  }
  static Vector larger(Vector a, Vector b) {
    return Vector(_mm256_blendv_epi8(__m256i(b), __m256i(a), exceeds(a, b)));
  }

  static bool any(Vector bits) { return !_mm256_testz_si256(__m256i(bits), __m256i(bits)); }

  // The first `count` keys, then `fill`; count may be more than there are lanes, or negative.
  static Vector load_some(const std::int64_t* keys, std::int64_t count, Vector fill) {
    __m256i mask = first(count);
    __m256i v = _mm256_maskload_epi64(reinterpret_cast<const long long*>(keys), mask);
    return Vector(_mm256_blendv_epi8(__m256i(fill), v, mask));
  }
  static void store_some(std::int64_t* keys, std::int64_t count, Vector v) {
    _mm256_maskstore_epi64(reinterpret_cast<long long*>(keys), first(count), __m256i(v));
  }

  // Writes the keys up to `pivot` at `left` and those above it before `right_end`; returns how many
  // are above. May write a whole vector on either side.
  static int part(Vector v, Vector pivot, std::int64_t* left, std::int64_t* right_end) {
    const unsigned bits = above(v, pivot);
    const Vector both = parted(v, bits);
    store(left, both);
    store(right_end - kCount, both);
    return __builtin_popcount(bits);
  }

  // Which keys are above `pivot`, as bits, and the lanes of any vector with those behind the
  // others.
  static unsigned above(Vector v, Vector pivot) {
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(exceeds(v, pivot))));
  }
  static Vector parted(Vector v, unsigned above) {
    return Vector(parted_lanes<2>(__m256i(v), above));
  }
  // The same with those behind backwards, as x86-simd-sort has pairs here.
  static Vector parted_in_pairs(Vector v, unsigned above) {
    return Vector(parted_lanes<2, true>(__m256i(v), above));
  }

 private:
  static __m256i exceeds(Vector a, Vector b) { return _mm256_cmpgt_epi64(__m256i(a), __m256i(b)); }
  static __m256i first(std::int64_t count) { return exceeds(all(count), Vector{0, 1, 2, 3}); }
};

template <>
struct Lanes<std::int32_t> {
  typedef std::int32_t Vector __attribute__((vector_size(32)));
  static constexpr int kCount = 8;

  static Vector all(std::int32_t key) { return Vector(_mm256_set1_epi32(key)); }
  static Vector load(const std::int32_t* keys) {
    return Vector(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(keys)));
  }
  static void store(std::int32_t* keys, Vector v) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(keys), __m256i(v));
  }
  static Vector smaller(Vector a, Vector b) {
    return Vector(_mm256_min_epi32(__m256i(a), __m256i(b)));
  }
  static Vector larger(Vector a, Vector b) {
    return Vector(_mm256_max_epi32(__m256i(a), __m256i(b)));
  }
  static Vector load_some(const std::int32_t* keys, std::int64_t count, Vector fill) {
    __m256i mask = first(count);
    return Vector(_mm256_blendv_epi8(__m256i(fill), _mm256_maskload_epi32(keys, mask), mask));
  }
  static void store_some(std::int32_t* keys, std::int64_t count, Vector v) {
    _mm256_maskstore_epi32(keys, first(count), __m256i(v));
  }
  static int part(Vector v, Vector pivot, std::int32_t* left, std::int32_t* right_end) {
    __m256i exceeds = _mm256_cmpgt_epi32(__m256i(v), __m256i(pivot));
    auto above = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(exceeds)));
    Vector both = Vector(parted_lanes<1>(__m256i(v), above));
    store(left, both);
    store(right_end - kCount, both);
    return __builtin_popcount(above);
  }

 private:
  static __m256i first(std::int64_t count) {
    auto most = static_cast<std::int32_t>(count < 0 ? 0 : count > kCount ? kCount : count);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(most), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
};

#endif  // AVX-512

}  // namespace strider::nd::STRIDER_TARGET

#endif  // AVX2
