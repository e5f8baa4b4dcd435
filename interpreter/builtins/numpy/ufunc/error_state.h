// numpy.errstate and its functions: what floating-point conditions do.
#pragma once

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// Hands floating-point conditions of array operations to the state in force.
void install_error_state();
// What the warnings filters in force do with floating-point conditions that are warned of: whether
// the warnings may come when elements are computed, and whether anybody hears of them at all.
void announce_filters(bool can_wait, bool heard);
// The class numpy.errstate.
Type& error_state_type();

}  // namespace strider::lang
