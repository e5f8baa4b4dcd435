// The vector routines of elementary.def on whole arrays. Every element goes through the vector
// routine, the last ones in a padded vector, so that bits never depend on length or alignment.
#pragma once

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "kernels/backend/cpu/loops.h"
#include "kernels/instructions/conditions.h"

#if defined(__AVX2__)
#include <immintrin.h>
#include <sleef.h>

#include "kernels/backend/cpu/routines/inlined.h"

#if defined(__AVX512F__)
extern "C" {
__m512d strider_exp_d8(__m512d);
__m512d strider_exp2_d8(__m512d);
__m512d strider_log_d8(__m512d);
__m512d strider_log2_d8(__m512d);
__m512d strider_log10_d8(__m512d);
__m512d strider_log1p_d8(__m512d);
__m512d strider_tan_d8(__m512d);
__m512d strider_asin_d8(__m512d);
__m512d strider_acos_d8(__m512d);
__m512d strider_atan_d8(__m512d);
__m512d strider_atan2_d8(__m512d, __m512d);
__m512d strider_logaddexp_d8(__m512d, __m512d);
__m512d strider_logaddexp2_d8(__m512d, __m512d);
__m512d strider_pow_d8(__m512d, __m512d);
__m512 strider_exp_f16(__m512);
__m512 strider_log_f16(__m512);
__m512 strider_pow_f16(__m512, __m512);
__m512d _ZGVeN8v_expm1(__m512d);
__m512d _ZGVeN8v_cbrt(__m512d);
__m512d _ZGVeN8v_sinh(__m512d);
__m512d _ZGVeN8v_cosh(__m512d);
__m512d _ZGVeN8v_tanh(__m512d);
__m512d _ZGVeN8v_asinh(__m512d);
__m512d _ZGVeN8v_acosh(__m512d);
__m512d _ZGVeN8v_atanh(__m512d);
__m512 _ZGVeN16v_exp2f(__m512);
__m512 _ZGVeN16v_expm1f(__m512);
__m512 _ZGVeN16v_log2f(__m512);
__m512 _ZGVeN16v_log10f(__m512);
__m512 _ZGVeN16v_log1pf(__m512);
__m512 _ZGVeN16v_cbrtf(__m512);
__m512 _ZGVeN16v_tanf(__m512);
__m512 _ZGVeN16v_asinf(__m512);
__m512 _ZGVeN16v_acosf(__m512);
__m512 _ZGVeN16v_atanf(__m512);
__m512 _ZGVeN16v_sinhf(__m512);
__m512 _ZGVeN16v_coshf(__m512);
__m512 _ZGVeN16v_tanhf(__m512);
__m512 _ZGVeN16v_asinhf(__m512);
__m512 _ZGVeN16v_acoshf(__m512);
__m512 _ZGVeN16v_atanhf(__m512);
__m512 _ZGVeN16vv_atan2f(__m512, __m512);
}
#else
extern "C" {
__m256d strider_asinh_d4(__m256d);
__m256d strider_sinh_d4(__m256d);
__m256d strider_cosh_d4(__m256d);
__m256d strider_tanh_d4(__m256d);
__m256 strider_tanh_f8(__m256);
__m256 strider_sinh_f8(__m256);
__m256 strider_cosh_f8(__m256);
__m256d strider_acosh_d4(__m256d);
__m256d strider_exp_d4(__m256d);
__m256d strider_exp2_d4(__m256d);
__m256d strider_log_d4(__m256d);
__m256d strider_log2_d4(__m256d);
__m256d strider_log10_d4(__m256d);
__m256d strider_log1p_d4(__m256d);
__m256d strider_tan_d4(__m256d);
__m256d strider_asin_d4(__m256d);
__m256d strider_acos_d4(__m256d);
__m256d strider_atan_d4(__m256d);
__m256d strider_atan2_d4(__m256d, __m256d);
__m256d strider_logaddexp_d4(__m256d, __m256d);
__m256d strider_logaddexp2_d4(__m256d, __m256d);
__m256d strider_pow_d4(__m256d, __m256d);
__m256 strider_exp_f8(__m256);
__m256 strider_log1p_f8(__m256);
__m256 strider_log_f8(__m256);
__m256 strider_pow_f8(__m256, __m256);
__m256 strider_asinh_f8(__m256);
__m256 strider_acosh_f8(__m256);
}
#endif
#endif

namespace strider::nd::STRIDER_TARGET::STRIDER_GROUP {

// Specialised where a vector routine exists: its type of vector, and calls with one or two.
template <Op kOp, class T>
struct VectorRoutine {
  static constexpr bool kExists = false;
};

#define STRIDER_ROUTINE(id, element, vector, routine) \
  template <>                                         \
  struct VectorRoutine<Op::id, element> {             \
    static constexpr bool kExists = true;             \
    using Vector = vector;                            \
    template <class... V>                             \
    static inline Vector call(V... values) {          \
      return routine(values...);                      \
    }                                                 \
  };
#if defined(__AVX512F__)
#define WIDE64(id, routine, ulp) STRIDER_ROUTINE(id, double, __m512d, routine)
#define WIDE32(id, routine, ulp) STRIDER_ROUTINE(id, float, __m512, routine)
#include "kernels/table/elementary.def"
#elif defined(__AVX2__)
#define NARROW64(id, routine, ulp) STRIDER_ROUTINE(id, double, __m256d, routine)
#define NARROW32(id, routine, ulp) STRIDER_ROUTINE(id, float, __m256, routine)
#include "kernels/table/elementary.def"
#endif
#undef STRIDER_ROUTINE

template <class V, class T>
inline V load_lanes(const T* from) {
  V vector;
  std::memcpy(&vector, from, sizeof vector);
  return vector;
}

// The last elements of an argument, padded with the first of them.
template <class V, class T>
inline V load_padded(const T* from, std::int64_t count) {
  constexpr int kLanes = sizeof(V) / sizeof(T);
  T lanes[kLanes];
  for (int i = 0; i < kLanes; ++i) lanes[i] = from[i < count ? i : 0];
  return load_lanes<V>(lanes);
}

// Whether conditions are to be looked for.
template <Op kOp, class T>
bool compute_vectors(const T* x, const T* y, T* out, std::int64_t count);

#if defined(__AVX2__)

// Whether some results of vectors may tell conditions: infinities, NaN and, of operations that may
// underflow, what is no normal number.
template <Op kOp, class T>
struct OddResults {
#if defined(__AVX512F__)
  static constexpr int kWhich = may_underflow(kOp) ? 0xbf : 0x99;
  void note(__m512d results) { seen |= _mm512_fpclass_pd_mask(results, kWhich); }
  void note(__m512 results) { seen |= _mm512_fpclass_ps_mask(results, kWhich); }
  bool any() const { return seen != 0; }
  unsigned seen = 0;
#elif defined(__AVX2__)
  template <class V>
  void note(V results) {
    using Bit = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    using Bits __attribute__((vector_size(sizeof(V)))) = Bit;
    Bits size = reinterpret_cast<Bits>(results) & std::numeric_limits<Bit>::max();
    Bits odd = size > std::bit_cast<Bit>(std::numeric_limits<T>::max());
    if (may_underflow(kOp)) odd |= size < std::bit_cast<Bit>(std::numeric_limits<T>::min());
    seen |= reinterpret_cast<__m256i>(odd);
  }
  bool any() const { return !_mm256_testz_si256(seen, seen); }
  __m256i seen = {};
#endif
};

template <Op kOp, class T>
bool compute_vectors(const T* x, const T* y, T* out, std::int64_t count) {
  using Routine = VectorRoutine<kOp, T>;
  using V = typename Routine::Vector;
  constexpr std::int64_t kLanes = sizeof(V) / sizeof(T);
  constexpr bool kTwo = Row<kOp>::kInputs == 2;
  OddResults<kOp, T> odd;
  auto call = [&odd](V a, V b) {
    using Call =
        std::conditional_t<lanes::Inlined<kOp, T>::kExists, lanes::Inlined<kOp, T>, Routine>;
    V result;
    if constexpr (kTwo)
      result = Call::call(a, b);
    else
      result = Call::call(a);
    odd.note(result);
    return result;
  };
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    V result = call(load_lanes<V>(x + i), load_lanes<V>(y + i));
    std::memcpy(out + i, &result, sizeof result);
  }
  if (i == count) return odd.any();
  V result = call(load_padded<V>(x + i, count - i), load_padded<V>(y + i, count - i));
  std::memcpy(out + i, &result, static_cast<std::size_t>(count - i) * sizeof(T));
  return odd.any();
}

#endif

}  // namespace strider::nd::STRIDER_TARGET::STRIDER_GROUP
