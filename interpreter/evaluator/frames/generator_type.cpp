// The type `generator`: send, throw, close, iteration.
#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/evaluator/frames/generator.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/objects/code_facts.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Generator& generator_of(const Value& self) { return *self.as<Generator>(); }

[[noreturn]] void raise_stop(const Value& result) {
  if (result.is_none()) raise_message(errors::StopIteration(), "");
  raise_value(errors::StopIteration(), result);
}

bool generator_next(const Value& self, Value& item) { return generator_of(self).advance(item); }

Value generator_send(const Parameters& p) {
  Value item;
  Generator& generator = generator_of(p[0]);
  bool was_finished = generator.finished();
  if (generator.resume(p[1], item)) return item;
  raise_stop(was_finished ? Value::none() : generator.result());
}

Value generator_throw(const Parameters& p) {
  Ref<Exception> exception = make_exception(p[1], p[2]);
  Value item;
  if (generator_of(p[0]).throw_in(exception, item)) return item;
  raise_stop(generator_of(p[0]).result());
}

Value generator_close(const Parameters& p) {
  generator_of(p[0]).close();
  return Value::none();
}

Value generator_repr(const Value& self) {
  return make_str(fmt::format("<generator object {} at {}>",
                              text_of(generator_of(self).qualified_name()),
                              fmt::ptr(static_cast<void*>(self.object()))));
}

const Value& checked_name(const Value& name, const char* attribute) {
  if (!is_str(name)) raise(errors::TypeError, "{} must be set to a string object", attribute);
  return name;
}

const NativeRow kGeneratorMethods[] = {
    {"__next__(self, /)",
     [](const Parameters& p) {
       Value item;
       Generator& generator = generator_of(p[0]);
       bool was_finished = generator.finished();
       if (generator.resume(Value::none(), item)) return item;
       raise_stop(was_finished ? Value::none() : generator.result());
     },
     "The next item."},
    {"send(self, value, /)", generator_send, "Resumes; the yield gives `value`."},
    {"throw(self, type, value=None, traceback=None, /)", generator_throw,
     "Raises an exception at the yield."},
    {"close(self, /)", generator_close, "Raises GeneratorExit at the yield."},
};

const PropertyRow kGeneratorAttributes[] = {
    {"gi_running", [](const Value& self) { return Value::boolean(generator_of(self).running()); },
     nullptr, "Whether it is executing."},
    {"gi_suspended", [](const Value& self) { return Value::boolean(generator_of(self).paused()); },
     nullptr, "Whether it waits at a yield."},
    {"gi_frame",
     [](const Value& self) {
       Generator& generator = generator_of(self);
       return describe_frame(generator.finished() ? nullptr : &generator.frame());
     },
     nullptr, "A frame until it has ended."},
    {"gi_yieldfrom", [](const Value& self) { return generator_of(self).delegate(); }, nullptr,
     "The iterator that it waits for in a `yield from`."},
    {"gi_code", [](const Value& self) { return Value(describe_code(generator_of(self).code())); },
     nullptr, "Its function's code."},
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

}  // namespace

Type& Generator::type_object() {
  static Type& type = *[] {
    auto* made = new Type("generator", &Type::object_type());
    made->instance_layout = Layout::kGenerator;
    made->slots.iterate = [](const Value& self) { return self; };
    made->slots.next = generator_next;
    made->slots.repr = generator_repr;
    made->add(kGeneratorMethods);
    made->add(kGeneratorAttributes);
    return made;
  }();
  return type;
}

}  // namespace strider::lang
