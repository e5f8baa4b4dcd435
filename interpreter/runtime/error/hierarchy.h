// The built-in exception classes as a whole. They are made when they are first named; what lists
// them wants them all.
#pragma once

#include <vector>

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

// The direct subclasses of an exception class: those that are built in, in alphabetical order, then
// the program's own, as they were made.
std::vector<Type*> exception_subclasses(const Type& base);

}  // namespace strider::lang
