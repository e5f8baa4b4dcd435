// Behind native calls: what interrupted them is noticed there. Loops and calls of the program's own
// functions look for themselves.
#pragma once

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/program/interpreter.h"

namespace strider::lang {

// What native code made (Empty: it raised), unless an interrupt that came meanwhile raises.
[[gnu::always_inline]] inline Value noticed(const Frame& frame, Value&& made) {
  if (!made.is_empty()) [[likely]]
    poll_interrupt(*frame.interpreter);
  return std::move(made);
}

}  // namespace strider::lang
