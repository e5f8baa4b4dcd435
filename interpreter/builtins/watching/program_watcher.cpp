// Events by CPython's names: call, line, return, exception, c_call, c_return, c_exception.
#include "interpreter/builtins/watching/program_watcher.h"

#include "interpreter/evaluator/frames/frame_object.h"
#include "interpreter/evaluator/frames/watching.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

// While the program's own function runs, nothing is told.
class ProgramWatcher::Busy {
 public:
  explicit Busy(int& busy) : busy_(busy) { ++busy_; }
  ~Busy() { --busy_; }
  Busy(const Busy&) = delete;

 private:
  int& busy_;
};

ProgramWatcher* ProgramWatcher::present() {
  return static_cast<ProgramWatcher*>(Interpreter::current().watcher.get());
}

ProgramWatcher& ProgramWatcher::own() {
  Interpreter& interpreter = Interpreter::current();
  if (!interpreter.watcher) interpreter.watcher = std::make_unique<ProgramWatcher>();
  note_frames(interpreter);
  return *present();
}

void ProgramWatcher::end_if_idle() {
  ProgramWatcher* own = present();
  if (own && own->is_idle()) Interpreter::current().watcher = nullptr;
}

Value ProgramWatcher::tell(Frame& frame, const Value& function, const char* event,
                           const Value& argument) {
  Value kept = function, object = describe_frame(&frame);
  FrameObject& shown = *object.as<FrameObject>();
  Busy busy(busy_);
  if (!shown.locals.is_empty()) show_variables(shown);
  Value answer = call(kept, object, make_str(event), argument);
  store_variables(shown);  // a debugger may have changed some
  return answer;
}

void ProgramWatcher::profile(Frame& frame, const char* event, const Value& argument) {
  if (profiler.is_empty()) return;
  try {
    tell(frame, profiler, event, argument);
  } catch (const Raised&) {
    profiler = Value();
    throw;
  }
}

// Tells the frame's own function, which its answer replaces; one that fails is the last.
void ProgramWatcher::trace(Frame& frame, const char* event, const Value& argument) {
  Value object = describe_frame(&frame);
  Value own = object.as<FrameObject>()->tracer;
  if (own.is_none() || tracer.is_empty()) return;
  try {
    Value answer = tell(frame, own, event, argument);
    if (!answer.is_none()) object.as<FrameObject>()->tracer = answer;
  } catch (const Raised&) {
    tracer = Value();
    object.as<FrameObject>()->tracer = Value::none();
    frame.watched = false;
    throw;
  }
}

void ProgramWatcher::begin(Frame& frame) {
  if (busy_) return;
  if (times) {
    Busy busy(busy_);  // the clock may be a function of the program
    times->begin(frame.code, [&](CallTimes::Function& function) {
      function.code = frame.code->shared_from_this();
    });
  }
  if (!tracer.is_empty()) {
    Value object = describe_frame(&frame);
    Value own;
    try {
      own = tell(frame, tracer, "call", Value::none());
    } catch (const Raised&) {
      tracer = Value();
      throw;
    }
    object.as<FrameObject>()->tracer = own;
    object.as<FrameObject>()->told_line = 0;
    frame.watched = !own.is_none();
  }
  profile(frame, "call", Value::none());
}

void ProgramWatcher::end(Frame& frame, const Value& result) {
  if (busy_) return;
  Value given = result.is_empty() ? Value::none() : result;
  if (frame.watched) trace(frame, "return", given);
  profile(frame, "return", given);
  if (!times) return;
  Busy busy(busy_);
  times->end(frame.code);
}

void ProgramWatcher::line(Frame& frame, bool again) {
  if (busy_ || tracer.is_empty()) return;
  Value kept = describe_frame(&frame);
  FrameObject& object = *kept.as<FrameObject>();
  int line = line_of(frame);
  if (line == object.told_line && !again) return;
  object.told_line = line;
  if (object.traces_lines) trace(frame, "line", Value::none());
}

void ProgramWatcher::failure(Frame& frame, Exception& exception) {
  if (busy_ || tracer.is_empty()) return;
  Value kept = describe_frame(&frame);
  FrameObject& object = *kept.as<FrameObject>();
  Value raised{Ref<Exception>(&exception)};
  if (identical(object.told_of, raised)) return;
  object.told_of = raised;
  Value parts[] = {Value(exception.type()), raised, traceback_object(exception)};
  trace(frame, "exception", make_tuple(std::span<const Value>(parts)));
}

namespace {

Value native_value(const NativeFunction& function, const Value& self) {
  Value plain(const_cast<NativeFunction*>(&function));
  return self.is_empty() ? plain : Value(make<BoundMethod>(plain, self));
}

}  // namespace

void ProgramWatcher::begin_native(Frame& frame, const NativeFunction& function, const Value& self) {
  if (busy_) return;
  if (times && times_natives) {
    Busy busy(busy_);
    times->begin(&function, [&](CallTimes::Function& known) {
      known.native = Value(const_cast<NativeFunction*>(&function));
    });
  }
  if (!profiler.is_empty()) profile(frame, "c_call", native_value(function, self));
}

void ProgramWatcher::end_native(Frame& frame, const NativeFunction& function, const Value& self,
                                bool failed) {
  if (busy_) return;
  if (!profiler.is_empty())
    profile(frame, failed ? "c_exception" : "c_return", native_value(function, self));
  if (!times || !times_natives) return;
  Busy busy(busy_);
  times->end(&function);
}

namespace {

Value set_function(Value ProgramWatcher::*place, const Value& function) {
  if (!function.is_none())
    ProgramWatcher::own().*place = function;
  else if (ProgramWatcher* watcher = ProgramWatcher::present())
    watcher->*place = Value();
  return Value::none();
}

Value get_function(Value ProgramWatcher::*place) {
  ProgramWatcher* watcher = ProgramWatcher::present();
  return watcher && !(watcher->*place).is_empty() ? watcher->*place : Value::none();
}

}  // namespace

Value set_tracer(const Parameters& p) { return set_function(&ProgramWatcher::tracer, p[0]); }
Value set_profiler(const Parameters& p) { return set_function(&ProgramWatcher::profiler, p[0]); }
Value get_tracer(const Parameters&) { return get_function(&ProgramWatcher::tracer); }
Value get_profiler(const Parameters&) { return get_function(&ProgramWatcher::profiler); }

}  // namespace strider::lang
