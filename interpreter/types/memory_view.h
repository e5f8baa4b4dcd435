// memoryview: a window on the bytes of a bytes or bytearray, without copying.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/value.h"

namespace strider::lang {

class Type;

Type& memory_view_type();
bool is_memory_view(const Value& value);
// The bytes seen; a view with a step other than 1 is refused with BufferError.
std::string_view memory_view_bytes(const Value& view);
// A copy of the bytes seen, whatever the step.
std::string copy_memory_view(const Value& view);

}  // namespace strider::lang
