// The session owns the interpreter and turns what happens in it into outcomes.
#include "interpreter/session/session.h"

#include <pthread.h>
#include <strider/nd/device.h>
#include <strider/nd/eval.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/memory.h>

#include <cstdio>

#include "interpreter/builtins/execution.h"
#include "interpreter/builtins/numpy/scalar/precision.h"
#include "interpreter/builtins/program_text.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/memory/pool.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/program/watcher.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/session/completion.h"
#include "interpreter/session/entry.h"
#include "interpreter/session/failure.h"
#include "interpreter/session/inspection.h"
#include "interpreter/syntax/completeness.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

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

}  // namespace

struct Session::World {
  Interpreter interpreter;
  CurrentInterpreter current{interpreter};
  const char* outer_stack_end = set_stack_end(find_stack_end());
  Ref<Module> main;
  History history;
  int entry_number = 0;
  std::string shown;  // plain text of the value that the running entry has shown last

  // One flag serves the language and the arrays, so that taking an interrupt leaves none behind.
  explicit World(std::string history_file) : history(std::move(history_file)) {
    nd::share_interrupt_flag(&interpreter.interrupt_requested);
  }
  ~World() {
    nd::share_interrupt_flag(nullptr);
    set_stack_end(outer_stack_end);
  }

  Scope scope() { return {*main, *interpreter.builtins_module.as<Module>()}; }

  // Keeps the text of the running entry.
  void remember(std::string_view text) {
    std::string entry(text.substr(0, text.find_last_not_of(" \t\r\n") + 1));
    if (interpreter.front)
      aside([&] {
        call(library("_fronts.entries", "begin"), Value::integer(entry_number),
             Value(make_str(entry)));
      });
    history.add(entry_number, std::move(entry));
  }

  // A function of one of the library's modules for fronts.
  static Value library(std::string_view module, std::string_view function) {
    return get_attribute(import_module(module), intern(function));
  }

  // Values of the running entry go to the front and are kept as Out[number]; nowhere if silent.
  void show_values(bool silent) {
    interpreter.show_value = [this, silent](const Value& value) {
      if (silent) return;
      shown =
          str_text(call(library("_fronts.entries", "show"), value, Value::integer(entry_number)));
    };
  }

  // Which statements of an entry show their value: those that the program has asked for, as
  // InteractiveShell.ast_node_interactivity, or else what the front does.
  LoweringMode entry_mode(bool last_value) {
    LoweringMode usual = last_value ? LoweringMode::kCell : LoweringMode::kPrompt;
    Value* module = interpreter.modules->find(Value(make_str("_fronts.shell")));
    if (!module) return usual;
    Value shell = call(get_attribute(*module, intern("get_ipython")));
    Value asked = get_attribute(shell, intern("ast_node_interactivity"));
    if (!is_str(asked)) return usual;
    if (text_of(asked) == "none") return LoweringMode::kModule;
    return text_of(asked) == "all" ? LoweringMode::kPrompt : usual;
  }

  // Runs what modules have registered for the end of an entry; a failure there fails the entry.
  void end_entry(Outcome& outcome) {
    constexpr std::string_view kModule = "_entryend";
    if (!interpreter.front || !interpreter.modules->find(Value(make_str(kModule)))) return;
    Outcome end = outcome_of([&] { call(library(kModule, "run")); });
    if (outcome.status == Outcome::Status::kOk) outcome = std::move(end);
  }

  // Runs `work`; what it raises becomes the outcome.
  template <class Work>
  Outcome outcome_of(const Work& work) {
    Ref<Exception> failure;
    try {
      work();
    } catch (...) {
      failure = caught_exception();
    }
    return settle(failure);
  }

  // Runs `work` before an entry: what fails is forgotten, an interrupt is left for the entry.
  template <class Work>
  void aside(const Work& work) {
    try {
      work();
    } catch (...) {
      Ref<Exception> failure = caught_exception();
      forget_frames();
      if (failure->type()->is_subclass_of(&errors::KeyboardInterrupt()))
        interpreter.request_interrupt();
    }
  }

  void forget_frames() {
    interpreter.frame = nullptr;
    interpreter.handled = nullptr;
    interpreter.depth = 1;
  }

  void run_source(const std::shared_ptr<const syntax::Source>& source, LoweringMode mode) {
    std::shared_ptr<const Code> code = compile_source(source, mode);
    if (mode == LoweringMode::kModule) main->dict().set(names().doc, code->doc);
    run_code(code, main->dict());
  }

  // What is left of an execution, whether it failed or not.
  Outcome settle(const Ref<Exception>& failure) {
    forget_frames();
    interpreter.stopping.store(false, std::memory_order_relaxed);
    interpreter.interrupt_requested.store(false, std::memory_order_relaxed);
    Outcome outcome;
    if (failure) {
      try {
        outcome = failure_outcome(*failure);
      } catch (...) {  // a failing __str__ or an interrupt while the text is made
        outcome.status = Outcome::Status::kError;
        outcome.error = outcome.traceback = "error while describing an exception\n";
      }
    }
    return outcome;
  }
};

Session::Session(SessionOptions options) : world_(std::make_unique<World>(options.history_file)) {
  Interpreter& interpreter = world_->interpreter;
  pool::keep_freed_memory();
  set_default_float(options.single_precision ? nd::DType::kFloat32 : nd::DType::kFloat64);
  nd::recording().lazy = !options.eager;
  nd::use_device(nd::parse_device(options.device));
  if (options.fusion_threshold > 0) nd::recording().threshold = options.fusion_threshold;
  nd::limit_memory(options.array_memory);
  interpreter.isolated = options.isolated;
  interpreter.unbuffered = options.unbuffered;
  interpreter.optimize = options.optimize;
  interpreter.front = options.front;
  interpreter.arguments = std::move(options.arguments);
  interpreter.warning_filters = std::move(options.warning_filters);
  interpreter.search_path->items.emplace_back(make_str(options.search_folder));
  for (const std::string& folder : options.module_folders)
    interpreter.search_path->items.emplace_back(make_str(folder));
  Ref<Module> builtins = make<Module>("builtins", &kBuiltinsModule);
  builtins->dict().set(names().package, make_str(""));
  interpreter.builtins = builtins->dict_ref();
  interpreter.builtins_module = builtins;
  interpreter.modules->set(Value(intern("builtins")), Value(builtins));
  world_->main = make<Module>("__main__");
  Dict& main = world_->main->dict();
  main.set(names().builtins, Value(builtins));
  for (Name name : {names().package, names().spec}) main.set(name, Value::none());
  interpreter.modules->set(Value(names().main), Value(world_->main));
  // The module reads the filters when it is loaded, which programs do not all do.
  if (!interpreter.warning_filters.empty()) import_module("warnings");
}

Session::~Session() {
  auto run_last = [&](const char* text) {
    Outcome outcome = execute(text);
    std::fputs(outcome.traceback.c_str(), stderr);
  };
  // Threads end, functions that a program registered with atexit run, what devices met is told.
  if (world_->interpreter.modules->find(Value(make_str("threading"))))
    run_last("import threading; threading._shutdown()");
  if (world_->interpreter.modules->find(Value(make_str("atexit"))))
    run_last("import atexit; atexit._run_exitfuncs()");
  if (nd::used_device().kind == nd::DeviceChoice::Kind::kCuda)
    run_last("import _devices; _devices.synchronize()");
  flush();
  world_->interpreter.watcher = nullptr;
  world_->main->dict().clear();
  world_->interpreter.modules->clear();
  collect_cycles();
  nd::finish_background_work();
}

Outcome Session::run(std::string file_name, std::string text) {
  world_->main->dict().set(names().file, Value(make_str(file_name)));
  Outcome outcome = world_->outcome_of([&] {
    std::string program = program_of_bytes(std::move(text), file_name);
    world_->run_source(
        std::make_shared<const syntax::Source>(std::move(file_name), std::move(program)),
        LoweringMode::kModule);
  });
  flush();
  return outcome;
}

Outcome Session::execute(std::string_view text, EntryOptions options) {
  World& world = *world_;
  if (!options.silent) ++world.entry_number;
  std::string name = "<input-" + std::to_string(world.entry_number) + ">";
  auto source =
      std::make_shared<const syntax::Source>(std::move(name), program_of_entry(text) + "\n");
  if (!options.silent) world.interpreter.entries[source->file_name()] = source;
  world.shown.clear();
  if (world.interpreter.front) world.show_values(options.silent);
  if (!options.silent && options.kept) world.remember(text);
  Outcome outcome =
      world.outcome_of([&] { world.run_source(source, world.entry_mode(options.last_value)); });
  world.interpreter.show_value = nullptr;
  if (!options.silent) world.end_entry(outcome);
  if (!world.shown.empty()) world.history.set_output(world.entry_number, std::move(world.shown));
  flush();
  outcome.number = world.entry_number;
  return outcome;
}

Evaluation Session::evaluate(std::string_view expression) {
  World& world = *world_;
  Evaluation result;
  auto source = std::make_shared<const syntax::Source>("<expression>", std::string(expression));
  result.outcome = world.outcome_of([&] {
    Value value = run_code(compile_source(source, LoweringMode::kExpression), world.main->dict());
    Iteration forms(call(World::library("_fronts.bundles", "forms_of"), value));
    Value form;
    while (forms.next(form))
      result.value.forms.push_back({str_text(get_item(form, Value::integer(0))),
                                    str_text(get_item(form, Value::integer(1)))});
  });
  flush();
  return result;
}

int Session::entry_count() const { return world_->entry_number; }

const History& Session::history() const { return world_->history; }

Session::Completeness Session::is_complete(std::string_view text, int* indent) const {
  if (is_cell_command(text)) {
    bool ended = text.find('\n') != text.npos && (text.ends_with('\n') || text.ends_with("\n "));
    if (indent) *indent = 0;
    return ended ? Completeness::kComplete : Completeness::kIncomplete;
  }
  syntax::Completeness state = syntax::is_complete(program_of_entry(text));
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

Completions Session::complete(std::string_view text, std::size_t cursor) const {
  try {
    return complete_text(world_->scope(), text, cursor);
  } catch (const Raised&) {  // a module's own __getattr__ failed
    return {};
  }
}

Inspection Session::inspect(std::string_view text, std::size_t cursor, int detail) const {
  try {
    return inspect_text(world_->scope(), text, cursor, detail);
  } catch (const Raised&) {
    return {};
  }
}

void Session::stop() {
  world_->interpreter.stopping.store(true, std::memory_order_relaxed);
  interrupt();
}

void Session::interrupt() { world_->interpreter.request_interrupt(); }

void Session::forget_interrupt() {
  world_->interpreter.interrupt_requested.store(false, std::memory_order_relaxed);
}

bool Session::is_interrupted() const {
  return world_->interpreter.interrupt_requested.load(std::memory_order_relaxed);
}

void Session::flush() { flush_standard_streams(); }

}  // namespace strider
