// Checks of the arguments of native functions, with the messages of functions written in C.
#pragma once

#include "interpreter/runtime/call.h"
#include "interpreter/runtime/type.h"

namespace strider::lang {

[[noreturn]] void raise_bad_self(const NativeFunction& function, const Arguments& arguments);

// TypeError unless the first argument is an instance of the method's type.
inline void check_self(const NativeFunction& function, const Arguments& arguments) {
  if (arguments.count > 0) {
    Type* type = type_of(arguments.values[0]);
    if (type == function.owner() || type->is_subclass_of(function.owner())) return;
  }
  raise_bad_self(function, arguments);
}

// TypeError where built-in functions would refuse the count of arguments or a keyword:
// "list.append() takes exactly one argument (0 given)". Functions of NumPy are left to the
// signature.
void check_native_arguments(const NativeFunction& function, const Arguments& arguments);

}  // namespace strider::lang
