// Inspection: what is known about the name or call at a place of program text. Runs and computes
// nothing of the program.
#pragma once

#include <string_view>

#include "interpreter/session/lookup.h"
#include "interpreter/session/session.h"

namespace strider::lang {

// See Session::inspect.
Inspection inspect_text(const Scope& scope, std::string_view text, std::size_t cursor, int detail);

}  // namespace strider::lang
