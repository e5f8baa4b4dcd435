// Vectors of one instruction set, and shuffles of them. Included by files that are compiled for
// several.
#pragma once

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstdint>
#include <cstring>
#include <utility>

namespace strider::nd::STRIDER_TARGET {

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <class T>
inline constexpr int kLanes = kVectorBytes / static_cast<int>(sizeof(T));

template <class T, int kCount>
struct VectorOf {
  typedef T Type __attribute__((vector_size(kCount * sizeof(T))));
};
// As many elements of type S as a vector has of type T.
template <class T, class S = T>
using Vector = typename VectorOf<S, kLanes<T>>::Type;

#if defined(__AVX2__)
// Masks of the first `count` elements, in vectors of 32 bytes.
template <class T>
inline __m256i first_of(std::int64_t count) {
  if constexpr (sizeof(T) == 8)
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
  else
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)),
                              _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

template <class V, class T>
inline V masked_load(const T* from, std::int64_t count) {
#if defined(__AVX512F__)
  auto mask = static_cast<unsigned>((1u << count) - 1);
  if constexpr (sizeof(V) == 64 && sizeof(T) == 8)
    return V(_mm512_maskz_loadu_pd(static_cast<__mmask8>(mask), from));
  else if constexpr (sizeof(V) == 64)
    return V(_mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), from));
  else
#endif
      if constexpr (sizeof(T) == 8)
    return V(_mm256_maskload_pd(from, first_of<T>(count)));
  else
    return V(_mm256_maskload_ps(from, first_of<T>(count)));
}

template <class T, class V>
inline void masked_store(T* to, const V& value, std::int64_t count) {
#if defined(__AVX512F__)
  auto mask = static_cast<unsigned>((1u << count) - 1);
  if constexpr (sizeof(V) == 64 && sizeof(T) == 8)
    return _mm512_mask_storeu_pd(to, static_cast<__mmask8>(mask), __m512d(value));
  else if constexpr (sizeof(V) == 64)
    return _mm512_mask_storeu_ps(to, static_cast<__mmask16>(mask), __m512(value));
  else
#endif
      if constexpr (sizeof(T) == 8)
    _mm256_maskstore_pd(to, first_of<T>(count), __m256d(value));
  else
    _mm256_maskstore_ps(to, first_of<T>(count), __m256(value));
}
#endif

template <class V, class T>
inline V load(const T* from) {
  V value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// The first `count` elements, then zeros.
template <class V, class T>
inline V load_some(const T* from, std::int64_t count) {
  constexpr std::int64_t kCount = sizeof(V) / sizeof(T);
  if (count >= kCount) return load<V>(from);
  V value{};
  if (count <= 0) return value;
#if defined(__AVX2__)
  if constexpr (kCount * sizeof(T) == 64 || kCount * sizeof(T) == 32)
    return masked_load<V>(from, count);
#endif
  for (std::int64_t i = 0; i < count; ++i) value[i] = from[i];
  return value;
}

template <class T, class V>
inline void store(T* to, const V& value) {
  std::memcpy(to, &value, sizeof value);
}

template <class T, class V>
inline void store_some(T* to, const V& value, std::int64_t count) {
  constexpr std::int64_t kCount = sizeof(V) / sizeof(T);
  if (count >= kCount) return store(to, value);
  if (count <= 0) return;
#if defined(__AVX2__)
  if constexpr (kCount * sizeof(T) == 64 || kCount * sizeof(T) == 32)
    return masked_store(to, value, count);
#endif
  for (std::int64_t i = 0; i < count; ++i) to[i] = value[i];
}

template <class V>
struct Shuffles {
  static constexpr int kCount = sizeof(V) / sizeof(V{}[0]);
  using Indices = std::make_integer_sequence<int, kCount>;

  template <int... kIndex>
  static V interleave(V a, V b, bool high, std::integer_sequence<int, kIndex...>) {
    constexpr int kHalf = kCount / 2;
    return high ? __builtin_shufflevector(a, b, (kIndex / 2 + kHalf + kIndex % 2 * kCount)...)
                : __builtin_shufflevector(a, b, (kIndex / 2 + kIndex % 2 * kCount)...);
  }
  template <int... kIndex>
  static V part(V a, V b, bool odd, std::integer_sequence<int, kIndex...>) {
    return odd ? __builtin_shufflevector(a, b, (2 * kIndex + 1)...)
               : __builtin_shufflevector(a, b, (2 * kIndex)...);
  }
  // The elements whose number lacks a bit, of a and then of b; or has it.
  template <int kBit, int... kIndex>
  static V without(V a, V b, std::integer_sequence<int, kIndex...>) {
    return __builtin_shufflevector(a, b, (kIndex & kBit ? (kIndex ^ kBit) + kCount : kIndex)...);
  }
  template <int kBit, int... kIndex>
  static V with(V a, V b, std::integer_sequence<int, kIndex...>) {
    return __builtin_shufflevector(a, b, (kIndex & kBit ? kIndex + kCount : kIndex ^ kBit)...);
  }
  template <int... kIndex>
  static V reverse(V a, std::integer_sequence<int, kIndex...>) {
    return __builtin_shufflevector(a, a, (kCount - 1 - kIndex)...);
  }
};

// Elements of a and b in turns, from their first or second halves.
template <class V>
inline V interleaved(V a, V b, bool high) {
  return Shuffles<V>::interleave(a, b, high, typename Shuffles<V>::Indices{});
}

// The even or odd elements of a and then b.
template <class V>
inline V parted(V a, V b, bool odd) {
  return Shuffles<V>::part(a, b, odd, typename Shuffles<V>::Indices{});
}

template <class V>
inline V reversed(V a) {
  return Shuffles<V>::reverse(a, typename Shuffles<V>::Indices{});
}

// Exchanges what differs in one bit between the numbers of vectors and those of their elements.
template <int kBit, class V>
inline void exchange_bit(V* lines) {
#pragma GCC unroll 16
  for (int i = 0; i < Shuffles<V>::kCount; ++i) {
    if (i & kBit) continue;
    V low = lines[i], high = lines[i | kBit];
    lines[i] = Shuffles<V>::template without<kBit>(low, high, typename Shuffles<V>::Indices{});
    lines[i | kBit] = Shuffles<V>::template with<kBit>(low, high, typename Shuffles<V>::Indices{});
  }
}

// Transposes a square of as many vectors as each has elements.
template <class V, int kBit = 1>
[[gnu::always_inline]] inline void transpose_square(V* lines) {
  exchange_bit<kBit>(lines);
  if constexpr (2 * kBit < Shuffles<V>::kCount) transpose_square<V, 2 * kBit>(lines);
}

}  // namespace strider::nd::STRIDER_TARGET
