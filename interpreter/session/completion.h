// Completion: what may stand where a line of program text ends. Evaluates nothing.
#pragma once

#include <string_view>

#include "interpreter/session/lookup.h"
#include "interpreter/session/session.h"

namespace strider::lang {

// See Session::complete. Sorted, without repetitions; private names only when asked for by a `_`.
Completions complete_text(const Scope& scope, std::string_view text, std::size_t cursor);

}  // namespace strider::lang
