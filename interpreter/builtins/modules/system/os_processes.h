// The part of os that works on processes: waiting for them, their ends, priorities and limits.
#pragma once

#include <cstddef>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/program/module.h"

namespace strider::lang {

extern const NativeRow kProcessFunctions[];
extern const std::size_t kProcessFunctionCount;
// A constant that programs use with processes and descriptors; Empty for other names.
Value process_constant(std::string_view name);

}  // namespace strider::lang
