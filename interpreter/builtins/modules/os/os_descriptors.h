// The part of os that works on descriptors, devices, extended attributes and identities.
#pragma once

#include <cstddef>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/program/module.h"

namespace strider::lang {

extern const NativeRow kDescriptorFunctions[];
extern const std::size_t kDescriptorFunctionCount;
// A constant that programs use with these; Empty for other names.
Value descriptor_constant(std::string_view name);

}  // namespace strider::lang
