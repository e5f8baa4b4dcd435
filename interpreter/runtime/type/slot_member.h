// What `Class.name` gives for a name of the class's __slots__.
#pragma once

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// The descriptor of an attribute that `cls` or one of its bases declares as a slot; Empty: none
// does. Instances find their slots without it, so it is made when a program asks for it.
Value find_slot_member(const Type& cls, Name name);
// Puts descriptors of slots into the namespace of a new class where a base has something else under
// the name, a property for one, which would be found instead, and of special names, which are
// looked for in the class.
void shadow_by_slots(Type& cls, Dict& space);
Type& slot_member_type();

}  // namespace strider::lang
