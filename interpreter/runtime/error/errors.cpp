// Exception objects: their classes, attributes, texts; raising from C++.
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/exception_methods.h"
#include "interpreter/runtime/error/traceback_link.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"
#include "interpreter/types/text/syntax_error.h"
#include "interpreter/types/text/unicode_error.h"

namespace strider::lang {
namespace {

Value exception_construct(Type* cls, const Arguments& arguments) {
  return make<Exception>(cls, make_tuple(arguments.positional()));
}

[[noreturn]] void refuse_keyword(const Value& self, std::string_view name) {
  for (Type* named : {&errors::ImportError(), &errors::NameError(), &errors::AttributeError()})
    if (is_instance(self, *named))
      raise(errors::TypeError, "'{}' is an invalid keyword argument for {}()", name, named->name());
  raise(errors::TypeError, "{}() takes no keyword arguments", type_name(self));
}

void exception_initialize(const Value& self, const Arguments& arguments) {
  auto* exception = self.as<Exception>();
  if (arguments.keyword_count > 0) {
    for (const KeywordArgument& keyword : arguments.named()) {
      bool import_keyword = is_instance(self, errors::ImportError()) &&
                            (text_of(keyword.name) == "name" || text_of(keyword.name) == "path");
      bool name_keyword =
          (is_instance(self, errors::NameError()) || is_instance(self, errors::AttributeError())) &&
          (text_of(keyword.name) == "name" || text_of(keyword.name) == "obj");
      if (!import_keyword && !name_keyword) refuse_keyword(self, text_of(keyword.name));
      exception->attributes()->set(keyword.name, keyword.value);
    }
  }
  std::span<const Value> given = arguments.positional();
  bool known = std::ranges::equal(exception->args->items(), given,
                                  [](const Value& a, const Value& b) { return identical(a, b); });
  if (!known) exception->args = make_tuple(given);  // else by the constructor
}

Value exception_repr(const Value& self) {
  const Tuple& args = *self.as<Exception>()->args;
  std::string inside;
  for (const Value& each : args.items()) inside += (inside.empty() ? "" : ", ") + repr_text(each);
  return make_str(fmt::format("{}({})", type_name(self), inside));
}

Value exception_str(const Value& self) {
  const Tuple& args = *self.as<Exception>()->args;
  if (args.size() == 0) return make_str("");
  if (args.size() == 1) return str(args[0]);
  return repr(Value(self.as<Exception>()->args));
}

Value key_error_str(const Value& self) {
  const Tuple& args = *self.as<Exception>()->args;
  return args.size() == 1 ? Value(repr(args[0])) : exception_str(self);
}

// "[Errno 2] No such file or directory: 'x'"
Value os_error_str(const Value& self) {
  const Tuple& args = *self.as<Exception>()->args;
  if (args.size() < 2 || args.size() > 5) return exception_str(self);
  std::string text = fmt::format("[Errno {}] {}", str_text(args[0]), str_text(args[1]));
  if (args.size() > 2 && !args[2].is_none()) text += ": " + repr_text(args[2]);
  if (args.size() == 5) text += " -> " + repr_text(args[4]);
  return make_str(text);
}

// The arguments that an OSError shows: number and text; file names are attributes only.
Ref<Tuple> shown_arguments(const Exception& error) {
  bool has_files = error.args->size() > 2 && error.args->size() < 6;
  return has_files ? make_tuple(error.args->items().first(2)) : error.args;
}

Value os_error_repr(const Value& self) {
  Ref<Tuple> arguments = shown_arguments(*self.as<Exception>());
  std::string inside;
  for (const Value& each : arguments->items())
    inside += (inside.empty() ? "" : ", ") + repr_text(each);
  return make_str(fmt::format("{}({})", type_name(self), inside));
}

// The subclass of OSError for an error number, as CPython maps them.
Type& os_error_type(int number) {
  switch (number) {
    case EAGAIN:
    case EALREADY:
    case EINPROGRESS:
      return errors::BlockingIOError();
    case ECONNABORTED:
      return errors::ConnectionAbortedError();
    case ECONNREFUSED:
      return errors::ConnectionRefusedError();
    case ECONNRESET:
      return errors::ConnectionResetError();
    case EPIPE:
    case ESHUTDOWN:
      return errors::BrokenPipeError();
    case ECHILD:
      return errors::ChildProcessError();
    case EEXIST:
      return errors::FileExistsError();
    case ENOENT:
      return errors::FileNotFoundError();
    case EINTR:
      return errors::InterruptedError();
    case EISDIR:
      return errors::IsADirectoryError();
    case ENOTDIR:
      return errors::NotADirectoryError();
    case EACCES:
    case EPERM:
      return errors::PermissionError();
    case ESRCH:
      return errors::ProcessLookupError();
    case ETIMEDOUT:
      return errors::TimeoutError();
    default:
      return errors::OSError();
  }
}

Value os_error_construct(Type* cls, const Arguments& arguments) {
  if (cls == &errors::OSError() && arguments.count >= 2 && arguments.count <= 5 &&
      arguments.values[0].is_int())
    cls = &os_error_type(static_cast<int>(arguments.values[0].as_int()));
  // A class with an __init__ of its own, and no __new__, is told by that what the arguments are.
  const Type* maker = cls->owner_of(names().new_);
  bool told_later = cls->slots.initialize != errors::OSError().slots.initialize &&
                    !(maker && maker->has(Type::kUserDefined));
  return exception_construct(cls, told_later ? Arguments() : arguments);
}

Value argument_or_none(const Value& self, std::size_t index) {
  const Tuple& args = *self.as<Exception>()->args;
  return index < args.size() ? args[index] : Value::none();
}

// Puts a value in the place of an argument.
void set_argument(const Value& self, std::size_t index, const Value& value) {
  Exception& error = *self.as<Exception>();
  std::span<const Value> old = error.args->items();
  Values changed(old.begin(), old.end());
  while (changed.size() <= index) changed.push_back(Value::none());
  changed[index] = value.is_empty() ? Value::none() : value;
  error.args = make_tuple(std::move(changed));
}

// An argument of an OSError, whose parts have names if there are 2 to 5 of them.
Value named_argument(const Value& self, std::size_t index) {
  std::size_t count = self.as<Exception>()->args->size();
  return count < 2 || count > 5 ? Value::none() : argument_or_none(self, index);
}

// Parts of an OSError that was made without them are not kept.
template <std::size_t kIndex>
void set_part(const Value& self, const Value& value) {
  if (self.as<Exception>()->args->size() >= 2) set_argument(self, kIndex, value);
}

Value single_or_tuple(const Value& self) {
  const Tuple& args = *self.as<Exception>()->args;
  return args.size() > 1 ? Value(self.as<Exception>()->args) : argument_or_none(self, 0);
}

Value or_none(const Ref<Exception>& exception) {
  return exception ? Value(exception) : Value::none();
}

Ref<Exception> exception_or_null(const Value& value, const char* what) {
  if (value.is_none() || value.is_empty()) return nullptr;
  if (!value.has_layout(Layout::kException))
    raise(errors::TypeError, "exception {} must be None or derive from BaseException", what);
  return value.as<Exception>();
}

// What an attribute is set to, which is not to be deleted.
const Value& kept(const Value& value, const char* attribute) {
  if (value.is_empty()) raise(errors::TypeError, "{} may not be deleted", attribute);
  return value;
}

const PropertyRow kExceptionAttributes[] = {
    {"args", [](const Value& self) { return Value(self.as<Exception>()->args); },
     [](const Value& self, const Value& value) {
       self.as<Exception>()->args = to_tuple(kept(value, "args"));
     },
     "The arguments given."},
    {"__cause__", [](const Value& self) { return or_none(self.as<Exception>()->cause); },
     [](const Value& self, const Value& value) {
       self.as<Exception>()->cause = exception_or_null(kept(value, "__cause__"), "cause");
       self.as<Exception>()->suppress_context = true;
     },
     "The exception given with raise … from."},
    {"__context__", [](const Value& self) { return or_none(self.as<Exception>()->context); },
     [](const Value& self, const Value& value) {
       self.as<Exception>()->context = exception_or_null(kept(value, "__context__"), "context");
     },
     "The exception that was being handled."},
    {"__suppress_context__",
     [](const Value& self) { return Value::boolean(self.as<Exception>()->suppress_context); },
     [](const Value& self, const Value& value) {
       if (value.is_empty()) raise(errors::TypeError, "can't delete numeric/char attribute");
       self.as<Exception>()->suppress_context = truth(value);
     },
     "Whether the context is hidden in tracebacks."},
    {"__traceback__", [](const Value& self) { return traceback_object(*self.as<Exception>()); },
     [](const Value& self, const Value& value) {
       set_traceback(*self.as<Exception>(), kept(value, "__traceback__"));
     },
     "Where it was raised."},
};

Value with_traceback(const Parameters& p) {
  set_traceback(*p[0].as<Exception>(), p[1]);
  return p[0];
}

const NativeRow kExceptionMethods[] = {
    {"__setstate__(self, state, /)", set_state, "Sets the attributes of a dict."},
    {"with_traceback(self, traceback, /)", with_traceback, "Sets the traceback; returns self."},
    {"add_note(self, note, /)", add_note, "Adds a line shown under the message."},
};

const PropertyRow kStopIterationAttributes[] = {
    {"value", [](const Value& self) { return argument_or_none(self, 0); },
     [](const Value& self, const Value& value) { set_argument(self, 0, value); },
     "What the generator returned."}};
const PropertyRow kSystemExitAttributes[] = {{"code", single_or_tuple,
                                              [](const Value& self, const Value& value) {
                                                self.as<Exception>()->args = make_tuple(
                                                    {value.is_empty() ? Value::none() : value});
                                              },
                                              "The exit status."}};
const PropertyRow kOsErrorAttributes[] = {
    {"errno", [](const Value& self) { return named_argument(self, 0); }, set_part<0>,
     "The number."},
    {"strerror", [](const Value& self) { return named_argument(self, 1); }, set_part<1>,
     "The text."},
    {"filename", [](const Value& self) { return named_argument(self, 2); }, set_part<2>,
     "The file."},
    {"filename2", [](const Value& self) { return named_argument(self, 4); }, set_part<4>,
     "The second file."},
    {"args", [](const Value& self) { return Value(shown_arguments(*self.as<Exception>())); },
     [](const Value& self, const Value& value) {
       self.as<Exception>()->args = to_tuple(kept(value, "args"));
     },
     "Number and text."},
};
// What an error is about ("name", "obj", "path"), None if it was not told.
Value told(const Value& self, std::string_view what) {
  Value* found = self.as<Exception>()->attributes()->find(intern(what));
  return found ? *found : Value::none();
}

void tell(const Value& self, std::string_view what, const Value& value) {
  self.as<Exception>()->attributes()->set(intern(what), value.is_empty() ? Value::none() : value);
}

constexpr PropertyRow kName = {
    "name", [](const Value& self) { return told(self, "name"); },
    [](const Value& self, const Value& value) { tell(self, "name", value); }, "The name."};
const PropertyRow kNameErrorAttributes[] = {kName};
const PropertyRow kAttributeErrorAttributes[] = {
    kName,
    {"obj", [](const Value& self) { return told(self, "obj"); },
     [](const Value& self, const Value& value) { tell(self, "obj", value); },
     "The object that lacks the attribute."}};
const PropertyRow kImportErrorAttributes[] = {
    kName,
    {"msg",
     [](const Value& self) {
       const Tuple& args = *self.as<Exception>()->args;
       return args.size() == 1 ? args[0] : Value::none();
     },
     nullptr, "The message."},
    {"path", [](const Value& self) { return told(self, "path"); },
     [](const Value& self, const Value& value) { tell(self, "path", value); }, "The file."}};

Type& make_exception_type(const char* name, Type& base) {
  auto& type = *new Type(name, &base);
  type.set(Type::kSubclassable);
  type.set(Type::kHasInstanceDict);
  type.set(Type::kException);
  type.instance_layout = Layout::kException;
  std::string_view text = name;
  if (text == "BaseException") {
    type.slots.construct = exception_construct;
    type.slots.initialize = exception_initialize;
    type.slots.repr = exception_repr;
    type.slots.str = exception_str;
    type.add(kExceptionAttributes);
    type.add(kExceptionMethods);
  }
  type.retain();  // for the life of the process
  if (text == "KeyError") type.slots.str = key_error_str;
  if (text.starts_with("Unicode") && text.ends_with("Error")) set_up_unicode_error(type);
  if (text == "StopIteration") type.add(kStopIterationAttributes);
  if (text == "SystemExit") type.add(kSystemExitAttributes);
  if (text == "NameError") type.add(kNameErrorAttributes);
  if (text == "AttributeError") type.add(kAttributeErrorAttributes);
  if (text == "ImportError") type.add(kImportErrorAttributes);
  if (text == "SyntaxError") set_up_syntax_error(type);
  if (text == "OSError") {
    type.slots.construct = os_error_construct;
    type.slots.str = os_error_str;
    type.slots.repr = os_error_repr;
    type.add(kOsErrorAttributes);
  }
  return type;
}

}  // namespace

namespace errors {
Type& BaseException() {
  static Type& type = make_exception_type("BaseException", Type::object_type());
  return type;
}
#define EXCEPTION(name, base)                               \
  Type& name() {                                            \
    static Type& type = make_exception_type(#name, base()); \
    return type;                                            \
  }
#include "interpreter/runtime/error/exceptions.def"
}  // namespace errors

Exception::Exception(Type* type, const Ref<Tuple>& arguments)
    : Container(Layout::kException, type), args(arguments) {}

void Exception::traverse(Visitor& visitor) {
  visitor.visit(class_);
  visitor.visit(args);
  visitor.visit(cause);
  visitor.visit(context);
  visitor.visit(traceback_chain);
  for (const TracebackEntry& entry : traceback) visitor.visit(entry.frame_object);
  if (known) known->traverse(visitor);
  attributes_.traverse(visitor);
}

void Exception::clear_references() {
  args = empty_tuple();
  cause = nullptr;
  context = nullptr;
  traceback_chain = Value();
  known.reset();
  for (TracebackEntry& entry : traceback) entry.frame_object = Value();
  chained = 0;
  attributes_.clear();
}

void link_context(Exception& exception) {
  if (!Interpreter::exists()) return;
  const Ref<Exception>& handled = Interpreter::current().handled;
  if (!handled || handled.get() == &exception || exception.context) return;
  // Never make a ring: cut the chain where it would meet itself. The program may have made one
  // already: the walk goes on at half its pace, too, and ends where the two meet.
  Exception* slow = handled.get();
  bool even = false;
  for (Exception* e = handled.get(); e; e = e->context.get()) {
    if (e->context.get() == &exception) e->context = nullptr;
    if (even) slow = slow->context.get();
    even = !even;
    if (e->context && e->context.get() == slow) break;
  }
  exception.context = handled;
}

void raise_exception(const Ref<Exception>& exception) {
  link_context(*exception);
  throw Raised{exception};
}

Value fail_exception(const Ref<Exception>& exception) {
  if (!Interpreter::exists()) raise_exception(exception);
  link_context(*exception);
  Interpreter::current().raised = exception;
  return Value();
}

void raise_failure() { throw_raised(Interpreter::current()); }

Ref<Exception> make_unknown(Type& type, std::string_view message, std::string hint, Name name,
                            const Value& object) {
  Value text = make_str(message);
  auto exception = make<Exception>(&type, make_tuple(std::span<const Value>(&text, 1)));
  exception->hint = std::move(hint);
  exception->attributes()->set(intern("name"), Value(name));
  if (!object.is_empty()) exception->attributes()->set(intern("obj"), object);
  return exception;
}

void raise_unknown(Type& type, std::string_view message, std::string hint, Name name,
                   const Value& object) {
  raise_exception(make_unknown(type, message, std::move(hint), name, object));
}

static Ref<Exception> exception_of(Type& type, const Value& argument) {
  return make<Exception>(&type, make_tuple(std::span<const Value>(&argument, 1)));
}

static Ref<Exception> exception_of(Type& type, std::string_view message) {
  bool bare = &type == &errors::StopIteration() && message.empty();
  if (bare) return make<Exception>(&type, empty_tuple());
  return exception_of(type, Value(make_str(message)));
}

void raise_message(Type& type, std::string_view message) {
  raise_exception(exception_of(type, message));
}

void raise_value(Type& type, const Value& argument) {
  raise_exception(exception_of(type, argument));
}

Value fail_message(Type& type, std::string_view message) {
  return fail_exception(exception_of(type, message));
}

Value fail_value(Type& type, const Value& argument) {
  return fail_exception(exception_of(type, argument));
}

void raise_os_error(int error_number, std::string_view path) {
  Values args;
  args.push_back(Value::integer(error_number));
  args.push_back(make_str(std::strerror(error_number)));
  if (path.data()) args.push_back(make_str(path));
  raise_exception(make<Exception>(&os_error_type(error_number), make_tuple(std::move(args))));
}

static ExceptionTranslator exception_translator = nullptr;

void set_exception_translator(ExceptionTranslator translator) { exception_translator = translator; }

Ref<Exception> caught_exception() {
  try {
    throw;
  } catch (const Raised& raised) {
    return raised.exception;
  } catch (const std::bad_alloc&) {
    return make<Exception>(&errors::MemoryError(), empty_tuple());
  } catch (const std::length_error&) {  // a text or list beyond the largest possible size
    return make<Exception>(&errors::MemoryError(), empty_tuple());
  } catch (const std::exception& error) {
    Ref<Exception> translated = exception_translator ? exception_translator(error) : nullptr;
    if (translated) return translated;
    Value text = make_str(error.what());
    return make<Exception>(&errors::SystemError(), make_tuple(std::span<const Value>(&text, 1)));
  }
}

Ref<Exception> make_exception(const Value& type_or_instance, const Value& value) {
  if (type_or_instance.has_layout(Layout::kException)) return type_or_instance.as<Exception>();
  if (!type_or_instance.has_layout(Layout::kType) ||
      !type_or_instance.as<Type>()->has(Type::kException))
    raise(errors::TypeError, "exceptions must derive from BaseException");
  if (value.has_layout(Layout::kException) && is_instance(value, *type_or_instance.as<Type>()))
    return value.as<Exception>();
  Value made = value.is_none() || value.is_empty() ? call(type_or_instance)
               : is_tuple(value) ? call(type_or_instance, Arguments(value.as<Tuple>()->items()))
                                 : call(type_or_instance, value);
  if (!made.has_layout(Layout::kException))
    raise(errors::TypeError, "calling {} should have returned an instance of BaseException, not {}",
          repr_text(type_or_instance), type_name(made));
  return made.as<Exception>();
}

bool matches(const Exception& exception, const Value& type) {
  if (is_tuple(type)) {
    for (const Value& each : type.as<Tuple>()->items())
      if (matches(exception, each)) return true;
    return false;
  }
  if (!type.has_layout(Layout::kType) || !type.as<Type>()->has(Type::kException))
    raise(errors::TypeError,
          "catching classes that do not inherit from BaseException is not allowed");
  return exception.type()->is_subclass_of(type.as<Type>());
}

}  // namespace strider::lang
