// Completion: the names that may stand where a line of program text ends. Evaluates nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interpreter/runtime/module.h"

namespace strider::lang {

// Sorted, without repetitions: attributes behind a dot, modules in an import statement, else
// names of `main`, built-in names and keywords. Private names only when asked for by a `_`.
std::vector<std::string> complete_text(Module& main, Module& builtins,
                                       std::string_view text);

}  // namespace strider::lang
