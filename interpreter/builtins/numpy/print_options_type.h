// The class numpy.printoptions.
#pragma once

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

Type& print_options_type();

}  // namespace strider::lang
