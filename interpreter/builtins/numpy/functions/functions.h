// The tables of numpy's native functions, by file. The module looks names up in them in turn.
#pragma once

#include <span>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/program/module.h"

namespace strider::lang {

std::span<const NativeRow> creation_functions();
std::span<const NativeRow> sequence_functions();
std::span<const NativeRow> reduction_functions();
std::span<const NativeRow> shape_functions();
std::span<const NativeRow> type_functions();
std::span<const NativeRow> error_state_functions();

}  // namespace strider::lang
