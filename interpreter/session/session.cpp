// The session owns the interpreter and turns what happens in it into outcomes.
#include "interpreter/session/session.h"

#include <pthread.h>
#include <strider/nd/device.h>
#include <strider/nd/eval.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/memory.h>

#include <cstdio>

#include "interpreter/builtins/execution.h"
#include "interpreter/builtins/numpy/precision.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/error.h"
#include "interpreter/runtime/import.h"
#include "interpreter/runtime/interpreter.h"
#include "interpreter/runtime/module.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/runtime/recursion.h"
#include "interpreter/session/completion.h"
#include "interpreter/syntax/completeness.h"
#include "interpreter/types/dict.h"
#include "interpreter/types/integer.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/str.h"

namespace strider {

using namespace lang;  // NOLINT: the session is the language's only door

namespace {

// The lowest address of this thread's stack that is used.
const char* find_stack_end() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  const char* start = static_cast<const char*>(lowest);
  return usable_end(start, start + size);
}

// sys.exit(status): None is 0, an int itself, anything else is printed and is 1.
Outcome exit_outcome(const Exception& exception) {
  Outcome outcome;
  outcome.status = Outcome::Status::kExit;
  const Tuple& args = *exception.args;
  Value code = args.size() == 0 ? Value::none() : args[0];
  if (code.is_none()) return outcome;
  if (is_integer(code)) {
    outcome.exit_code = static_cast<int>(to_clamped_index(code) & 0xff);
  } else {
    outcome.exit_code = 1;
    outcome.traceback = str_text(code) + "\n";
  }
  return outcome;
}

Outcome error_outcome(const Exception& exception) {
  if (exception.type()->is_subclass_of(&errors::SystemExit())) return exit_outcome(exception);
  Outcome outcome;
  outcome.status = exception.type()->is_subclass_of(&errors::KeyboardInterrupt())
                       ? Outcome::Status::kInterrupted
                       : Outcome::Status::kError;
  outcome.error = describe(exception);
  outcome.traceback = format_traceback(exception);
  return outcome;
}

}  // namespace

struct Session::World {
  Interpreter interpreter;
  CurrentInterpreter current{interpreter};
  const char* outer_stack_end = set_stack_end(find_stack_end());
  Ref<Module> main;
  int entry_number = 0;

  // One flag serves the language and the arrays, so that taking an interrupt leaves none behind.
  World() { nd::share_interrupt_flag(&interpreter.interrupt_requested); }
  ~World() {
    nd::share_interrupt_flag(nullptr);
    set_stack_end(outer_stack_end);
  }

  Outcome guarded(const std::shared_ptr<const syntax::Source>& source, LoweringMode mode) {
    Ref<Exception> failure;
    try {
      run_code(compile_source(source, mode), main->dict());
    } catch (...) {
      failure = caught_exception();
    }
    interpreter.frame = nullptr;
    interpreter.handled = nullptr;
    interpreter.depth = 0;
    interpreter.stopping.store(false, std::memory_order_relaxed);
    interpreter.interrupt_requested.store(false, std::memory_order_relaxed);
    Outcome outcome;
    if (failure) {
      try {
        outcome = error_outcome(*failure);
      } catch (...) {  // a failing __str__ or an interrupt while the text is made
        outcome.status = Outcome::Status::kError;
        outcome.error = outcome.traceback = "error while describing an exception\n";
      }
    }
    return outcome;
  }
};

Session::Session(SessionOptions options) : world_(std::make_unique<World>()) {
  Interpreter& interpreter = world_->interpreter;
  set_default_float(options.single_precision ? nd::DType::kFloat32 : nd::DType::kFloat64);
  nd::recording().lazy = !options.eager;
  nd::use_device(nd::parse_device(options.device));
  if (options.fusion_threshold > 0) nd::recording().threshold = options.fusion_threshold;
  nd::limit_memory(options.array_memory);
  interpreter.isolated = options.isolated;
  interpreter.arguments = std::move(options.arguments);
  interpreter.search_path->items.emplace_back(make_str(options.search_folder));
  Ref<Module> builtins = make<Module>("builtins", &kBuiltinsModule);
  interpreter.builtins = builtins->dict_ref();
  interpreter.builtins_module = builtins;
  interpreter.modules->set(Value(intern("builtins")), Value(builtins));
  world_->main = make<Module>("__main__");
  Dict& main = world_->main->dict();
  main.set(names().builtins, Value(builtins));
  main.set(names().package, Value::none());
  interpreter.modules->set(Value(names().main), Value(world_->main));
}

Session::~Session() {
  // Functions that a program registered with atexit run now.
  if (world_->interpreter.modules->find(Value(make_str("atexit")))) {
    Outcome outcome = execute("import atexit; atexit._run_exitfuncs()");
    std::fputs(outcome.traceback.c_str(), stderr);
  }
  flush();
  world_->main->dict().clear();
  world_->interpreter.modules->clear();
  collect_cycles();
  nd::finish_background_work();
}

Outcome Session::run(std::string file_name, std::string text) {
  world_->main->dict().set(names().file, Value(make_str(file_name)));
  auto source = std::make_shared<const syntax::Source>(std::move(file_name), std::move(text));
  Outcome outcome = world_->guarded(source, LoweringMode::kModule);
  flush();
  return outcome;
}

Outcome Session::execute(std::string_view text) {
  std::string name = "<input-" + std::to_string(++world_->entry_number) + ">";
  auto source = std::make_shared<const syntax::Source>(std::move(name), std::string(text) + "\n");
  Outcome outcome = world_->guarded(source, LoweringMode::kInteractive);
  flush();
  return outcome;
}

Session::Completeness Session::is_complete(std::string_view text, int* indent) const {
  syntax::Completeness state = syntax::is_complete(text);
  if (indent) *indent = state.indent;
  switch (state.state) {
    case syntax::CompletenessState::kComplete:
      return Completeness::kComplete;
    case syntax::CompletenessState::kIncomplete:
      return Completeness::kIncomplete;
    default:
      return Completeness::kInvalid;
  }
}

std::vector<std::string> Session::complete(std::string_view text) const {
  try {
    return complete_text(*world_->main, *world_->interpreter.builtins_module.as<Module>(), text);
  } catch (const Raised&) {  // a module's own __getattr__ failed
    return {};
  }
}

void Session::stop() {
  world_->interpreter.stopping.store(true, std::memory_order_relaxed);
  interrupt();
}

void Session::interrupt() {
  world_->interpreter.interrupt_requested.store(true, std::memory_order_relaxed);
}

void Session::forget_interrupt() {
  world_->interpreter.interrupt_requested.store(false, std::memory_order_relaxed);
}

void Session::flush() { flush_standard_streams(); }

}  // namespace strider
