// Arguments of windows: numbers, pairs, paddings by name. Errors begin with the function's name.
#pragma once

#include <strider/nd/network.h>

#include "interpreter/runtime/value.h"

namespace strider::lang {

// An integer, or a pair (down, across).
nd::WindowPair to_window_pair(const char* function, const char* name, const Value& value);
// An integer, (down, across), ((top, bottom), (left, right)), "same" or "valid".
nd::WindowPadding to_window_padding(const char* function, const Value& value);

}  // namespace strider::lang
