// How routines of doubles are called for this length of vectors, ours and SLEEF's.
#pragma once

#include <sleef.h>

#if defined(__AVX512F__)
#define STRIDER_NAME(name) strider_##name##_d8
#define STRIDER_USUAL(name) Sleef_finz_##name##d8_u10avx512f
#else
#define STRIDER_NAME(name) strider_##name##_d4
#define STRIDER_USUAL(name) Sleef_finz_##name##d4_u10avx2
#endif
