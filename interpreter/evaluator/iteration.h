// Loops over any iterable, with the range, list and tuple cases walked in place.
#pragma once

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/collector.h"
#include "interpreter/types/iterator.h"
#include "interpreter/types/sequence.h"

namespace strider::lang {

// Calls body(item) for each item until it returns false. `at` is named in errors of the iteration
// itself.
template <class Body>
void for_each_item(Frame& frame, const NodeBase* at, const Value& iterable, Body&& body) {
  frame.at = at;
  if (iterable.has_layout(Layout::kRange)) {
    const auto& range = *iterable.as<Range>();
    std::int64_t count = range.size();
    std::int64_t item = range.start;
    for (; count > 0; --count, item += range.step) {
      poll_interrupt(*frame.interpreter);
      if (!body(Value::integer(item))) return;
      if (count == 1) return;  // the next item may not fit
    }
    return;
  }
  Iteration iteration(iterable);
  Value item;
  while (iteration.next(item)) {
    poll_interrupt(*frame.interpreter);
    if (!body(std::move(item))) return;
    frame.at = at;
  }
}

}  // namespace strider::lang
