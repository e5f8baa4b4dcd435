// Memory in programs built with sanitizers.
#pragma once

#include <cstddef>

namespace strider::sanitizers {

// From now on `new` throws std::bad_alloc where it would take the bytes in use beyond this.
void limit_memory(std::size_t bytes);

}  // namespace strider::sanitizers
