// Errors: the language's exceptions as objects, and how C++ code raises them.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/syntax/source.h"

namespace strider::lang {

// A line of a traceback: where in the source, and in which function. Keeps no frame and no
// variables alive, but for a debugger that watches the program.
struct TracebackEntry {
  std::shared_ptr<const syntax::Source> source;
  syntax::Span span;
  std::string function;
  std::shared_ptr<const void> code;  // of the function; the evaluator knows its class
  const void* frame = nullptr;       // identity of the frame while it runs; never followed
  Value frame_object;                // where somebody watches; Empty elsewhere
};

// The names that were known where one was missing.
class KnownNames {
 public:
  virtual ~KnownNames() = default;
  virtual void list(std::vector<std::string_view>& names) const = 0;
  virtual void traverse(Visitor& visitor) = 0;
};

// An instance of BaseException or a subclass.
class Exception : public Container {
 public:
  Exception(Type* type, const Ref<Tuple>& args);
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override;
  void clear_references() override;

  Ref<Tuple> args;
  Ref<Exception> cause;
  Ref<Exception> context;
  bool suppress_context = false;
  std::string hint;                       // shown after the message when a traceback is printed
  std::unique_ptr<KnownNames> known;      // among which a hint is looked for then
  std::vector<TracebackEntry> traceback;  // innermost first, as unwinding meets the frames
  // What __traceback__ gave of the first lines, so that it gives the same objects again.
  mutable Value traceback_chain;
  mutable std::size_t chained = 0;

 private:
  Ref<Type> class_{type()};  // keeps the class alive
  Attributes attributes_;
};

// What is thrown in C++ while an exception of the language travels.
struct Raised {
  Ref<Exception> exception;
};

// The same where native code leaves the call to its guard; that is asked next, if there is one.
struct LeftToGuard : Raised {};

namespace errors {
#define EXCEPTION(name, base) Type& name();
EXCEPTION(BaseException, object)
#include "interpreter/runtime/error/exceptions.def"
}  // namespace errors

// Raises an exception of this class with one message.
[[noreturn]] void raise_message(Type& type, std::string_view message);
template <class... Args>
[[noreturn]] void raise(Type& (*type)(), fmt::format_string<Args...> message, Args&&... args) {
  raise_message(type(), fmt::format(message, std::forward<Args>(args)...));
}
// The end of native code by an error without a C++ exception, for NativeRow::code and
// Slots::construct: leaves the exception in Interpreter::raised and gives Empty, which says so.
// A program that catches it at once pays a tenth of what raising costs.
Value fail_exception(const Ref<Exception>& exception);
Value fail_message(Type& type, std::string_view message);
Value fail_value(Type& type, const Value& argument);
template <class... Args>
Value fail(Type& (*type)(), fmt::format_string<Args...> message, Args&&... args) {
  return fail_message(type(), fmt::format(message, std::forward<Args>(args)...));
}
// A value that may be Empty because of a failure, which is then raised.
[[noreturn]] void raise_failure();
inline Value landed(Value&& value) {
  if (value.is_empty()) [[unlikely]]
    raise_failure();
  return std::move(value);
}

// A NameError or AttributeError that tells the name (and the object, if not Empty); its traceback
// ends with a hint such as ". Did you mean: 'x'?", which is found for the object where none is
// given.
Ref<Exception> make_unknown(Type& type, std::string_view message, std::string hint, Name name,
                            const Value& object = Value());
[[noreturn]] void raise_unknown(Type& type, std::string_view message, std::string hint, Name name,
                                const Value& object = Value());
// Raises an exception made from any arguments: KeyError(key), StopIteration(value),
// SystemExit(code).
[[noreturn]] void raise_value(Type& type, const Value& argument);
[[noreturn]] void raise_exception(const Ref<Exception>& exception);
// Gives an exception that is about to be raised its context: what is being handled.
void link_context(Exception& exception);
// Raises OSError's fitting subclass: [Errno 2] No such file or directory: 'x'.
[[noreturn]] void raise_os_error(int error_number, std::string_view path = {});

// Inside a C++ catch block: the exception being caught as an object of the language. MemoryError
// for std::bad_alloc; library errors through the translator; SystemError for the rest.
Ref<Exception> caught_exception();
// Installs what turns C++ exceptions of other libraries into exceptions of the language (null
// result: unknown).
using ExceptionTranslator = Ref<Exception> (*)(const std::exception& error);
void set_exception_translator(ExceptionTranslator translator);
// The exception meant by `raise type` / `throw(type, value)`: an instance as it is, a class called
// with the value. TypeError "exceptions must derive from BaseException".
Ref<Exception> make_exception(const Value& type_or_instance, const Value& value);
// True when the exception matches `type` (a class or tuple of classes), as `except type:` decides.
bool matches(const Exception& exception, const Value& type);
// "ValueError: message" as the last line of a traceback.
std::string describe(const Exception& exception);
// What scripts read of a frame: an object with f_code (see describe_code()) and f_lineno.
Value make_frame_record(const std::shared_ptr<const void>& code, int line, std::int64_t place);
// The value of __traceback__: a chain of objects with tb_lineno, tb_frame and tb_next, outermost
// first; or None.
Value traceback_object(const Exception& exception);
// The whole traceback as text, causes and contexts first, with carets.
std::string format_traceback(const Exception& exception);

}  // namespace strider::lang
