// One element of a buffer as a value: by the letters of the modules struct and array.
#pragma once

#include <cstdint>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Bytes of one element; 0: no such letter ("?bBhHiIlLqQnNfdcu" are).
int element_size(char code);
Value read_element(const char* place, char code);
// OverflowError and TypeError with the module array's words.
void write_element(char* place, char code, const Value& value);

}  // namespace strider::lang
