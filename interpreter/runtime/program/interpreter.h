// Interpreter: the state of one running program: modules, search path, what is being handled,
// limits, interrupts.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/value/value.h"

namespace strider {
class Front;
}
namespace strider::syntax {
class Source;
}

namespace strider::lang {

class Dict;
class List;
class Threads;
class Watcher;
struct Frame;

class Interpreter {
 public:
  Interpreter();
  ~Interpreter();
  Interpreter(const Interpreter&) = delete;
  // The interpreter that runs on this thread.
  static Interpreter& current();
  static bool exists();

  Ref<Dict> builtins;  // the namespace of the module builtins, filled as names are first used
  Value builtins_module;
  Ref<Dict> modules;                         // sys.modules
  Ref<List> search_path;                     // sys.path
  std::vector<std::string> arguments;        // sys.argv
  std::vector<std::string> warning_filters;  // sys.warnoptions

  Frame* frame = nullptr;  // the innermost running function
  Ref<Exception> raised;   // what travels by return values, until somebody catches it
  Ref<Exception> handled;  // what an except or finally block is handling
  int depth = 1;           // nested calls of functions, the module included
  int recursion_limit = 1000;
  std::size_t most_digits = 4300;  // of an integer's decimal text; 0: no limit

  // Set by signal handlers and other threads; noticed at loop ends and calls, then raised as
  // KeyboardInterrupt, unless the program has set what is called instead.
  std::atomic<bool> interrupt_requested{false};
  std::atomic<unsigned> interrupts{0};  // how many were requested
  // Set beside it, and when the turn of a thread is over: what loop ends and calls look at.
  std::atomic<bool> attention{false};
  void request_interrupt() {  // in signal handlers, too
    interrupts.fetch_add(1, std::memory_order_relaxed);
    interrupt_requested.store(true, std::memory_order_relaxed);
    attention.store(true, std::memory_order_relaxed);
  }
  Value interrupt_handler;
  // Set beside it when the program must end: what it catches is raised again.
  std::atomic<bool> stopping{false};

  // What was typed at a prompt or in cells, by the names that stand for files.
  std::unordered_map<std::string, std::shared_ptr<const syntax::Source>> entries;

  // Where values and output are shown; null in scripts.
  Front* front = nullptr;
  // Shows the value of an expression that stands by itself at a prompt and keeps it, if not null.
  std::function<void(const Value&)> show_value;

  // Who is told what the thread that runs does; null: nobody.
  std::unique_ptr<Watcher> watcher;

  // The threads of the program; null until it starts one.
  std::unique_ptr<Threads> threads;

  // The program reaches no files, descriptors, settings of the process or standard input.
  bool isolated = false;
  bool unbuffered = false;  // what is printed is written at once
  int optimize = 0;         // 1: without assertions; 2: without docstrings, too
};

// Makes an interpreter the current one of this thread while in scope.
class CurrentInterpreter {
 public:
  explicit CurrentInterpreter(Interpreter& interpreter);
  ~CurrentInterpreter();
  CurrentInterpreter(const CurrentInterpreter&) = delete;

 private:
  Interpreter* previous_;
};

// Takes the exception that travels by return values.
Ref<Exception> take_raised(Interpreter& interpreter);
[[noreturn]] void throw_raised(Interpreter& interpreter);

// Keeps the exception that travels while code runs in between (a finaliser, a callback).
class RaisedAside {
 public:
  RaisedAside();
  ~RaisedAside();
  RaisedAside(const RaisedAside&) = delete;

 private:
  Ref<Exception> raised_;
};

// PermissionError if the program that runs is isolated; called before anything that it must not do.
void require_outside();

// Raises the KeyboardInterrupt that was asked for, or calls what the program has set instead.
void raise_interrupt(Interpreter& interpreter);
// The KeyboardInterrupt that was asked for; the request is over, unless the program must end.
Ref<Exception> take_interrupt(Interpreter& interpreter);
inline void poll_interrupt(Interpreter& interpreter) {
  if (interpreter.interrupt_requested.load(std::memory_order_relaxed)) [[unlikely]]
    raise_interrupt(interpreter);
}
// At loop ends and calls of the program: notices interrupts and lets other threads have their turn.
void attend(Interpreter& interpreter);
inline void poll_attention(Interpreter& interpreter) {
  if (interpreter.attention.load(std::memory_order_relaxed)) [[unlikely]]
    attend(interpreter);
}

// Hands an exception that nobody can be given, raised in `object`, to sys.unraisablehook.
// Implemented by the builtins room.
void report_unraisable(Exception& exception, const Value& object);

}  // namespace strider::lang
