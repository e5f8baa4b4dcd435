// The part of os that works on processes: waiting for them, their ends, priorities and limits.
#pragma once

#include <sys/resource.h>

#include <cstddef>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/program/module.h"

namespace strider::lang {

extern const NativeRow kProcessFunctions[];
extern const std::size_t kProcessFunctionCount;
// A constant that programs use with processes and descriptors; Empty for other names.
Value process_constant(std::string_view name);
// Further functions and constants, of os_waiting.
extern const NativeRow kWaitingFunctions[];
extern const std::size_t kWaitingFunctionCount;
Value waiting_constant(std::string_view name);
// What a process used: times in seconds and counts, in the order of struct_rusage.
Value told_usage(const rusage& used);

}  // namespace strider::lang
