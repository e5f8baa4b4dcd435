// Names of attributes that classes declare as __slots__.
#pragma once

#include <string_view>

#include "interpreter/runtime/value/value.h"
#include "interpreter/runtime/value/values.h"

namespace strider::lang {

// The items of a __slots__, or the one text that it is; private names as attributes of a class of
// that name have them. TypeError where an item is no text.
Values slot_names(const Value& slots, std::string_view class_name);

}  // namespace strider::lang
