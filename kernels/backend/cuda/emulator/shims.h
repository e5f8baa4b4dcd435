// The words of CUDA's language for the host's compiler, over processor.h: put before a kernel's
// text, which brings its own library. Shared memory is in a section of its own, so that it can be
// spoilt between blocks.
#pragma once

#define STRIDER_EMULATED
#define __CUDACC_RTC__
#define __noinline__ __attribute__((noinline))
#define __global__ __attribute__((visibility("default")))
#define __shared__ __attribute__((section("strider_shared"))) static
#define __constant__
#define __launch_bounds__(...)
#define __grid_constant__

extern "C" {
#define STRIDER_REAL(name) \
  float name##f(float);    \
  double name(double);
#define STRIDER_REAL2(name)    \
  float name##f(float, float); \
  double name(double, double);
STRIDER_REAL(fabs)
STRIDER_REAL(sqrt)
STRIDER_REAL(rint)
STRIDER_REAL(floor)
STRIDER_REAL(ceil)
STRIDER_REAL(trunc)
STRIDER_REAL(exp)
STRIDER_REAL(exp2)
STRIDER_REAL(expm1)
STRIDER_REAL(log)
STRIDER_REAL(log2)
STRIDER_REAL(log10)
STRIDER_REAL(log1p)
STRIDER_REAL(cbrt)
STRIDER_REAL(sin)
STRIDER_REAL(cos)
STRIDER_REAL(tan)
STRIDER_REAL(asin)
STRIDER_REAL(acos)
STRIDER_REAL(atan)
STRIDER_REAL(sinh)
STRIDER_REAL(cosh)
STRIDER_REAL(tanh)
STRIDER_REAL(asinh)
STRIDER_REAL(acosh)
STRIDER_REAL(atanh)
STRIDER_REAL2(copysign)
STRIDER_REAL2(hypot)
STRIDER_REAL2(fmod)
STRIDER_REAL2(nextafter)
STRIDER_REAL2(atan2)
STRIDER_REAL2(pow)
#undef STRIDER_REAL
#undef STRIDER_REAL2
float fmaf(float, float, float);
double fma(double, double, double);
float frexpf(float, int*);
double frexp(double, int*);
float ldexpf(float, int);
double ldexp(double, int);

// Set by whoever runs the kernel; and where its shared memory begins and ends.
__attribute__((visibility("default"))) strider::nd::cuda::emulator::Processor* strider_processor;
extern char __start_strider_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_strider_shared[] __attribute__((weak, visibility("hidden")));
__attribute__((visibility("default"))) char* strider_shared_begin() {
  return __start_strider_shared;
}
__attribute__((visibility("default"))) char* strider_shared_end() { return __stop_strider_shared; }
}

#define threadIdx (strider_processor->thread)
#define blockIdx (strider_processor->block)
#define blockDim (strider_processor->threads)
#define gridDim (strider_processor->blocks)

inline void __syncthreads() {
  strider_processor->wait(*strider_processor, strider::nd::cuda::emulator::Barrier::kBlock);
}
inline void __syncwarp(unsigned = ~0u) {
  strider_processor->wait(*strider_processor, strider::nd::cuda::emulator::Barrier::kWarp);
}

// Hands a value to the other threads of the warp; whence these take it.
inline const unsigned long* strider_hand(unsigned long value) {
  auto& processor = *strider_processor;
  const unsigned me = threadIdx.x;
  unsigned long* handed = processor.handed[processor.turn[me] ^= 1];
  handed[me] = value;
  __syncwarp();
  return handed;
}
inline unsigned __shfl_sync(unsigned, unsigned value, unsigned lane, unsigned width = 32) {
  const unsigned me = threadIdx.x;
  return static_cast<unsigned>(strider_hand(value)[me / width * width + lane % width]);
}
inline bool __any_sync(unsigned, bool value) {
  const unsigned warp = threadIdx.x / 32 * 32;
  const unsigned long* handed = strider_hand(value);
  bool any = false;
  for (unsigned i = warp; i < warp + 32 && i < blockDim.x; ++i) {
    any |= !strider_processor->done[i] && handed[i];
  }
  return any;
}

inline unsigned atomicOr(unsigned* word, unsigned bits) {
  return __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}
inline unsigned __brev(unsigned bits) { return __builtin_bitreverse32(bits); }
inline unsigned long __brevll(unsigned long bits) { return __builtin_bitreverse64(bits); }
inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long>(x) * y >> 32);
}
inline unsigned long __umul64hi(unsigned long x, unsigned long y) {
  return static_cast<unsigned long>(static_cast<unsigned __int128>(x) * y >> 64);
}
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long x) { return __builtin_popcountl(x); }
