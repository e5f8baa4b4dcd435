// Arguments of networks' functions: windows as numbers, pairs and paddings by name, and any other
// conversion. Errors begin with the function's name.
#pragma once

#include <strider/nd/network.h>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// An integer, or a pair (down, across).
nd::WindowPair to_window_pair(const char* function, const char* name, const Value& value);
// An integer, (down, across), ((top, bottom), (left, right)), "same" or "valid".
nd::WindowPadding to_window_padding(const char* function, const Value& value);

// Inside a C++ catch block: raises what is being caught; a message of a TypeError or ValueError
// begins with both names then.
[[noreturn]] void raise_named(const char* function, const char* name);

// What convert() gives.
template <class Convert>
auto named_conversion(const char* function, const char* name, Convert&& convert) {
  try {
    return convert();
  } catch (...) {
    raise_named(function, name);
  }
}

}  // namespace strider::lang
