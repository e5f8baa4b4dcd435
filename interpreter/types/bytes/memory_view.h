// memoryview: a window on the memory of another object, without copying.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Type;

Type& memory_view_type();
bool is_memory_view(const Value& value);
// The bytes seen; a view whose elements do not follow each other is refused with BufferError.
std::string_view memory_view_bytes(const Value& view);
// A copy of the bytes seen, element by element.
std::string copy_memory_view(const Value& view);

}  // namespace strider::lang
