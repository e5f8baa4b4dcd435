// What statements share that handle exceptions, those of generators that go back to where they were
// among them.
#pragma once

#include <utility>

#include "interpreter/evaluator/frames/generator.h"
#include "interpreter/evaluator/frames/watching.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"

namespace strider::lang {

// Runs an action, which gives the flow; what it raises is returned.
template <class Action>
Ref<Exception> catch_exception(Frame& frame, Flow& flow, Action&& action) {
  Ref<Exception> exception;
  try {
    flow = action();
    if (flow == Flow::kRaise) exception = take_raised(*frame.interpreter);
  } catch (const Raised& raised) {
    exception = raised.exception;
  } catch (const std::exception&) {
    exception = caught_exception();
  }
  if (exception) {
    frame.interpreter->frame = &frame;
    add_traceback_entry(frame, *exception);
    if (frame.watched) tell_failure(frame, exception);
  }
  return exception;
}

// Marks an exception as being handled while in scope. Where a generator pauses meanwhile, what its
// caller handles may be another one in the end.
class Handling {
 public:
  Handling(Frame& frame, const Ref<Exception>& exception)
      : frame_(frame), outer_(frame.interpreter->handled) {
    if (frame.generator) callers_ = frame.generator->enter_handler();
    frame.interpreter->handled = exception;
  }
  ~Handling() {
    if (frame_.generator) frame_.generator->leave_handler();
    frame_.interpreter->handled = callers_ ? frame_.generator->handled_outside() : outer_;
  }
  Handling(const Handling&) = delete;

 private:
  Frame& frame_;
  Ref<Exception> outer_;
  bool callers_ = false;  // that is the caller's
};

// A method that an object's type gives it. A function is called with the object in front: no bound
// method is made for it.
class TypesMethod {
 public:
  TypesMethod(const Value& object, Name name) {
    const Value* found = type_of(object)->lookup(name);
    bool plain = found && found->has_layout(Layout::kFunction);
    function_ = plain ? *found : find_special(object, name);
    if (plain) self_ = object;
  }
  TypesMethod(Value function, Value self)
      : function_(std::move(function)), self_(std::move(self)) {}
  bool is_missing() const { return function_.is_empty(); }
  const Value& function() const { return function_; }
  const Value& self() const { return self_; }  // Empty where the function has it
  template <class... Rest>
  Value operator()(const Rest&... rest) const {
    return self_.is_empty() ? call(function_, rest...) : call(function_, self_, rest...);
  }

 private:
  Value function_;
  Value self_;
};

// Of what a generator comes to; not of where it goes on.
inline void tell_if_watched(Frame& frame, const NodeBase* at) {
  if (frame.watched && !frame.resuming && at->span.end > 0) [[unlikely]]
    tell_line(frame, *at);
}

// How a block is entered that a manager looks after.
struct Entry {
  TypesMethod exit;
  Value entered;
};
// Enters; TypeError where it is no manager.
Entry enter_manager(const Value& manager);
// Calls the manager for a block that has failed; how the statement goes on.
Flow leave_failed(Frame& frame, const NodeBase& statement, const TypesMethod& exit,
                  const Ref<Exception>& failure);
// Calls it for one that has not; the frame's result stays.
void leave_entered(Frame& frame, const NodeBase& statement, const TypesMethod& exit);

}  // namespace strider::lang
