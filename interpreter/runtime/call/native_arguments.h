// Checks of the arguments of native functions, with the messages of functions written in C.
#pragma once

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// TypeError where built-in functions would refuse the count of arguments or a keyword:
// "list.append() takes exactly one argument (0 given)". Functions of NumPy are left to the
// signature.
void check_native_arguments(const NativeFunction& function, const Arguments& arguments);

}  // namespace strider::lang
