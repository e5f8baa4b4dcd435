// Which manner each function of NumPy written in C, Cython or Python has of refusing arguments.
#pragma once

#include "interpreter/runtime/call/native_arguments.h"

namespace strider::lang {

// Has calls of numpy's functions checked in their manners.
void install_argument_manners();
// Binds what a constructor compiled by Cython is given: "__init__() takes exactly 1 positional
// argument (0 given)".
void bind_compiled(const Signature& signature, const Arguments& arguments, Value* slots);

}  // namespace strider::lang
