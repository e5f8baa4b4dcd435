// What the collector asks of the evaluator, which knows what paused bodies have still to do.
#pragma once

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Ends a paused generator: its `finally` blocks run. False where there is nothing to do.
bool end_generator(Object& generator);

}  // namespace strider::lang
