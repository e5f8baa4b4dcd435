// Loops over any iterable, with the range, list, tuple and text cases walked in place.
#pragma once

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/memory/collector.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

inline void bind(Frame& frame, const Target& target, Value item) {
  if (target.slot >= 0)
    frame.locals[target.slot] = std::move(item);
  else
    target.assign(frame, std::move(item));
}

// An iterator may give items in this many parts, which are held on the stack.
inline constexpr std::size_t kMostParts = 8;

// The parts of a target whose items this iterator can give in parts; else null.
inline const std::vector<Target*>* matching_parts(const Target& target, const Iterator& iterator) {
  const std::vector<Target*>* parts = target.parts();
  if (!parts || parts->empty() || parts->size() > kMostParts) return nullptr;
  return parts->size() == iterator.part_count() ? parts : nullptr;
}

// The next item, bound to the parts of a target; false at the end. `values` are Empty before and
// after.
inline bool advance_in_parts(Frame& frame, const std::vector<Target*>& parts, Iterator& iterator,
                             Value* values) {
  if (!iterator.advance_parts(values)) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) bind(frame, *parts[i], std::move(values[i]));
  return true;
}

template <class Body>
void for_each_number(Frame& frame, const Target& target, const Range& range, Body&& body) {
  std::int64_t count = range.size();
  std::int64_t item = range.start;
  for (; count > 0; --count, item += range.step) {
    poll_attention(*frame.interpreter);
    bind(frame, target, Value::integer(item));
    if (!body()) return;
    if (count == 1) return;  // the next item may not fit
  }
}

// `sequence` is a list or tuple; lists may change meanwhile.
template <class Sequence, class Body>
void for_each_place(Frame& frame, const Target& target, const Sequence& sequence, Body&& body) {
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    poll_attention(*frame.interpreter);
    bind(frame, target, Value(sequence[i]));
    if (!body()) return;
  }
}

// Text that is all ASCII, whose characters are shared.
template <class Body>
void for_each_character(Frame& frame, const Target& target, std::string_view text, Body&& body) {
  const Ref<Str>* characters = &ascii_character('\0');
  for (char character : text) {
    poll_attention(*frame.interpreter);
    bind(frame, target, Value(characters[static_cast<unsigned char>(character)]));
    if (!body()) return;
  }
}

template <class Body>
void for_each_advance(Frame& frame, const NodeBase* at, const Target& target, Iterator& iterator,
                      Body&& body) {
  const std::vector<Target*>* parts = matching_parts(target, iterator);
  Value item, values[kMostParts];
  for (;;) {
    frame.at = at;
    poll_attention(*frame.interpreter);
    if (parts) {
      if (!advance_in_parts(frame, *parts, iterator, values)) return;
    } else {
      if (!iterator.advance(item)) return;
      bind(frame, target, std::move(item));
    }
    if (!body()) return;
  }
}

// Binds each item to the target and calls body() until it returns false. `at` is named in errors
// of the iteration itself. The caller keeps `iterable` alive.
template <class Body>
void for_each_item(Frame& frame, const NodeBase* at, const Target& target, const Value& iterable,
                   Body&& body) {
  frame.at = at;
  if (iterable.has_layout(Layout::kRange))
    return for_each_number(frame, target, *iterable.as<Range>(), body);
  if (is_list(iterable) && iterable.as<List>()->is_exact())
    return for_each_place(frame, target, iterable.as<List>()->items, body);
  if (is_tuple(iterable) && iterable.as<Tuple>()->is_exact())
    return for_each_place(frame, target, *iterable.as<Tuple>(), body);
  if (is_str(iterable) && iterable.as<Str>()->is_exact() && iterable.as<Str>()->is_ascii())
    return for_each_character(frame, target, text_of(iterable), body);
  Value iterator = iterate(iterable);
  if (iterator.has_layout(Layout::kIterator))
    return for_each_advance(frame, at, target, *iterator.as<Iterator>(), body);
  Value item;
  while (next(iterator, item)) {
    poll_attention(*frame.interpreter);
    bind(frame, target, std::move(item));
    if (!body()) return;
    frame.at = at;
  }
}

}  // namespace strider::lang
