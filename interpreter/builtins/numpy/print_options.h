// The printing options in force: numpy.set_printoptions and numpy.printoptions.
#pragma once

#include <strider/nd/format.h>

#include <memory>
#include <span>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

std::shared_ptr<const nd::PrintOptions> print_options();
// What repr(array) calls instead (printoptions' `override_repr`), or None.
Value repr_override();

// Makes the options part of contexts.
void install_print_options();

// array2string, set_printoptions, format_float_positional and their kin.
std::span<const NativeRow> print_functions();

}  // namespace strider::lang
