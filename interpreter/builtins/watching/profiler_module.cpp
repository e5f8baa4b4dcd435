// The module _lsprof: what cProfile measures with.
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/watching/program_watcher.h"
#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/code_facts.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class ProfilerObject : public Container {
 public:
  explicit ProfilerObject(Type* type) : Container(Layout::kOther, type) {}
  static Type& type_object();
  void traverse(Visitor& visitor) override {
    visitor.visit(times->timer);
    for (const auto& [identity, function] : times->functions()) visitor.visit(function.native);
  }
  void clear_references() override { times->timer = Value(); }
  std::shared_ptr<CallTimes> times = std::make_shared<CallTimes>();
};

CallTimes& times_of(const Parameters& p) { return *p[0].as<ProfilerObject>()->times; }

Value set_up(const Parameters& p) {
  CallTimes& times = times_of(p);
  times.timer = p[1].is_none() ? Value() : p[1];
  times.unit = to_double(p[2]);
  times.by_caller = truth(p[3]);
  return Value::none();
}

Value enable(const Parameters& p) {
  CallTimes& times = times_of(p);
  if (!p[1].is_none()) times.by_caller = truth(p[1]);
  ProgramWatcher& watcher = ProgramWatcher::own();
  if (watcher.times && watcher.times.get() != &times)
    raise(errors::ValueError, "Another profiling tool is already active");
  watcher.times = p[0].as<ProfilerObject>()->times;
  watcher.times_natives = p[2].is_none() || truth(p[2]);
  return Value::none();
}

Value disable(const Parameters& p) {
  ProgramWatcher* watcher = ProgramWatcher::present();
  if (watcher && watcher->times.get() == &times_of(p)) watcher->times = nullptr;
  times_of(p).end_all();
  ProgramWatcher::end_if_idle();
  return Value::none();
}

Value clear(const Parameters& p) {
  times_of(p).clear();
  return Value::none();
}

std::string prefix_of(const Type& type) {
  return type.module == "builtins" ? "" : type.module + ".";
}

// File, line and name, as pstats knows functions.
Value label(const CallTimes::Function& function) {
  if (function.code) {
    const Code& code = *static_cast<const Code*>(function.code.get());
    std::string file = code.source ? std::string(code.source->file_name()) : "";
    return make_tuple({make_str(file), Value::integer(first_line(code)), Value(code.name)});
  }
  const NativeFunction& native = *function.native.as<NativeFunction>();
  std::string text;
  if (native.owner())
    text = fmt::format("<method '{}' of '{}{}' objects>", native.name(), prefix_of(*native.owner()),
                       native.owner()->qualified_name);
  else
    text = fmt::format("<built-in method {}{}{}>", native.module, native.module.empty() ? "" : ".",
                       native.name());
  return make_tuple({make_str("~"), Value::integer(0), make_str(text)});
}

Value numbers(const CallTimes::Calls& calls) {
  return make_tuple({Value::integer(calls.calls - calls.recursive), Value::integer(calls.calls),
                     Value::real(calls.inside), Value::real(calls.total)});
}

// [(label, numbers, [(label of a callee, numbers), ...]), ...]
Value results(const Parameters& p) {
  const auto& functions = times_of(p).functions();
  Ref<List> list = make<List>();
  for (const auto& [identity, function] : functions) {
    if (function.calls == 0) continue;
    Ref<List> callees = make<List>();
    for (const auto& [callee, calls] : function.callees)
      if (calls.calls > 0)
        callees->items.push_back(make_tuple({label(functions.at(callee)), numbers(calls)}));
    list->items.push_back(make_tuple({label(function), numbers(function), Value(callees)}));
  }
  return list;
}

const NativeRow kMethods[] = {
    {"set_up(self, timer, unit, subcalls, /)", set_up, "Sets what tells the time."},
    {"enable(self, subcalls=None, builtins=None)", enable, "Begins to measure this thread."},
    {"disable(self)", disable, "Ends measuring; calls that have not ended end now."},
    {"clear(self)", clear, "Forgets what was measured."},
    {"results(self)", results,
     "What each function took, and what each function that it called did."},
};

Type& ProfilerObject::type_object() {
  static Type& type = *[] {
    Type& made = new_type("Profiler", Type::object_type());
    made.module = "_lsprof";
    made.set(Type::kSubclassable);
    made.slots.construct = [](Type* cls, const Arguments&) -> Value {
      return make_instance<ProfilerObject>(cls);
    };
    made.add(kMethods);
    return &made;
  }();
  return type;
}

const ConstantRow kConstants[] = {
    {"Profiler", [] { return Value(&ProfilerObject::type_object()); }},
};

}  // namespace

const NativeModule kProfilerModule = {"_lsprof", "Measuring of calls.", {}, kConstants};

}  // namespace strider::lang
