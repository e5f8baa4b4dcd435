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
