// The types `generator` and `coroutine`: send, throw, close; iteration of the one, and of what the
// other gives to be awaited, its `coroutine_wrapper`.
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
  return make_str(fmt::format("<{} object {} at {}>", type_name(self),
                              text_of(generator_of(self).qualified_name()),
                              fmt::ptr(static_cast<void*>(self.object()))));
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
  raise_stop(was_finished ? Value::none() : generator.result());
}

Value generator_send(const Parameters& p) { return resume_with(p[0], p[1]); }

Value is_running(const Value& self) { return Value::boolean(generator_of(self).running()); }
Value is_paused(const Value& self) { return Value::boolean(generator_of(self).paused()); }
Value frame_of(const Value& self) {
  Generator& generator = generator_of(self);
  return describe_frame(generator.finished() ? nullptr : &generator.frame());
}
Value delegate_of(const Value& self) { return generator_of(self).delegate(); }
Value code_of(const Value& self) { return describe_code(generator_of(self).code()); }

// An iterator that is driven as the coroutine that it stands for.
class CoroutineWrapper final : public Container {
 public:
  explicit CoroutineWrapper(const Value& coroutine)
      : Container(Layout::kOther, &Generator::wrapper_type()), coroutine(coroutine) {}
  void traverse(Visitor& visitor) override { visitor.visit(coroutine); }
  void clear_references() override { coroutine = Value(); }
  Value coroutine;
};

const Value& wrapped(const Value& self) { return self.as<CoroutineWrapper>()->coroutine; }

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
     "Raises an exception where the coroutine waits."},
    {"close(self, /)", generator_close, "Raises GeneratorExit inside coroutine, where it waits."},
    {"__await__(self, /)", [](const Parameters& p) { return Value(make<CoroutineWrapper>(p[0])); },
     "An iterator that drives it."},
};

const NativeRow kWrapperMethods[] = {
    {"__next__(self, /)",
     [](const Parameters& p) { return resume_with(wrapped(p[0]), Value::none()); },
     "What is awaited next."},
    {"send(self, value, /)", [](const Parameters& p) { return resume_with(wrapped(p[0]), p[1]); },
     "Goes on with a value; gives what is awaited next."},
    {"throw(self, type, value=None, traceback=None, /)",
     [](const Parameters& p) {
       return call_method(wrapped(p[0]), names().throw_, p[1], p[2], p[3]);
     },
     "Raises an exception where the coroutine waits."},
    {"close(self, /)",
     [](const Parameters& p) {
       generator_of(wrapped(p[0])).close();
       return Value::none();
     },
     "Raises GeneratorExit where the coroutine waits."},
};

const PropertyRow kCoroutineAttributes[] = {
    {"cr_running", is_running, nullptr, "Whether it is executing."},
    {"cr_suspended", is_paused, nullptr, "Whether it waits."},
    {"cr_frame", frame_of, nullptr, "A frame until it has ended."},
    {"cr_await", delegate_of, nullptr, "What it waits for."},
    {"cr_code", code_of, nullptr, "Its function's code."},
    {"cr_origin", [](const Value&) { return Value::none(); }, nullptr,
     "None: where coroutines were made is not kept."},
};

const PropertyRow kGeneratorAttributes[] = {
    {"gi_running", is_running, nullptr, "Whether it is executing."},
    {"gi_suspended", is_paused, nullptr, "Whether it waits at a yield."},
    {"gi_frame", frame_of, nullptr, "A frame until it has ended."},
    {"gi_yieldfrom", delegate_of, nullptr, "The iterator that it waits for in a `yield from`."},
    {"gi_code", code_of, nullptr, "Its function's code."},
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
    made->add(kNames);
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
    made->add(kNames);
    return made;
  }();
  return type;
}

Type& Generator::wrapper_type() {
  static Type& type = *[] {
    auto* made = new Type("coroutine_wrapper", &Type::object_type());
    made->slots.iterate = [](const Value& self) { return self; };
    made->slots.next = [](const Value& self, Value& item) {
      return generator_of(wrapped(self)).resume(Value::none(), item);
    };
    made->add(kWrapperMethods);
    return made;
  }();
  return type;
}

}  // namespace strider::lang
