// functools.partial: a callable with some arguments already given.
#pragma once

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

Type& partial_type();

}  // namespace strider::lang
