// The types `generator` and `coroutine`: send, throw, close; iteration of the one, `__await__` of
// the other.
#include "interpreter/evaluator/frames/awaitable.h"
#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/evaluator/frames/generator_rows.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/traceback_link.h"
#include "interpreter/types/objects/code_facts.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Generator& generator_of(const Value& self) { return *self.as<Generator>(); }

// The end of a method by StopIteration with the result.
Value stop(const Value& result) {
  return result.is_none() ? fail_message(errors::StopIteration(), "")
                          : fail_value(errors::StopIteration(), result);
}

bool generator_next(const Value& self, Value& item) { return generator_of(self).advance(item); }

Value generator_throw(const Parameters& p) {
  Ref<Exception> exception = exception_to_throw(p);
  Value item;
  if (generator_of(p[0]).throw_in(exception, item)) return item;
  return stop(generator_of(p[0]).result());
}

Value generator_close(const Parameters& p) {
  generator_of(p[0]).close();
  return Value::none();
}

const Value& checked_name(const Value& name, const char* attribute) {
  if (!is_str(name)) raise(errors::TypeError, "{} must be set to a string object", attribute);
  return name;
}

Value resume_with(const Value& self, const Value& sent) {
  Value item;
  Generator& generator = generator_of(self);
  bool was_finished = generator.finished();
  if (generator.resume(sent, item)) return item;
  return stop(was_finished ? Value::none() : generator.result());
}

Value generator_send(const Parameters& p) { return resume_with(p[0], p[1]); }

Value is_running(const Value& self) { return Value::boolean(generator_of(self).running()); }
Value is_paused(const Value& self) { return Value::boolean(generator_of(self).paused()); }
const NativeRow kGeneratorMethods[] = {
    {"__next__(self, /)", [](const Parameters& p) { return resume_with(p[0], Value::none()); },
     "The next item."},
    {"send(self, value, /)", generator_send, "Resumes; the yield gives `value`."},
    {"throw(self, type, value=None, traceback=None, /)", generator_throw,
     "Raises an exception at the yield."},
    {"close(self, /)", generator_close, "Raises GeneratorExit at the yield."},
};

const NativeRow kCoroutineMethods[] = {
    {"send(self, value, /)", generator_send,
     "Goes on with a value, into coroutine; gives what is awaited next."},
    {"throw(self, type, value=None, traceback=None, /)", generator_throw,
     "Raises an exception in coroutine, where it waits."},
    {"close(self, /)", generator_close, "Raises GeneratorExit inside coroutine, where it waits."},
    {"__await__(self, /)", [](const Parameters& p) { return Value(make<CoroutineWrapper>(p[0])); },
     "An iterator that drives it."},
};

const PropertyRow kNames[] = {
    {"__name__", [](const Value& self) { return generator_of(self).name(); },
     [](const Value& self, const Value& name) {
       generator_of(self).rename(checked_name(name, "__name__"));
     },
     "The function's name."},
    {"__qualname__", [](const Value& self) { return generator_of(self).qualified_name(); },
     [](const Value& self, const Value& name) {
       generator_of(self).rename_qualified(checked_name(name, "__qualname__"));
     },
     "The function's name with its enclosing scopes."},
};

const PropertyRow kCoroutineAttributes[] = {
    {"cr_running", is_running, nullptr, "Whether it is executing."},
    {"cr_suspended", is_paused, nullptr, "Whether it waits."},
    {"cr_frame", generator_frame, nullptr, "A frame until it has ended."},
    {"cr_await", generator_delegate, nullptr, "What it waits for."},
    {"cr_code", generator_code, nullptr, "Its function's code."},
    {"cr_origin", [](const Value&) { return Value::none(); }, nullptr,
     "None: where coroutines were made is not kept."},
};

const PropertyRow kGeneratorAttributes[] = {
    {"gi_running", is_running, nullptr, "Whether it is executing."},
    {"gi_suspended", is_paused, nullptr, "Whether it waits at a yield."},
    {"gi_frame", generator_frame, nullptr, "A frame until it has ended."},
    {"gi_yieldfrom", generator_delegate, nullptr,
     "The iterator that it waits for in a `yield from`."},
    {"gi_code", generator_code, nullptr, "Its function's code."},
};

}  // namespace

Ref<Exception> exception_to_throw(const Parameters& p) {
  if (!p[3].is_none() && !traceback_link(p[3]))
    raise(errors::TypeError, "throw() third argument must be a traceback object");
  bool of_class = p[1].has_layout(Layout::kType) && p[1].as<Type>()->has(Type::kException);
  if (!of_class && !p[1].has_layout(Layout::kException))
    raise(errors::TypeError,
          "exceptions must be classes or instances deriving from BaseException, not {}",
          type_name(p[1]));
  if (!of_class && !p[2].is_none())
    raise(errors::TypeError, "instance exception may not have a separate value");
  Ref<Exception> exception = make_exception(p[1], p[2]);
  if (!p[3].is_none()) set_traceback(*exception, p[3]);
  return exception;
}

Value generator_repr(const Value& self) {
  return make_str(fmt::format("<{} object {} at {}>", type_name(self),
                              text_of(generator_of(self).qualified_name()),
                              fmt::ptr(static_cast<void*>(self.object()))));
}

Value generator_frame(const Value& self) {
  Generator& generator = generator_of(self);
  return describe_frame(generator.finished() ? nullptr : &generator.frame());
}
Value generator_delegate(const Value& self) { return generator_of(self).delegate(); }
Value generator_code(const Value& self) { return describe_code(generator_of(self).code()); }

const std::span<const PropertyRow> kGeneratorNames = kNames;

Type& Generator::type_object() {
  static Type& type = *[] {
    auto* made = new Type("generator", &Type::object_type());
    made->instance_layout = Layout::kGenerator;
    made->slots.iterate = [](const Value& self) { return self; };
    made->slots.next = generator_next;
    made->slots.repr = generator_repr;
    made->add(kGeneratorMethods);
    made->add(kGeneratorAttributes);
    made->add(kGeneratorNames);
    return made;
  }();
  return type;
}

Type& Generator::coroutine_type() {
  static Type& type = *[] {
    auto* made = new Type("coroutine", &Type::object_type());
    made->instance_layout = Layout::kGenerator;
    made->slots.repr = generator_repr;
    made->add(kCoroutineMethods);
    made->add(kCoroutineAttributes);
    made->add(kGeneratorNames);
    return made;
  }();
  return type;
}

}  // namespace strider::lang
