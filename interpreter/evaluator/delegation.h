// What `yield from` asks of the iterator it delegates to (PEP 380).
#pragma once

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

struct Frame;

// The iterator that `yield from iterable` delegates to; of an `await`, whose iterable is one
// already, that.
Value delegate_of(const Frame& frame, const Value& iterable, bool awaits);
// Advances the inner iterator, handing in what was sent or thrown; false when it has ended, with
// its result.
bool delegate_step(const Value& inner, const Value& sent, const Ref<Exception>& thrown, Value& item,
                   Value& result);
// Closes the inner iterator if it can be closed.
void delegate_close(const Value& inner);

}  // namespace strider::lang
