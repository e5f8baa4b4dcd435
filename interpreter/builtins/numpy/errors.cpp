// Exception classes of numpy and the translation of the array library's errors.
#include "interpreter/builtins/numpy/errors.h"

#include <strider/nd/error.h>
#include <strider/nd/file.h>

#include <cstdio>
#include <cstring>

#include "interpreter/builtins/numpy/print_options.h"
#include "interpreter/builtins/numpy/ufunc/error_state.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Type& make_error(const char* module, const char* name, Type& base) {
  auto* type = new Type(name, &base);
  type->retain();
  type->module = module;
  type->set(Type::kSubclassable);
  return *type;
}

// AxisError(axis, ndim, msg_prefix) or AxisError(message).
void initialize_axis_error(const Value& self, const Arguments& arguments) {
  auto* exception = self.as<Exception>();
  static const Signature& signature = *new Signature("AxisError(axis, ndim=None, msg_prefix=None)");
  Value p[3];
  signature.bind(arguments, p);
  Attributes& attributes = *exception->attributes();
  if (p[1].is_none() && p[2].is_none()) {
    exception->args = make_tuple({p[0]});
    attributes.set(intern("axis"), Value::none());
    attributes.set(intern("ndim"), Value::none());
    attributes.set(intern("_msg"), p[0]);
    return;
  }
  exception->args = make_tuple(arguments.positional());
  attributes.set(intern("axis"), p[0]);
  attributes.set(intern("ndim"), p[1]);
  attributes.set(intern("_msg"), p[2]);
}

// What is wrong, from the attributes.
Value axis_error_text(const Value& self) {
  Value axis = get_attribute(self, intern("axis")), rank = get_attribute(self, intern("ndim"));
  Value text = get_attribute(self, intern("_msg"));
  if (axis.is_none() && rank.is_none()) return str(text);
  std::string message = fmt::format("axis {} is out of bounds for array of dimension {}",
                                    str_text(axis), str_text(rank));
  return make_str(text.is_none() ? message : str_text(text) + ": " + message);
}

Ref<Exception> make_axis_error(const char* message) {
  int axis = 0, rank = 0;
  const char* start = std::strstr(message, "axis ");
  bool known = start && std::sscanf(start, "axis %d is out of bounds for array of dimension %d",
                                    &axis, &rank) == 2;
  Values given = {Value(make_str(message))};
  if (known) {
    Value prefix = Value::none();
    if (start - message > 2)
      prefix = make_str(std::string_view(message, static_cast<std::size_t>(start - message - 2)));
    given = {Value::integer(axis), Value::integer(rank), prefix};
  }
  auto exception = make<Exception>(&axis_error(), make_tuple(Values(given)));
  initialize_axis_error(Value(exception), Arguments(given.data(), given.size()));
  return exception;
}

Type& class_of(nd::ErrorKind kind, std::string_view message) {
  switch (kind) {
    case nd::ErrorKind::kType:
      return errors::TypeError();
    case nd::ErrorKind::kIndex:
      return errors::IndexError();
    case nd::ErrorKind::kMemory:
      return array_memory_error();
    case nd::ErrorKind::kOverflow:
      return errors::OverflowError();
    case nd::ErrorKind::kZeroDivision:
      return errors::ZeroDivisionError();
    case nd::ErrorKind::kLinAlg:
      return linalg_error();
    case nd::ErrorKind::kUfuncCast:
      return ufunc_type_error(message);
    case nd::ErrorKind::kNotImplemented:
      return errors::NotImplementedError();
    case nd::ErrorKind::kFloatingPoint:
      return errors::FloatingPointError();
    case nd::ErrorKind::kRuntime:
      return errors::RuntimeError();
    case nd::ErrorKind::kInterrupted:
      return errors::KeyboardInterrupt();
    default:
      return errors::ValueError();
  }
}

Ref<Exception> make_file_error(const nd::FileError& error) {
  try {
    raise_os_error(error.number(), error.path());
  } catch (const Raised& raised) {
    return raised.exception;
  }
}

// A note that names the line which promised what could not be computed.
void add_place(Exception& exception, const nd::LateError& error) {
  if (!error.place().known()) return;
  Value note = make_str("for the operation at " + nd::to_text(error.place()));
  exception.attributes()->set(names().notes, Value(make_list({note})));
}

Ref<Exception> translate(const std::exception& error) {
  if (const auto* file = dynamic_cast<const nd::FileError*>(&error)) return make_file_error(*file);
  const auto* known = dynamic_cast<const nd::Error*>(&error);
  if (!known) return nullptr;
  if (known->kind() == nd::ErrorKind::kAxis) return make_axis_error(error.what());
  if (known->kind() == nd::ErrorKind::kInterrupted) return take_interrupt(Interpreter::current());
  Value text = make_str(error.what());
  auto exception = make<Exception>(&class_of(known->kind(), known->what()), make_tuple({text}));
  if (const auto* late = dynamic_cast<const nd::LateError*>(known)) add_place(*exception, *late);
  return exception;
}

}  // namespace

Type& axis_error() {
  static Type& type = *[] {
    Type& made = make_error("numpy.exceptions", "AxisError", errors::ValueError());
    made.add_base(errors::IndexError());
    made.slots.initialize = initialize_axis_error;
    made.slots.str = axis_error_text;
    return &made;
  }();
  return type;
}

Type& linalg_error() {
  static Type& type = make_error("numpy.linalg", "LinAlgError", errors::ValueError());
  return type;
}

// All are named as their base, in full as themselves.
Type& ufunc_type_error(std::string_view message) {
  auto make_named = [](const char* name, Type& base) -> Type& {
    Type& made = make_error("numpy._core._exceptions", "UFuncTypeError", base);
    made.qualified_name = name;
    return made;
  };
  static Type& any = make_named("UFuncTypeError", errors::TypeError());
  static Type& no_loop = make_named("_UFuncNoLoopError", any);
  static Type& casting = make_named("_UFuncCastingError", any);
  static Type& input = make_named("_UFuncInputCastingError", casting);
  static Type& output = make_named("_UFuncOutputCastingError", casting);
  if (message.find("did not contain a loop") != message.npos) return no_loop;
  if (!message.starts_with("Cannot cast ufunc")) return any;
  return message.find("' input") != message.npos ? input : output;
}

Type& array_memory_error() {
  static Type& type = *[] {
    Type& made = make_error("numpy._core._exceptions", "MemoryError", errors::MemoryError());
    made.qualified_name = "_ArrayMemoryError";
    return &made;
  }();
  return type;
}

Type& complex_warning() {
  static Type& type = make_error("numpy.exceptions", "ComplexWarning", errors::RuntimeWarning());
  return type;
}

Type& rank_warning() {
  static Type& type = make_error("numpy.exceptions", "RankWarning", errors::RuntimeWarning());
  return type;
}

Type& visible_deprecation_warning() {
  static Type& type =
      make_error("numpy.exceptions", "VisibleDeprecationWarning", errors::UserWarning());
  return type;
}

Type& too_hard_error() {
  static Type& type = make_error("numpy.exceptions", "TooHardError", errors::RuntimeError());
  return type;
}

Type& dtype_promotion_error() {
  static Type& type = make_error("numpy.exceptions", "DTypePromotionError", errors::TypeError());
  return type;
}

void install_numpy_errors() {
  static bool installed = false;
  if (installed) return;
  installed = true;
  set_exception_translator(translate);
  install_error_state();
  install_print_options();
}

}  // namespace strider::lang
