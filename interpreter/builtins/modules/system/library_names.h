// The names that CPython's library has: what sys tells of it. Knows no modules.
#pragma once

#include <string_view>
#include <vector>

namespace strider::lang {

// sys.stdlib_module_names, in order.
std::vector<std::string_view> library_names();
// sys.builtin_module_names, in order.
std::vector<std::string_view> built_in_names();

}  // namespace strider::lang
