// None, Ellipsis and NotImplemented: their types. (The objects: see runtime/protocol.h.)
#pragma once

#include "interpreter/runtime/value.h"

namespace strider::lang {

Type& none_type();
Type& ellipsis_type();
Type& not_implemented_type();

}  // namespace strider::lang
