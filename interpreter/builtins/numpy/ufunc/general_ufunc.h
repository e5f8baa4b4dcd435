// matmul and its kin as ufunc objects: functions of vectors and matrices with a signature.
#pragma once

#include <string_view>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// The one object of that name (matmul, vecdot, matvec, vecmat); Empty for other names.
Value find_general_ufunc(std::string_view name);

}  // namespace strider::lang
