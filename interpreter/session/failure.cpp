// SystemExit is an end as asked for; all else is told by class, message and traceback.
#include "interpreter/session/failure.h"

#include <algorithm>
#include <cstdio>

#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/session/entry.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider {

using namespace lang;  // NOLINT: the session is the language's only door

namespace {

constexpr std::string_view kLibraryFolder = "<stdlib>/_fronts/";
constexpr std::string_view kCommandsModule = "_fronts.commands";
constexpr int kLongestChain = 50;

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

// Whether nobody but the library wrote what stands at this place.
bool is_inner(const TracebackEntry& entry) {
  if (!entry.source) return false;
  if (entry.source->file_name().starts_with(kLibraryFolder)) return true;
  return is_command_call(entry.source->line_text(entry.source->line_of(entry.span.begin)));
}

void leave_out_inner(Exception& exception, int depth) {
  if (depth > kLongestChain) return;
  std::erase_if(exception.traceback, is_inner);
  exception.chained = 0;
  if (exception.cause) leave_out_inner(*exception.cause, depth + 1);
  if (exception.context) leave_out_inner(*exception.context, depth + 1);
}

bool is_misuse(const Exception& exception) {
  const Type& type = *exception.type();
  return type.name() == "UsageError" && type.module == kCommandsModule;
}

// Hands an exception to the program's own sys.excepthook; whether it has one.
bool told_by_hook(Exception& exception) {
  Value* sys = Interpreter::current().modules->find(Value(make_str("sys")));
  Value* hook = sys && sys->has_layout(Layout::kModule)
                    ? sys->as<lang::Module>()->dict().find(intern("excepthook"))
                    : nullptr;
  if (!hook || hook->is_none() || hook->has_layout(Layout::kNativeFunction)) return false;
  Value value = Ref<Exception>(&exception);
  try {
    call(Value(*hook), Value(exception.type()), value,
         get_attribute(value, intern("__traceback__")));
  } catch (const Raised& raised) {
    std::string report = "Error in sys.excepthook:\n" + format_traceback(*raised.exception) +
                         "\nOriginal exception was:\n";
    std::fputs(report.c_str(), stderr);
    return false;
  }
  return true;
}

// For debuggers that look at it later.
void remember(Exception& exception) {
  Value sys = import_module("sys"), value = Ref<Exception>(&exception);
  set_attribute(sys, intern("last_type"), Value(exception.type()));
  set_attribute(sys, intern("last_value"), value);
  set_attribute(sys, intern("last_traceback"), traceback_object(exception));
}

}  // namespace

Outcome failure_outcome(Exception& exception) {
  if (exception.type()->is_subclass_of(&errors::SystemExit())) return exit_outcome(exception);
  Outcome outcome;
  bool interrupted = exception.type()->is_subclass_of(&errors::KeyboardInterrupt());
  outcome.status = interrupted ? Outcome::Status::kInterrupted : Outcome::Status::kError;
  outcome.kind = std::string(exception.type()->name());
  outcome.message = str_text(Value(Ref<Exception>(&exception)));
  if (is_misuse(exception)) {
    outcome.error = outcome.kind + ": " + outcome.message;
    outcome.traceback = outcome.error + "\n";
    return outcome;
  }
  leave_out_inner(exception, 0);
  outcome.error = describe(exception);
  remember(exception);
  if (!told_by_hook(exception)) outcome.traceback = format_traceback(exception);
  return outcome;
}

}  // namespace strider
