// _threads: threads that take turns, as threading uses them.
#include <algorithm>

#include "interpreter/builtins/registry.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/program/context_parts.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

Value start(const Parameters& p) {
  own_threads(Interpreter::current()).start(p[0], p[1]);
  return Value::none();
}

Value current(const Parameters&) {
  const auto& some = Interpreter::current().threads;
  Value identity = some ? some->current() : Value();
  return identity.is_empty() ? Value::none() : identity;
}

Value context(const Parameters&) {
  const auto& some = Interpreter::current().threads;
  return some && !some->context().is_empty() ? some->context() : Value::none();
}

Value enter(const Parameters& p) {
  own_threads(Interpreter::current()).enter(p[0]);
  return Value::none();
}

class Parts : public Object {
 public:
  Parts(ContextParts parts, Type* type) : Object(Layout::kOther, type), parts(std::move(parts)) {}
  ContextParts parts;
};

Type& parts_type() {
  static Type& type = *[] {
    Type& made = new_type("ContextParts", Type::object_type());
    made.instance_layout = Layout::kOther;
    made.doc = "What belongs to a context besides its variables.";
    return &made;
  }();
  return type;
}

Value parts(const Parameters&) { return make_instance<Parts>(&parts_type(), context_parts()); }

Value use_parts(const Parameters& p) {
  ContextParts used;
  if (!p[0].is_none()) used = p[0].as<Parts>()->parts;
  exchange_context_parts(used);
  return Value::none();
}

Value are_alone(const Parameters&) {
  return Value::boolean(!has_other_threads(Interpreter::current()));
}

Value wait(const Parameters& p) {
  double seconds = p[0].is_none() ? kLongestNap : std::min(to_double(p[0]), kLongestNap);
  wait_a_little(Interpreter::current(), seconds);
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"start(identity, body, /)", start, "Begins a thread that calls a function."},
    {"current()", current, "The identity of the thread that runs; None: the main thread."},
    {"context()", context, "The context of variables that the running thread is in, or None."},
    {"enter(context, /)", enter, "Makes a context that of the running thread."},
    {"parts()", parts, "What belongs to the context at hand besides its variables."},
    {"use_parts(parts, /)", use_parts, "Puts such parts in force; None: as contexts begin."},
    {"are_alone()", are_alone, "Whether the main thread is the only one."},
    {"wait(seconds=None, /)", wait,
     "Lets the others have their turns; at most so long where nobody has anything to do."},
};

}  // namespace

const NativeModule kThreadsModule = {"_threads", "Threads that take turns.", kFunctions, {}};

}  // namespace strider::lang
