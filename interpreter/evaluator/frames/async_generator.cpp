// The type `async_generator`, and how its steps go on: as PEP 525 has them, CPython's messages.
#include "interpreter/evaluator/frames/async_generator.h"

#include "interpreter/evaluator/frames/generator_rows.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/generic_alias.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

bool ends_generator(const Exception& exception) {
  return exception.type()->is_subclass_of(&errors::StopAsyncIteration()) ||
         exception.type()->is_subclass_of(&errors::GeneratorExit());
}

[[noreturn]] void raise_stop() {
  throw Raised{make<Exception>(&errors::StopAsyncIteration(), empty_tuple())};
}

using Does = AsyncStep::Does;

// Tells the hooks of a generator that begins (PEP 525).
void begin_generator(const Value& self) {
  auto& state = self.as<Generator>()->async;
  if (state.begun) return;
  state.begun = true;
  static const Name begin = intern(".begin_async_generator");
  Value finalizer = call(get_attribute(Interpreter::current().builtins_module, begin), self);
  if (!finalizer.is_none()) state.finalizer = finalizer;
}

Value make_step(const Value& self, Does does, const Value& sent, const Ref<Exception>& thrown) {
  begin_generator(self);
  return make<AsyncStep>(self, does, sent, thrown);
}

const NativeRow kMethods[] = {
    {"__aiter__(self, /)", [](const Parameters& p) { return p[0]; }, "Itself."},
    {"__anext__(self, /)", [](const Parameters& p) { return next_step(p[0]); },
     "The next value, when it is awaited."},
    {"asend(self, value, /)",
     [](const Parameters& p) { return make_step(p[0], Does::kSend, p[1], nullptr); },
     "What sends a value into the generator when it is awaited."},
    {"athrow(self, type, value=None, traceback=None, /)",
     [](const Parameters& p) {
       return make_step(p[0], Does::kThrow, Value::none(), exception_to_throw(p));
     },
     "What raises an exception in the generator when it is awaited."},
    {"aclose(self, /)",
     [](const Parameters& p) { return make_step(p[0], Does::kClose, Value::none(), nullptr); },
     "What ends the generator when it is awaited."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

const PropertyRow kAttributes[] = {
    {"ag_running",
     [](const Value& self) { return Value::boolean(self.as<Generator>()->async.runs); }, nullptr,
     "Whether a step of it has begun and not ended."},
    {"ag_frame", generator_frame, nullptr, "A frame until it has ended."},
    {"ag_await", generator_delegate, nullptr, "What it waits for."},
    {"ag_code", generator_code, nullptr, "Its function's code."},
};

}  // namespace

Type& Generator::async_type() {
  static Type& type = *[] {
    auto* made = new Type("async_generator", &Type::object_type());
    made->instance_layout = Layout::kGenerator;
    made->slots.repr = generator_repr;
    made->add(kMethods);
    made->add(kAttributes);
    made->add(kGeneratorNames);
    return made;
  }();
  return type;
}

Type& AsyncValue::type_object() {
  static Type& type = *new Type("async_generator_wrapped_value", &Type::object_type());
  return type;
}

Type& AsyncStep::sending_type() {
  static Type& type = make_type("async_generator_asend");
  return type;
}
Type& AsyncStep::throwing_type() {
  static Type& type = make_type("async_generator_athrow");
  return type;
}

AsyncStep::AsyncStep(const Value& generator, Does does, const Value& sent,
                     const Ref<Exception>& thrown)
    : Awaitable(does == Does::kSend ? &sending_type() : &throwing_type()),
      generator_(generator.as<Generator>()),
      does_(does),
      sent_(sent),
      thrown_(thrown) {}

// A step is awaited once.
void AsyncStep::check() {
  if (state_ != State::kEnded) return;
  raise(errors::RuntimeError, "cannot reuse already awaited {}",
        does_ == Does::kSend ? "__anext__()/asend()" : "aclose()/athrow()");
}

void AsyncStep::begin(const Value& sent) {
  constexpr const char* kNames[] = {"anext", "athrow", "aclose"};
  Generator& generator = *generator_;
  bool sends = does_ == Does::kSend;
  if (generator.async.runs) {
    if (!sends) state_ = State::kEnded;
    raise(errors::RuntimeError, "{}(): asynchronous generator is already running",
          kNames[static_cast<int>(does_)]);
  }
  if (sends) {
    if (!sent.is_none()) sent_ = sent;
  } else if (generator.async.closed) {
    state_ = State::kEnded;
    raise_stop();
  } else if (!sent.is_none()) {
    raise_message(errors::RuntimeError(), "can't send non-None value to a just-started coroutine");
  } else if (does_ == Does::kClose) {
    generator.async.closed = true;
    thrown_ = make<Exception>(&errors::GeneratorExit(), empty_tuple());
  }
  state_ = State::kBegun;
  generator.async.runs = true;
}

void AsyncStep::end(const Exception* failure) {
  state_ = State::kEnded;
  generator_->async.runs = false;
  if (failure && ends_generator(*failure)) generator_->async.closed = true;
}

// Whether the generator has yielded, which is what the step waited for.
bool AsyncStep::is_settled(Value& item, Value& result) {
  bool yielded =
      item.has_layout(Layout::kOther) && item.object()->type() == &AsyncValue::type_object();
  if (!yielded) return false;
  end(nullptr);
  if (does_ == Does::kClose)
    raise_message(errors::RuntimeError(), "async generator ignored GeneratorExit");
  result = item.as<AsyncValue>()->item;
  item = Value();
  return true;
}

bool AsyncStep::advance(const Value& sent, const Ref<Exception>& thrown, Value& item,
                        Value& result) {
  bool ended = false;
  bool more = advance_or_end(sent, thrown, item, result, ended);
  if (ended) raise_stop();
  return more;
}

bool AsyncStep::advance_or_end(const Value& sent, const Ref<Exception>& thrown, Value& item,
                               Value& result, bool& ended) {
  check();
  result = Value::none();
  Generator& generator = *generator_;
  bool begins = state_ == State::kCreated && !thrown;
  if (does_ != Does::kSend && !thrown && generator.finished()) {
    state_ = State::kEnded;
    return false;
  }
  if (begins) begin(sent);
  const Ref<Exception> raised_inside = begins ? std::move(thrown_) : thrown;
  try {
    bool more = raised_inside ? generator.throw_in(raised_inside, item)
                              : generator.resume(begins ? sent_ : sent, item);
    if (!more) {
      end(nullptr);
      generator.async.closed = true;
      ended = does_ != Does::kClose;
      return false;
    }
  } catch (const Raised& raised) {
    end(raised.exception.get());
    if (does_ == Does::kClose && ends_generator(*raised.exception)) return false;
    throw;
  }
  return !is_settled(item, result);
}

Value next_step(const Value& generator) {
  return make_step(generator, Does::kSend, Value::none(), nullptr);
}

void AsyncStep::traverse(Visitor& visitor) {
  visitor.visit(generator_);
  visitor.visit(sent_);
  if (thrown_) visitor.visit(thrown_);
}

}  // namespace strider::lang
