// What all awaitables have in common for programs; coroutines' wrappers; `async for`.
#include "interpreter/evaluator/frames/awaitable.h"

#include "interpreter/evaluator/delegation.h"
#include "interpreter/evaluator/frames/async_generator.h"
#include "interpreter/evaluator/frames/generator_rows.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"

namespace strider::lang {
namespace {

Awaitable& self_of(const Value& self) { return *self.as<Awaitable>(); }

Value step(const Value& self, const Value& sent, const Ref<Exception>& thrown) {
  Value item, result = Value::none();
  if (self_of(self).advance(sent, thrown, item, result)) return item;
  return result.is_none() ? fail_message(errors::StopIteration(), "")
                          : fail_value(errors::StopIteration(), result);
}

const NativeRow kMethods[] = {
    {"__await__(self, /)", [](const Parameters& p) { return p[0]; }, "Itself."},
    {"__next__(self, /)", [](const Parameters& p) { return step(p[0], Value::none(), nullptr); },
     "What is awaited next."},
    {"send(self, value, /)", [](const Parameters& p) { return step(p[0], p[1], nullptr); },
     "Goes on with a value; gives what is awaited next."},
    {"throw(self, type, value=None, traceback=None, /)",
     [](const Parameters& p) { return step(p[0], Value::none(), exception_to_throw(p)); },
     "Raises an exception where it waits."},
    {"close(self, /)",
     [](const Parameters& p) {
       self_of(p[0]).close();
       return Value::none();
     },
     "Ends it where it waits."},
};

bool is_stop(const Raised& raised) {
  return raised.exception->type()->is_subclass_of(&errors::StopAsyncIteration());
}

Value find_async_method(const Value& object, Name name, const char* refusal) {
  Value method = find_special(object, name);
  if (method.is_empty()) raise(errors::TypeError, "{} {}", refusal, type_name(object));
  return method;
}

}  // namespace

Type& Awaitable::make_type(const char* name) {
  auto* made = new Type(name, &Type::object_type());
  made->slots.iterate = [](const Value& self) { return self; };
  made->slots.next = [](const Value& self, Value& item) {
    Value result;
    return self_of(self).advance(Value::none(), nullptr, item, result);
  };
  made->add(kMethods);
  return *made;
}

Awaitable* awaitable_of(const Value& value) {
  if (!value.has_layout(Layout::kOther)) return nullptr;
  const Type* type = value.object()->type();
  bool is_one = type == &AsyncIteration::type_object() || type == &AsyncStep::sending_type() ||
                type == &AsyncStep::throwing_type() || type == &CoroutineWrapper::type_object();
  return is_one ? value.as<Awaitable>() : nullptr;
}

Value awaited(const Value& value) {
  if (is_coroutine(value)) {
    value.as<Generator>()->begin_awaiting();
    return value;
  }
  if (awaitable_of(value)) return value;
  static const Name helper = intern(".awaited");
  return call(get_attribute(Interpreter::current().builtins_module, helper), value);
}

Type& CoroutineWrapper::type_object() {
  static Type& type = make_type("coroutine_wrapper");
  return type;
}

bool CoroutineWrapper::advance(const Value& sent, const Ref<Exception>& thrown, Value& item,
                               Value& result) {
  return delegate_step(coroutine_, sent, thrown, item, result);
}

AsyncIteration::AsyncIteration(const Value& iterable) : Awaitable(&type_object()) {
  static const Name aiter = intern("__aiter__"), anext = intern("__anext__");
  iterator_ = call(find_async_method(iterable, aiter,
                                     "'async for' requires an object with __aiter__ method, got"));
  find_async_method(iterator_, anext,
                    "'async for' received an object from __aiter__ that does not implement "
                    "__anext__:");
}

Type& AsyncIteration::type_object() {
  static Type& type = *[] {
    static const PropertyRow attributes[] = {
        {"value", [](const Value& self) { return self.as<AsyncIteration>()->value(); }, nullptr,
         "What the last step gave."}};
    Type& made = make_type("async_iteration");
    made.add(attributes);
    return &made;
  }();
  return type;
}

void AsyncIteration::begin_step() {
  static const Name anext = intern("__anext__");
  waited_ = Value();
  if (iterator_.has_layout(Layout::kGenerator) &&
      iterator_.object()->type() == &Generator::async_type()) {
    waited_ = next_step(iterator_);
    return;
  }
  Value next;
  try {
    next = call(find_async_method(iterator_, anext,
                                  "'async for' requires an iterator with __anext__ method, got"));
  } catch (const Raised& raised) {
    if (is_stop(raised)) return;
    throw;
  }
  try {
    waited_ = awaited(next);
  } catch (const Raised& raised) {
    Ref<Exception> refusal = make_exception(
        Value(&errors::TypeError()),
        make_str(fmt::format("'async for' received an invalid object from __anext__: {}",
                             type_name(next))));
    refusal->cause = refusal->context = raised.exception;
    refusal->suppress_context = true;
    throw Raised{refusal};
  }
}

// One more step of what is waited for; `ended`: there are no more values.
bool AsyncIteration::wait(const Value& sent, const Ref<Exception>& thrown, Value& item,
                          Value& value, bool& ended) {
  Value waited = waited_;
  if (!waited.is_object() || waited.object()->type() != &AsyncStep::sending_type())
    return delegate_step(waited, sent, thrown, item, value);
  return waited.as<AsyncStep>()->advance_or_end(sent, thrown, item, value, ended);
}

bool AsyncIteration::advance(const Value& sent, const Ref<Exception>& thrown, Value& item,
                             Value& result) {
  result = Value::boolean(false);
  if (waited_.is_empty()) return false;
  try {
    Value value;
    bool ended = false;
    if (wait(sent, thrown, item, value, ended)) return true;
    if (!ended) value_ = std::move(value);
    result = Value::boolean(!ended);
  } catch (const Raised& raised) {
    if (!is_stop(raised)) throw;
  }
  waited_ = Value();
  return false;
}

void AsyncIteration::close() {
  if (!waited_.is_empty()) delegate_close(Value(waited_));
}

void AsyncIteration::traverse(Visitor& visitor) {
  visitor.visit(iterator_);
  visitor.visit(value_);
  visitor.visit(waited_);
}

}  // namespace strider::lang
