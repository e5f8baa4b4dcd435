// The submodules of numpy that need no native functions: lib, testing, polynomial, exceptions.
#pragma once

#include <string_view>

#include "interpreter/runtime/program/module.h"

namespace strider::lang {

// The submodule of a dotted name, or null.
const NativeModule* find_numpy_namespace(std::string_view name);

}  // namespace strider::lang
