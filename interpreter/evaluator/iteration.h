// Loops over any iterable, with the range, list and tuple cases walked in place.
#pragma once

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/collector.h"
#include "interpreter/types/iterator.h"
#include "interpreter/types/sequence.h"

namespace strider::lang {

template <class Body>
void for_each_number(Frame& frame, const Range& range, Body&& body) {
  std::int64_t count = range.size();
  std::int64_t item = range.start;
  for (; count > 0; --count, item += range.step) {
    poll_interrupt(*frame.interpreter);
    if (!body(Value::integer(item))) return;
    if (count == 1) return;  // the next item may not fit
  }
}

// `sequence` is a list or tuple; lists may change meanwhile.
template <class Sequence, class Body>
void for_each_place(Frame& frame, const Sequence& sequence, Body&& body) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    poll_interrupt(*frame.interpreter);
    if (!body(Value(sequence[i]))) return;
  }
}

template <class Body>
void for_each_advance(Frame& frame, const NodeBase* at, Iterator& iterator, Body&& body) {
  Value item;
  while (iterator.advance(item)) {
    poll_interrupt(*frame.interpreter);
    if (!body(std::move(item))) return;
    frame.at = at;
  }
}

// Calls body(item) for each item until it returns false. `at` is named in errors of the iteration
// itself. The caller keeps `iterable` alive.
template <class Body>
void for_each_item(Frame& frame, const NodeBase* at, const Value& iterable, Body&& body) {
  frame.at = at;
  if (iterable.has_layout(Layout::kRange))
    return for_each_number(frame, *iterable.as<Range>(), body);
  if (is_list(iterable) && iterable.object()->type() == &List::type_object())
    return for_each_place(frame, iterable.as<List>()->items, body);
  if (is_tuple(iterable) && iterable.object()->type() == &Tuple::type_object())
    return for_each_place(frame, *iterable.as<Tuple>(), body);
  Value iterator = iterate(iterable);
  if (iterator.has_layout(Layout::kIterator))
    return for_each_advance(frame, at, *iterator.as<Iterator>(), body);
  Value item;
  while (next(iterator, item)) {
    poll_interrupt(*frame.interpreter);
    if (!body(std::move(item))) return;
    frame.at = at;
  }
}

}  // namespace strider::lang
