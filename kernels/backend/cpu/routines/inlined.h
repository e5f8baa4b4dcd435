// Which of these routines loops take into themselves, where constants and tables stay in registers.
// The rest, and fused code, call them (table/elementary.def).
#pragma once

#include <strider/nd/ops.h>

#include "kernels/backend/cpu/routines/arcsines_of_doubles.h"
#include "kernels/backend/cpu/routines/arctangents_of_doubles.h"
#include "kernels/backend/cpu/routines/exponentials_of_doubles.h"
#include "kernels/backend/cpu/routines/logarithms_of_doubles.h"
#include "kernels/backend/cpu/routines/tangent_of_doubles.h"

namespace strider::nd::STRIDER_TARGET::lanes {

template <Op kOp, class T>
struct Inlined {
  static constexpr bool kExists = false;
};

#define STRIDER_INLINED(id, routine)                                 \
  template <>                                                        \
  struct Inlined<Op::id, double> {                                   \
    static constexpr bool kExists = true;                            \
    template <class... V>                                            \
    [[gnu::always_inline]] static inline Doubles call(V... values) { \
      return routine(values...);                                     \
    }                                                                \
  };
STRIDER_INLINED(kExp, exponential)
STRIDER_INLINED(kExp2, exponential2)
STRIDER_INLINED(kLog, logarithm<Natural>)
STRIDER_INLINED(kLog2, logarithm<ToBase2>)
STRIDER_INLINED(kLog10, logarithm<ToBase10>)
STRIDER_INLINED(kLog1p, logarithm_beyond_1)
STRIDER_INLINED(kTan, tangent)
STRIDER_INLINED(kArcsin, arcsine)
STRIDER_INLINED(kArccos, arccosine)
STRIDER_INLINED(kArctan, arctangent)
STRIDER_INLINED(kArctan2, arctangent)
#undef STRIDER_INLINED

}  // namespace strider::nd::STRIDER_TARGET::lanes
