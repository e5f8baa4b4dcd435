// The methods of set and frozenset. Private to this room.
#pragma once

namespace strider::lang {

class Type;

void add_common_set_methods(Type& type);
void add_changing_set_methods(Type& type);

}  // namespace strider::lang
