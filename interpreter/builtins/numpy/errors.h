// Errors and warnings of numpy: its exception classes, what floating-point conditions become, and
// warnings with their place in the program.
#pragma once

#include <strider/nd/place.h>

#include <string_view>

#include "interpreter/runtime/error/error.h"

namespace strider::lang {

Type& axis_error();
Type& linalg_error();
// NumPy has a class for each way in which a ufunc refuses types: that of a message.
Type& ufunc_type_error(std::string_view message);
Type& array_memory_error();
Type& complex_warning();
Type& rank_warning();
Type& visible_deprecation_warning();
Type& too_hard_error();
Type& dtype_promotion_error();

// Issues a warning about the line that is running, through the module warnings.
void warn(Type& category, std::string_view message);
// The same about another line.
void warn_at(const nd::Place& place, Type& category, std::string_view message);
// Connects the array library's errors and floating-point conditions with the language. Idempotent.
void install_numpy_errors();

}  // namespace strider::lang
