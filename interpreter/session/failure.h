// Failure: how the end of an execution by an exception is told to a front.
#pragma once

#include "interpreter/runtime/error/error.h"
#include "interpreter/session/session.h"

namespace strider {

// The outcome of an exception that nobody caught. Frames of the library for fronts and the calls
// that commands became are left out of its traceback; misused commands have none.
Outcome failure_outcome(lang::Exception& exception);

}  // namespace strider
