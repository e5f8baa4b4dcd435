// The vector routines of arctangents of doubles. Knows no loops.
#if defined(__AVX2__)
#include "kernels/backend/cpu/routines/arctangents_of_doubles.h"

#include "kernels/backend/cpu/routines/names.h"

namespace strider::nd::STRIDER_TARGET::lanes {

// Where numbers are of no extreme size, or one of them is 0.
__attribute__((noinline)) Doubles any_arctangent(Doubles y, Doubles x, Doubles result) {
  Doubles larger = greatest(magnitude(y), magnitude(x));
  Doubles smaller = least(magnitude(y), magnitude(x));
  auto plain =
      both(compare<_CMP_LE_OQ>(larger, all(0x1p500)), compare<_CMP_GE_OQ>(larger, all(0x1p-500)));
  plain = both(plain, either(compare<_CMP_GE_OQ>(smaller, all(0x1p-500)),
                             compare<_CMP_EQ_OQ>(smaller, all(0.0))));
  return everywhere(plain) ? result : choose(plain, result, STRIDER_USUAL(atan2)(y, x));
}

}  // namespace strider::nd::STRIDER_TARGET::lanes

using namespace strider::nd::STRIDER_TARGET::lanes;

extern "C" Doubles STRIDER_NAME(atan)(Doubles x) { return arctangent(x); }
extern "C" Doubles STRIDER_NAME(atan2)(Doubles y, Doubles x) { return arctangent(y, x); }

#undef STRIDER_NAME
#undef STRIDER_USUAL
#endif
