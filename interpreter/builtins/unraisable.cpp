// sys.unraisablehook: what happens to exceptions that nobody can be given, such as those of
// finalizers and of callbacks of weak references.
#include "interpreter/builtins/unraisable.h"

#include "interpreter/builtins/modules/os/struct_sequence.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr const char* kFields[] = {"exc_type", "exc_value", "exc_traceback", "err_msg", "object"};

// The text of what failed, which a program's __repr__ cannot spoil.
std::string words_for(const Value& object) {
  try {
    return repr_text(object);
  } catch (const Raised&) {
    return "<object repr() failed>";
  }
}

Value describe(const Value& exception, const Value& object) {
  static const auto& type =
      *new StructSequenceType("UnraisableHookArgs", "sys", kFields, std::size(kFields));
  return type.make({Value(type_of(exception)), exception,
                    get_attribute(exception, intern("__traceback__")), Value::none(), object});
}

std::string report_of(const Value& exception, const Value& message, const Value& object) {
  std::string what = is_str(message) ? std::string(text_of(message)) : "Exception ignored in";
  if (!object.is_none())
    what += ": " + words_for(object);
  else if (is_str(message))
    what += ":";
  return what + "\n" + format_traceback(*exception.as<Exception>());
}

}  // namespace

Value sys_unraisablehook(const Parameters& p) {
  Value exception = get_attribute(p[0], intern("exc_value"));
  if (!is_instance(exception, errors::BaseException())) return Value::none();
  write_to(standard_error(), report_of(exception, get_attribute(p[0], intern("err_msg")),
                                       get_attribute(p[0], intern("object"))));
  return Value::none();
}

void report_unraisable(Exception& exception, const Value& object) {
  Value raised = Ref<Exception>(&exception);
  try {
    call(get_attribute(import_module("sys"), intern("unraisablehook")), describe(raised, object));
  } catch (const Raised&) {
    // The hook itself fails, or the program is nearly gone.
    std::string text = format_traceback(exception);
    std::fprintf(stderr, "Exception ignored in: %s\n%s", words_for(object).c_str(), text.c_str());
  }
}

}  // namespace strider::lang
