// Modules that are being imported. Implemented by the builtins room.
#pragma once

#include <string_view>

namespace strider::lang {

// Whether the body of the module with this name is running still.
bool is_partially_initialized(std::string_view dotted_name);

}  // namespace strider::lang
