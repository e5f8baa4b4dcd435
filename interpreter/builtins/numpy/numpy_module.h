// The module numpy and its namespaces.
#pragma once

#include <string_view>
#include <vector>

#include "interpreter/runtime/program/module.h"

namespace strider::lang {

// A submodule of `package`, or one of its names that are written in npx; Empty if there is none.
Value find_in_namespace(std::string_view package, std::string_view name);
// The names written in npx of a package.
void list_namespace(std::string_view package, std::vector<std::string_view>& names);

extern const NativeModule kNumpyModule;

}  // namespace strider::lang
