// The state is one action per condition: ignore, warn, raise, call, print, log.
#include "interpreter/builtins/numpy/ufunc/error_state.h"

#include <strider/nd/eval.h>
#include <strider/nd/floating_errors.h>

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/place.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/context_parts.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

enum class Action : std::uint8_t { kIgnore, kWarn, kRaise, kCall, kPrint, kLog };
constexpr const char* kActionNames[] = {"ignore", "warn", "raise", "call", "print", "log"};

struct Condition {
  const char* key;
  const char* text;
  std::uint8_t flag;
};
constexpr Condition kConditions[] = {
    {"divide", "divide by zero", nd::FloatingErrors::kDivide},
    {"over", "overflow", nd::FloatingErrors::kOverflow},
    {"under", "underflow", nd::FloatingErrors::kUnderflow},
    {"invalid", "invalid value", nd::FloatingErrors::kInvalid},
};

struct State {
  std::array<Action, 4> actions{Action::kWarn, Action::kWarn, Action::kIgnore, Action::kWarn};
  Value callback = Value::none();
};

bool warnings_heard = true;

// The state in force; null: as contexts begin.
std::shared_ptr<const State>& state_here() {
  static std::shared_ptr<const State>& instance = *new std::shared_ptr<const State>;
  return instance;
}

const State& state() {
  static const State& first = *new State;
  const std::shared_ptr<const State>& here = state_here();
  return here ? *here : first;
}

void act(const Condition& condition, Action action, std::string_view operation,
         std::uint8_t flags) {
  std::string message = fmt::format("{} encountered in {}", condition.text, operation);
  Value callback = state().callback;
  switch (action) {
    case Action::kWarn:
      return warn(errors::RuntimeWarning(), message);
    case Action::kRaise:
      raise_message(errors::FloatingPointError(), message);
    case Action::kPrint:
      return write_to(standard_error(), "Warning: " + message + "\n");
    case Action::kCall:
      if (callback.is_none())
        raise(errors::NameError, "python callback specified for {} (in  {}) but no function found.",
              condition.text, operation);
      call(callback, Value(make_str(condition.text)), Value::integer(flags));
      return;
    case Action::kLog:
      call_method(callback, names().write, Value(make_str("Warning: " + message + "\n")));
      return;
    default:
      return;
  }
}

void handle(void*, nd::FloatingErrors found, std::string_view operation) {
  for (std::size_t i = 0; i < std::size(kConditions); ++i) {
    bool raised = found.flags & kConditions[i].flag;
    Action action = state().actions[i];
    if (raised && action != Action::kIgnore) act(kConditions[i], action, operation, found.flags);
  }
}

// Conditions of a line that ran while they were warned of.
void handle_late(nd::FloatingErrors found, std::string_view operation, const nd::Place& place) {
  nd::Place where = place.known() ? place : running_place();
  for (const Condition& condition : kConditions) {
    if (!(found.flags & condition.flag)) continue;
    warn_at(where, errors::RuntimeWarning(),
            fmt::format("{} encountered in {}", condition.text, operation));
  }
}

// Tells the arrays which conditions matter and whether they may be reported later: a warning can,
// everything that a program could see happen cannot.
void announce() {
  nd::Recording& recording = nd::recording();
  recording.watched = 0;
  recording.conditions_can_wait = true;
  for (std::size_t i = 0; i < std::size(kConditions); ++i) {
    Action action = state().actions[i];
    bool heard = action == Action::kWarn ? warnings_heard : action != Action::kIgnore;
    if (heard) recording.watched |= kConditions[i].flag;
    recording.conditions_can_wait &= action == Action::kIgnore || action == Action::kWarn;
  }
}

void set_state(const State& changed) {
  state_here() = std::make_shared<const State>(changed);
  announce();
}

ContextPart exchange_state(ContextPart next) {
  if (next == state_here()) return next;
  ContextPart former =
      std::exchange(state_here(), std::static_pointer_cast<const State>(std::move(next)));
  announce();
  return former;
}

Action to_action(const Value& value) {
  std::string_view text = to_text(value, "errstate");
  for (int i = 0; i < 6; ++i)
    if (text == kActionNames[i]) return static_cast<Action>(i);
  raise(errors::ValueError, "invalid error mode '{}'", text);
}

// (all, divide, over, under, invalid) as given; None leaves an action as it is.
void change(State& changed, const Value* given) {
  for (std::size_t i = 0; i < 4; ++i) {
    const Value& wanted = given[i + 1].is_none() ? given[0] : given[i + 1];
    if (!wanted.is_none()) changed.actions[i] = to_action(wanted);
  }
}

Value as_dict(const State& shown) {
  Ref<Dict> result = make_dict();
  for (std::size_t i = 0; i < 4; ++i)
    result->set(intern(kConditions[i].key),
                Value(make_str(kActionNames[static_cast<int>(shown.actions[i])])));
  return result;
}

Value set_errors(const Parameters& p) {
  State before = state();
  Value given[] = {p[0], p[1], p[2], p[3], p[4]};
  State changed = before;
  change(changed, given);
  set_state(changed);
  return as_dict(before);
}

Value get_errors(const Parameters&) { return as_dict(state()); }

Value set_error_call(const Parameters& p) {
  if (!p[0].is_none() && !is_callable(p[0]) && find_attribute(p[0], intern("write")).is_empty())
    raise(errors::TypeError, "python object must be callable or have a callable write method");
  Value before = state().callback;
  State changed = state();
  changed.callback = p[0];
  set_state(changed);
  return before;
}

Value get_error_call(const Parameters&) { return state().callback; }

const NativeRow kFunctions[] = {
    {"seterr(all=None, divide=None, over=None, under=None, invalid=None)", set_errors,
     "Sets what floating-point conditions do; returns the former settings."},
    {"geterr()", get_errors, "What floating-point conditions do."},
    {"seterrcall(func)", set_error_call, "Sets the function that 'call' calls."},
    {"geterrcall()", get_error_call, "The function that 'call' calls."},
};

// --- errstate(...): a context manager and decorator ---

class ErrorState : public Object {
 public:
  ErrorState(Type* type) : Object(Layout::kOther, type) {}
  Value given[6];  // all, divide, over, under, invalid, call
  std::vector<State> saved;
  bool entered = false;  // by a program
};

Value construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature(
      "errstate(*, call=<none>, all=None, divide=None, over=None, under=None, invalid=None)");
  Value p[6];
  signature.bind(arguments, p);
  auto made = make_instance<ErrorState>(cls);
  for (int i = 0; i < 5; ++i) made->given[i] = p[i + 1];
  made->given[5] = p[0];
  State probe = state();
  change(probe, made->given);
  return made;
}

Value enter(const Parameters& p) {
  auto* self = p[0].as<ErrorState>();
  self->saved.push_back(state());
  State changed = state();
  change(changed, self->given);
  if (!self->given[5].is_empty()) changed.callback = self->given[5];
  set_state(changed);
  return Value::none();
}

// A block has a state of its own.
Value enter_once(const Parameters& p) {
  auto* self = p[0].as<ErrorState>();
  if (self->entered) raise(errors::TypeError, "Cannot enter `np.errstate` twice.");
  self->entered = true;
  return enter(p);
}

Value leave(const Parameters& p) {
  auto* self = p[0].as<ErrorState>();
  if (self->saved.empty()) return Value::none();
  set_state(self->saved.back());
  self->saved.pop_back();
  return Value::none();
}

// A decorated function runs under the error state.
Value decorate(const Value& self, const Arguments& arguments) {
  check_arity(arguments, "errstate", 1, 1);
  return call_in_npx("_guarded", {self, arguments.values[0]});
}

const NativeRow kMethods[] = {
    {"__enter__(self, /)", enter_once, "Puts the settings in force."},
    {"__exit__(self, /, *exc_info)", leave, "Restores the former settings."},
    {"_enter_again(self, /)", enter, "Puts the settings in force, within themselves, too."},
};

}  // namespace

void announce_filters(bool can_wait, bool heard) {
  nd::recording().warnings_can_wait = can_wait || !heard;
  warnings_heard = heard;
  announce();
}

void install_error_state() {
  nd::set_floating_error_handler(handle, nullptr);
  nd::set_late_error_handler(handle_late);
  nd::recording().place = running_place;
  add_context_part(exchange_state);
  announce();
}

Type& error_state_type() {
  static Type& type = *[] {
    Type& made = new_type("numpy.errstate", Type::object_type());
    made.module = "numpy";
    made.qualified_name = "errstate";
    made.doc = "What floating-point conditions do inside a with block.";
    made.instance_layout = Layout::kOther;
    made.slots.construct = construct;
    made.slots.call = decorate;
    made.add(kMethods);
    return &made;
  }();
  return type;
}

std::span<const NativeRow> error_state_functions() { return kFunctions; }

}  // namespace strider::lang
