// The methods and attributes of int. Private to this room.
#pragma once

namespace strider::lang {

class Type;

void add_integer_methods(Type& type);

}  // namespace strider::lang
