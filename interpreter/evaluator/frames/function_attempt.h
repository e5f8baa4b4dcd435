// A call of a function of the language by native code that hands failures on.
#pragma once

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// Calls a function (Layout::kFunction). Empty: it raised, and the exception waits to be taken.
Value attempt_function(const Value& callee, const Arguments& arguments);

}  // namespace strider::lang
