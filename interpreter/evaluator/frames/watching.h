// Tells the watcher of a thread what its frames do. Nothing here runs while nobody watches.
#pragma once

#include <utility>

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/program/watcher.h"

namespace strider::lang {

inline bool is_watched(const Interpreter& interpreter) { return interpreter.watcher != nullptr; }

// A body begins to run, or a generator goes on; it has given a value, or raised: Empty.
void tell_begin(Frame& frame);
void tell_end(Frame& frame, const Value& result);
// The frame has caught or passes on an exception, of which its watcher is told once.
void tell_failure(Frame& frame, const Ref<Exception>& exception);
// The body raised this; the exception that goes on.
Ref<Exception> tell_raise(Frame& frame, const Ref<Exception>& exception);
// The value of a body that is about to run; Empty: it raised (see Node::attempt).
Value run_watched(Frame& frame);
// What a body gave whose frame is noted: its watcher is told, and its object keeps what it shows if
// somebody holds it. Likewise.
Value end_noted(Frame& frame, Value&& result);
// From now on these frames and what they call are noted.
void note_frames(Interpreter& interpreter);
// Calls anything; its watcher is told of functions that are not written in the language. Empty
// where it failed.
Value call_watched(Frame& frame, const Value& callee, const Arguments& arguments);

inline Value call_told(Frame& frame, const Value& callee, const Arguments& arguments) {
  if (frame.noted) [[unlikely]]
    return landed(frame, call_watched(frame, callee, arguments));
  return call(callee, arguments);
}

}  // namespace strider::lang
