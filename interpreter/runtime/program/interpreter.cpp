// The current interpreter of each native thread, interrupts, and the turns of a program's threads.
#include "interpreter/runtime/program/interpreter.h"

#include <cassert>
#include <cstdio>
#include <utility>

#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/program/watcher.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

thread_local Interpreter* current_interpreter = nullptr;

}  // namespace

Interpreter::Interpreter()
    : builtins(make_dict()), modules(make_dict()), search_path(make_list()) {}
Interpreter::~Interpreter() = default;

Interpreter& Interpreter::current() { return *current_interpreter; }
bool Interpreter::exists() { return current_interpreter != nullptr; }

CurrentInterpreter::CurrentInterpreter(Interpreter& interpreter)
    : previous_(std::exchange(current_interpreter, &interpreter)) {}
CurrentInterpreter::~CurrentInterpreter() { current_interpreter = previous_; }

void require_outside() {
  if (Interpreter::current().isolated)
    raise_message(errors::PermissionError(), "not allowed in an isolated session");
}

Ref<Exception> take_interrupt(Interpreter& interpreter) {
  bool again = interpreter.stopping.load(std::memory_order_relaxed);
  interpreter.interrupt_requested.store(again, std::memory_order_relaxed);
  interpreter.attention.store(again || interpreter.watcher, std::memory_order_relaxed);
  return make<Exception>(&errors::KeyboardInterrupt(), empty_tuple());
}

Ref<Exception> take_raised(Interpreter& interpreter) {
  assert(interpreter.raised);
  return std::move(interpreter.raised);
}

void throw_raised(Interpreter& interpreter) { throw Raised{take_raised(interpreter)}; }

RaisedAside::RaisedAside() {
  if (Interpreter::exists()) raised_ = std::move(Interpreter::current().raised);
}

RaisedAside::~RaisedAside() {
  if (raised_) Interpreter::current().raised = std::move(raised_);
}

void raise_interrupt(Interpreter& interpreter) {
  if (interpreter.threads && !interpreter.threads->in_main()) {  // the main thread's
    interpreter.attention.store(true, std::memory_order_relaxed);
    return;
  }
  Ref<Exception> interrupt = take_interrupt(interpreter);
  bool ends = interpreter.stopping.load(std::memory_order_relaxed);
  if (ends || interpreter.interrupt_handler.is_empty()) raise_exception(std::move(interrupt));
  call(Value(interpreter.interrupt_handler));
}

void attend(Interpreter& interpreter) {
  interpreter.attention.store(false, std::memory_order_relaxed);
  if (interpreter.threads) interpreter.threads->attend();
  // Calls look at what watches them where they look for attention.
  if (interpreter.watcher) interpreter.attention.store(true, std::memory_order_relaxed);
  poll_interrupt(interpreter);
}

}  // namespace strider::lang
