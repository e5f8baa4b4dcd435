// The vector routine of the tangent of doubles. Knows no loops.
#if defined(__AVX2__)
#include "kernels/backend/cpu/routines/tangent_of_doubles.h"

#include "kernels/backend/cpu/routines/names.h"

namespace strider::nd::STRIDER_TARGET::lanes {

__attribute__((noinline)) Doubles any_tangent(Doubles x, Doubles result) {
  return choose(plain_angle(x), result, STRIDER_USUAL(tan)(x));
}

}  // namespace strider::nd::STRIDER_TARGET::lanes

using namespace strider::nd::STRIDER_TARGET::lanes;

extern "C" Doubles STRIDER_NAME(tan)(Doubles x) { return tangent(x); }

#undef STRIDER_NAME
#undef STRIDER_USUAL
#endif
