// numpy.errstate and its functions: what floating-point conditions do.
#pragma once

#include "interpreter/runtime/type.h"

namespace strider::lang {

// Hands floating-point conditions of array operations to the state in force.
void install_error_state();
// The class numpy.errstate.
Type& error_state_type();

}  // namespace strider::lang
