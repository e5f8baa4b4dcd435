// ProgramWatcher: hands the steps of a thread to what the program has set: sys.settrace's function,
// sys.setprofile's, and a profiler.
#pragma once

#include <memory>

#include "interpreter/builtins/watching/call_times.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/program/watcher.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class ProgramWatcher final : public Watcher {
 public:
  // That of the thread that runs, made if there is none; or null.
  static ProgramWatcher& own();
  static ProgramWatcher* present();
  // Lets that of this thread go if it has nothing to do.
  static void end_if_idle();

  bool is_idle() const override {
    return busy_ == 0 && tracer.is_empty() && profiler.is_empty() && !times;
  }
  void begin(Frame& frame) override;
  void end(Frame& frame, const Value& result) override;
  void line(Frame& frame, bool again) override;
  void failure(Frame& frame, Exception& exception) override;
  void begin_native(Frame& frame, const NativeFunction& function, const Value& self) override;
  void end_native(Frame& frame, const NativeFunction& function, const Value& self,
                  bool failed) override;

  Value tracer, profiler;  // functions of the program, or Empty
  std::shared_ptr<CallTimes> times;
  bool times_natives = true;

 private:
  class Busy;
  // Calls function(frame, event, argument) of the program, which is not told of what that does.
  Value tell(Frame& frame, const Value& function, const char* event, const Value& argument);
  void profile(Frame& frame, const char* event, const Value& argument);
  void trace(Frame& frame, const char* event, const Value& argument);

  int busy_ = 0;
};

// sys.settrace, setprofile, gettrace, getprofile.
Value set_tracer(const Parameters& p);
Value set_profiler(const Parameters& p);
Value get_tracer(const Parameters& p);
Value get_profiler(const Parameters& p);

}  // namespace strider::lang
