// What the sys module has for exceptions that nobody can be given; report_unraisable() calls it.
#pragma once

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// __unraisablehook__(unraisable): writes the report to sys.stderr.
Value sys_unraisablehook(const Parameters& p);

}  // namespace strider::lang
