// The type has no methods: a trace is only handed on.
#include "interpreter/builtins/network/trace_type.h"

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

class TraceObject : public Object {
 public:
  explicit TraceObject(std::shared_ptr<nd::LstmTrace> trace)
      : Object(Layout::kOther, &type_object()), trace(std::move(trace)) {}
  static Type& type_object();
  const std::shared_ptr<nd::LstmTrace> trace;
};

Type& TraceObject::type_object() {
  static Type& type = *[] {
    Type& made = new_type("Trace", Type::object_type());
    made.module = "_nnet";
    made.instance_layout = Layout::kOther;
    return &made;
  }();
  return type;
}

}  // namespace

Value make_trace(std::shared_ptr<nd::LstmTrace> trace) {
  return make<TraceObject>(std::move(trace));
}

nd::LstmTrace& to_trace(const Value& value) {
  if (!value.is_object() || value.object()->type() != &TraceObject::type_object())
    raise(errors::TypeError, "lstm_gradient: trace is {}, but wants the fourth result of lstm",
          repr_text(value));
  return *value.as<TraceObject>()->trace;
}

}  // namespace strider::lang
