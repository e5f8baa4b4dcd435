// The classes numpy.finfo and numpy.iinfo.
#pragma once

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

Type& float_info_type();
Type& integer_info_type();

}  // namespace strider::lang
