// Facts: what a front tells about a value without running or computing anything of the program.
#pragma once

#include <string>
#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Signature, type, shape, place and documentation, a line each; with `detail` the source in place
// of the documentation, where it is known.
std::string describe_object(const Value& object, int detail);
// "(64, 128) float32" of an array, the signature of what can be called, else the type's name.
std::string short_detail(const Value& object);
// "function", "class", "module" or "instance".
std::string_view kind_of(const Value& object);

}  // namespace strider::lang
