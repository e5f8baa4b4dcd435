// What the special methods of built-in types say of themselves.
#pragma once

#include <string>
#include <string_view>

namespace strider::lang {

// The documentation of a special method, as CPython words it; empty for others.
std::string slot_doc(std::string_view name);

}  // namespace strider::lang
