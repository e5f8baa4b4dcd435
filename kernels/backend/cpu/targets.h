// The instruction sets that loops were built for: their namespaces, and which one runs here. Knows
// none of the loops.
#pragma once

#include "kernels/backend/cpu/kernels.h"

// Declares the same in the namespace of each: STRIDER_IN_TARGETS(void fill(Table& table);)
#ifdef STRIDER_KERNELS_AVX2
#define STRIDER_IN_AVX2(...) \
  namespace avx2 {           \
  __VA_ARGS__                \
  }
#define STRIDER_CASE_AVX2(call) \
  case Target::kAvx2:           \
    avx2::call;                 \
    break;
#else
#define STRIDER_IN_AVX2(...)
#define STRIDER_CASE_AVX2(call)
#endif
#ifdef STRIDER_KERNELS_AVX512
#define STRIDER_IN_AVX512(...) \
  namespace avx512 {           \
  __VA_ARGS__                  \
  }
#define STRIDER_CASE_AVX512(call) \
  case Target::kAvx512:           \
    avx512::call;                 \
    break;
#else
#define STRIDER_IN_AVX512(...)
#define STRIDER_CASE_AVX512(call)
#endif
#define STRIDER_IN_TARGETS(...) \
  namespace plain {             \
  __VA_ARGS__                   \
  }                             \
  STRIDER_IN_AVX2(__VA_ARGS__)  \
  STRIDER_IN_AVX512(__VA_ARGS__)

// Calls one of the namespace that this processor is served by: STRIDER_AT_BEST(fill(table))
#define STRIDER_AT_BEST(call)   \
  do {                          \
    switch (best_target()) {    \
      STRIDER_CASE_AVX512(call) \
      STRIDER_CASE_AVX2(call)   \
      default:                  \
        plain::call;            \
    }                           \
  } while (false)
