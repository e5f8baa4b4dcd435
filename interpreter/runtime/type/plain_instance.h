// Objects that are no more than a class and attributes: how copies and pickles take most of them.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Dict;

// Whether an object is of a class of the language that leaves it to object how it is rebuilt: made
// by cls.__new__(cls), then given its attributes. False where the library knows better
// (pickle._parts), where a function is registered for the class, and of classes with slots.
bool is_plain_instance(const Value& value);
// Its attributes, as a dict of its own.
Ref<Dict> copy_attributes(const Value& plain_instance);

}  // namespace strider::lang
