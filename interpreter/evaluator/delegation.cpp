// Generators are driven directly; other iterators through their methods.
#include "interpreter/evaluator/delegation.h"

#include "interpreter/evaluator/frames/awaitable.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// Runs an action; a StopIteration that it raises is the end, with its value as the result.
template <class Action>
bool guarded(Value& result, Action&& action) {
  try {
    action();
    return true;
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::StopIteration())) throw;
    if (raised.exception->args->size() > 0) result = (*raised.exception->args)[0];
  }
  return false;
}

bool throw_into(const Value& inner, const Ref<Exception>& thrown, Value& item, Value& result) {
  Value method = find_attribute(inner, names().throw_);
  if (method.is_empty()) throw Raised{thrown};
  return guarded(result, [&] { item = call(method, Value(thrown)); });
}

bool next_with_result(const Value& inner, Value& item, Value& result) {
  if (inner.has_layout(Layout::kIterator) || !type_of(inner)->has(Type::kUserDefined))
    return next(inner, item);
  return guarded(result, [&] {
    Value method = find_special(inner, names().next);
    if (method.is_empty())  // its class has lost it
      raise(errors::TypeError, "'{}' object is not an iterator", type_name(inner));
    item = call(method);
  });
}

}  // namespace

Value delegate_of(const Frame& frame, const Value& iterable, bool awaits) {
  if (awaits) return iterable;
  if (!is_coroutine(iterable)) return iterate(iterable);
  if (!frame.code->awaitable)
    raise_message(errors::TypeError(),
                  "cannot 'yield from' a coroutine object in a non-coroutine generator");
  return iterable;
}

bool delegate_step(const Value& inner, const Value& sent, const Ref<Exception>& thrown, Value& item,
                   Value& result) {
  result = Value::none();
  if (inner.has_layout(Layout::kGenerator)) {
    auto* generator = inner.as<Generator>();
    bool was_finished = generator->finished();
    bool more = thrown ? generator->throw_in(thrown, item) : generator->resume(sent, item);
    if (!more && !was_finished) result = generator->result();
    return more;
  }
  if (Awaitable* awaitable = awaitable_of(inner))
    return awaitable->advance(sent, thrown, item, result);
  if (thrown) return throw_into(inner, thrown, item, result);
  if (sent.is_none()) return next_with_result(inner, item, result);
  return guarded(result, [&] { item = call_method(inner, names().send, sent); });
}

void delegate_close(const Value& inner) {
  Value method = find_attribute(inner, names().close);
  if (!method.is_empty()) call(method);
}

}  // namespace strider::lang
