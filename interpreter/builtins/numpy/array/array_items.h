// Items of arrays: a[key], a[key] = value, iteration. The fast paths of integers and slices stand
// here.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

Value get_array_item(const Value& self, const Value& key);
void set_array_item(const Value& self, const Value& key, const Value& value);
Value iterate_array(const Value& self);

}  // namespace strider::lang
