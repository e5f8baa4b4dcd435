// What a watcher is told, and that what it raises counts as raised by the frame.
#include "interpreter/evaluator/frames/watching.h"

#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/error/error.h"

namespace strider::lang {
namespace {

// Calls step(watcher) if there is one, and lets it go once it has nothing to do.
template <class Step>
void tell(const Frame& frame, const Step& step) {
  std::unique_ptr<Watcher>& present = frame.interpreter->watcher;
  Watcher* watcher = present.get();
  if (!watcher) return;
  step(*watcher);
  if (present.get() == watcher && watcher->is_idle()) present = nullptr;
}

}  // namespace

void tell_begin(Frame& frame) {
  tell(frame, [&](Watcher& watcher) { watcher.begin(frame); });
}

void tell_end(Frame& frame, const Value& result) {
  tell(frame, [&](Watcher& watcher) { watcher.end(frame, result); });
}

void tell_line(Frame& frame, const NodeBase& at, bool again) {
  frame.at = &at;
  tell(frame, [&](Watcher& watcher) { watcher.line(frame, again); });
}

void tell_failure(Frame& frame, const Ref<Exception>& exception) {
  if (!frame.watched) return;
  tell(frame, [&](Watcher& watcher) { watcher.failure(frame, *exception); });
}

Ref<Exception> tell_raise(Frame& frame, const Ref<Exception>& exception) {
  try {
    tell_failure(frame, exception);
    tell_end(frame, Value());
  } catch (const Raised& raised) {
    add_traceback_entry(frame, *raised.exception);
    return raised.exception;
  }
  return exception;
}

Value run_watched(Frame& frame) {
  try {
    tell_begin(frame);
    if (frame.watched && frame.code->expression) tell_line(frame, *frame.code->expression);
  } catch (const Raised& raised) {
    if (frame.object) retire_frame(frame);
    return hand_on(frame, raised.exception);
  }
  return end_noted(frame, run_unwatched(frame));
}

namespace {

Value told_end(Frame& frame, Value&& result) {
  if (result.is_empty()) {
    frame.interpreter->raised = tell_raise(frame, take_raised(*frame.interpreter));
    return std::move(result);
  }
  try {
    tell_end(frame, result);
  } catch (const Raised& raised) {
    return hand_on(frame, raised.exception);
  }
  return std::move(result);
}

}  // namespace

Value end_noted(Frame& frame, Value&& result) {
  Value told =
      is_watched(*frame.interpreter) ? told_end(frame, std::move(result)) : std::move(result);
  if (frame.object) retire_frame(frame);
  return told;
}

void note_frames(Interpreter& interpreter) {
  for (Frame* frame = interpreter.frame; frame; frame = frame->caller) frame->noted = true;
  interpreter.attention.store(true, std::memory_order_relaxed);
}

Value call_watched(Frame& frame, const Value& callee, const Arguments& arguments) {
  Value self, function = callee;
  if (callee.has_layout(Layout::kBoundMethod)) {
    self = callee.as<BoundMethod>()->self;
    function = callee.as<BoundMethod>()->function;
  } else if (callee.has_layout(Layout::kNativeFunction) && arguments.count > 0 &&
             callee.as<NativeFunction>()->owner()) {
    self = arguments.values[0];
  }
  if (!function.has_layout(Layout::kNativeFunction) || !frame.interpreter->watcher)
    return attempt_call(callee, arguments);
  const NativeFunction& native = *function.as<NativeFunction>();
  tell(frame, [&](Watcher& watcher) { watcher.begin_native(frame, native, self); });
  auto end = [&](bool failed) {
    tell(frame, [&](Watcher& watcher) { watcher.end_native(frame, native, self, failed); });
  };
  try {
    Value result = attempt_call(callee, arguments);
    RaisedAside aside;
    end(result.is_empty());
    return result;
  } catch (const Raised&) {
    end(true);
    throw;
  }
}

}  // namespace strider::lang
