// The vector routines of arcsines and arccosines of doubles. Knows no loops.
#if defined(__AVX2__)
#include "kernels/backend/cpu/routines/arcsines_of_doubles.h"

using namespace strider::nd::STRIDER_TARGET::lanes;

#if defined(__AVX512F__)
extern "C" Doubles strider_asin_d8(Doubles x) { return arcsine(x); }
extern "C" Doubles strider_acos_d8(Doubles x) { return arccosine(x); }
#else
extern "C" Doubles strider_asin_d4(Doubles x) { return arcsine(x); }
extern "C" Doubles strider_acos_d4(Doubles x) { return arccosine(x); }
#endif
#endif
