// What the collector asks of the evaluator, which knows what paused bodies have still to do.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Ends a paused generator: its `finally` blocks run; an asynchronous one is given to the hook that
// was set when it began, which may keep it. False where there is nothing to do.
bool end_generator(Object& generator);

}  // namespace strider::lang
