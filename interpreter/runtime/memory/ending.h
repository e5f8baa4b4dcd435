// What the collector asks of the evaluator, which knows what paused bodies have still to do.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Ends a paused generator: its `finally` blocks run. False where there is nothing to do.
bool end_generator(Object& generator);
// Gives an asynchronous generator that has not ended to the hook that was set when it began, which
// may keep it.
void hand_over_generator(Object& generator);

}  // namespace strider::lang
