// Objects that are no more than a class and attributes: how copies and pickles take most of them.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Dict;

// Whether an object is of a class of the language that leaves it to object how it is rebuilt: made
// by cls.__new__(cls), then given its attributes. False where the library knows better
// (pickle._parts), where a function is registered for the class, and of classes with slots.
bool is_plain_instance(const Value& value);
// What an object of a built-in type says of its parts by a __reduce_ex__ (from protocol 4 on) or
// __reduce__ of that type; Empty where it says nothing, or where a function is registered for it.
Value reduced_parts(const Value& value);
// A plain instance of the same class with the same attributes; Empty of objects whose classes have
// a say in how they are copied, made or given their state.
Value copy_instance(const Value& value);
// Its attributes, as a dict of its own.
Ref<Dict> copy_attributes(const Value& plain_instance);

}  // namespace strider::lang
