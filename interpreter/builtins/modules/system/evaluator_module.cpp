// The module _evaluator: what the library's half of async functions and `except*` asks of the
// evaluator.
#include "interpreter/builtins/registry.h"
#include "interpreter/evaluator/frames/async_generator.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"

namespace strider::lang {
namespace {

// Its last line stands for the frame that handles it, which called the library: raised there again
// by `raise` alone, it gets no other.
Value handle_exception(const Parameters& p) {
  if (!p[0].has_layout(Layout::kException))
    raise(errors::TypeError, "exceptions are handled, not '{}'", type_name(p[0]));
  Interpreter& interpreter = Interpreter::current();
  interpreter.handled = p[0].as<Exception>();
  const Frame* user = interpreter.frame ? interpreter.frame->caller : nullptr;
  std::vector<TracebackEntry>& lines = interpreter.handled->traceback;
  if (user && !lines.empty() && lines.back().code.get() == user->code) lines.back().frame = user;
  return Value::none();
}

const Code& code_of(const Value& function) {
  if (!function.has_layout(Layout::kFunction))
    raise(errors::TypeError, "expected a function, not '{}'", type_name(function));
  return *function.as<Function>()->code;
}

AsyncIteration& iteration_of(const Value& value) {
  auto* iteration = dynamic_cast<AsyncIteration*>(awaitable_of(value));
  if (!iteration) raise(errors::TypeError, "expected an iteration, not '{}'", type_name(value));
  return *iteration;
}

// What library modules need of the evaluator: they write async functions and `except*`.
const NativeRow kEvaluatorFunctions[] = {
    {"let_await(function, /)",
     [](const Parameters& p) {
       code_of(p[0]).awaitable = true;
       return p[0];
     },
     "The generator function, whose generators can be awaited, and wait for coroutines."},
    {"as_async_generator(function, /)",
     [](const Parameters& p) {
       code_of(p[0]).pauses = Pauses::kAsyncGenerator;
       return p[0];
     },
     "The generator function, whose calls give asynchronous generators."},
    {"async_value(value, /)", [](const Parameters& p) { return Value(make<AsyncValue>(p[0])); },
     "What an asynchronous generator yields to hand out a value."},
    {"iteration(iterable, /)",
     [](const Parameters& p) { return Value(make<AsyncIteration>(p[0])); },
     "The steps of an `async for`."},
    {"step(iteration, /)",
     [](const Parameters& p) {
       iteration_of(p[0]).begin_step();
       return p[0];
     },
     "The next step, to be waited for: whether there is a value."},
    {"handle(exception, /)", handle_exception,
     "The exception is what is being handled until the handler ends."},
};

}  // namespace

const NativeModule kEvaluatorModule = {
    "_evaluator", "What async functions and `except*` need.", kEvaluatorFunctions, {}};

}  // namespace strider::lang
