// The protocol __array_function__: classes of arguments answer calls of numpy's functions.
#pragma once

#include <string_view>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// Makes a function of numpy ask the classes of its arguments first, unless its name is one of
// those that never do (they make arrays of anything).
void make_overridable(const Value& function, std::string_view name);

// ndarray.__array_function__(func, types, args, kwargs): what the function itself answers.
Value run_implementation(const Parameters& parameters);

}  // namespace strider::lang
