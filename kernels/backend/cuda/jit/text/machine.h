// Instructions that CUDA's language has no word for.
#pragma once

namespace strider::nd::device {

#if !defined(__CUDACC_RTC__) || defined(STRIDER_EMULATED)
// Its high word, if it is a normal number; the smallest become 0.
inline double round_roughly(double x) {
  const std::uint64_t high = std::bit_cast<std::uint64_t>(x) & 0xffffffff00000000u;
  const bool normal = high & 0x7ff0000000000000u;
  return std::bit_cast<double>(normal ? high : high & 0x8000000000000000u);
}
inline double start_reciprocal(double x) { return round_roughly(1 / round_roughly(x)); }
inline double start_root(double x) { return round_roughly(1 / std::sqrt(round_roughly(x))); }

inline float without_subnormal(float x) {
  return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0f, x) : x;
}
inline float start_reciprocal(float x) { return without_subnormal(1 / without_subnormal(x)); }
inline float start_root(float x) { return 1 / std::sqrt(without_subnormal(x)); }
#else
// 1 / x and 1 / sqrt(x) to some 20 bits, the others 0; subnormal numbers count as 0.
inline double start_reciprocal(double x) {
  double result;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(x));
  return result;
}
inline double start_root(double x) {
  double result;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(result) : "d"(x));
  return result;
}

// The same to the last bit or two.
inline float start_reciprocal(float x) {
  float result;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
inline float start_root(float x) {
  float result;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(result) : "f"(x));
  return result;
}
#endif

// Copies an element into shared memory, meanwhile if the device can: it is there for all threads
// that meet after each has waited.
#if defined(__CUDACC_RTC__) && !defined(STRIDER_EMULATED) && __CUDA_ARCH__ >= 800
template <class T>
inline void fetch(T* to, const char* from) {
  constexpr unsigned kUnit = alignof(T) > 8 ? 8 : alignof(T);
  if constexpr (kUnit < 4) {
    *to = *reinterpret_cast<const T*>(from);
  } else {
    const auto place = static_cast<unsigned>(__cvta_generic_to_shared(to));
#pragma unroll
    for (unsigned i = 0; i < sizeof(T); i += kUnit) {
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place + i), "l"(from + i),
                   "n"(kUnit)
                   : "memory");
    }
  }
}
inline void wait_for_fetched() { asm volatile("cp.async.wait_all;" ::: "memory"); }
#else
template <class T>
inline void fetch(T* to, const char* from) {
  *to = *reinterpret_cast<const T*>(from);
}
inline void wait_for_fetched() {}
#endif

// The larger of two numbers, or the smaller: NaN where one is, 0 before -0.
#if defined(__CUDACC_RTC__) && !defined(STRIDER_EMULATED) && __CUDA_ARCH__ >= 800
inline float larger(float x, float y) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}
inline float smaller(float x, float y) {
  float result;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(x), "f"(y));
  return result;
}
#else
inline float larger(float x, float y) {
  if (x == 0 && y == 0) return x + y;
  return (y < x) | (x != x) ? x : y;
}
inline float smaller(float x, float y) {
  if (x == 0 && y == 0) return -(-x - y);
  return (x < y) | (x != x) ? x : y;
}
#endif

#ifdef STRIDER_EMULATED
inline std::uint16_t narrow(float value) { return strider_processor->narrow(value); }
inline float widen(std::uint16_t half) { return strider_processor->widen(half); }
#elif defined(__CUDACC_RTC__)
// Halves from and to floats.
inline std::uint16_t narrow(float value) {
  std::uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}
inline float widen(std::uint16_t half) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
}
#endif

}  // namespace strider::nd::device
