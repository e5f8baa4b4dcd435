// The two types that everything else is made from: `object` and `type`.
#pragma once

namespace strider::lang {

class Type;

// Fill in what the freshly made roots can do.
void set_up_object_type(Type& object);
void set_up_type_type(Type& type);

}  // namespace strider::lang
