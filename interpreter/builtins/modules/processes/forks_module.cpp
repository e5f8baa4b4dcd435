// The module _forks: copies of this process that run beside it, for multiprocessing. A device's
// memory and threads do not come along, so there are none once a device is open; a copy computes on
// the host alone.
// Knows nothing of tasks or queues.
#include <poll.h>
#include <strider/nd/copies.h>
#include <strider/nd/device.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>

#include "interpreter/builtins/modules/io/io_base.h"
#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/builtins/streams.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr int kPatience = 50;  // milliseconds between looks at the interrupt flag

// What os.register_at_fork() was given, where somebody has called it.
void call_hooks(const char* moment) {
  Value* loaded = Interpreter::current().modules->find(Value(make_str("_forkhooks")));
  if (loaded) call_method(Value(*loaded), intern(moment));
}

Value fork_process(const Parameters&) {
  require_outside();
  call_hooks("before");
  flush_standard_streams();
  pid_t child = fork();
  int error = errno;
  if (child < 0) {
    call_hooks("after_in_parent");
    raise_os_error(error);
  }
  if (child == 0) nd::use_device({nd::DeviceChoice::Kind::kHost, 0});
  Interpreter& interpreter = Interpreter::current();
  if (child == 0 && interpreter.threads) interpreter.threads->keep_current_only();
  call_hooks(child == 0 ? "after_in_child" : "after_in_parent");
  return Value::integer(child);
}

// None while the process runs; else its exit status, or minus the signal that ended it.
Value wait_for(const Parameters& p) {
  auto child = to_c_int(p[0]);
  bool patient = truth(p[1]);
  int status = 0;
  Interpreter& interpreter = Interpreter::current();
  for (;;) {
    bool waits = patient && !has_other_threads(interpreter);
    pid_t done = waitpid(child, &status, waits ? 0 : WNOHANG);
    if (done == child) break;
    if (done == 0 && !patient) return Value::none();
    if (done < 0 && errno != EINTR) raise_os_error(errno);
    if (done == 0)
      wait_a_little(interpreter);
    else
      poll_interrupt(interpreter);
  }
  return Value::integer(WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status));
}

// Whether something can be read from a descriptor within so many seconds (None: ever).
Value wait_readable(const Parameters& p) {
  pollfd watched = {to_c_int(p[0]), POLLIN, 0};
  double left = p[1].is_none() ? HUGE_VAL : std::max(0.0, to_double(p[1]) * 1000);
  Interpreter& interpreter = Interpreter::current();
  using Clock = std::chrono::steady_clock;
  for (;;) {
    Clock::time_point begin = Clock::now();
    int patience = static_cast<int>(std::ceil(std::min<double>(left, kPatience)));
    bool others = has_other_threads(interpreter);
    if (poll(&watched, 1, others ? 0 : patience) > 0) return Value::boolean(true);
    if (others)
      wait_a_little(interpreter, std::min(left / 1000, kLongestNap));
    else
      poll_interrupt(interpreter);
    left -= std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    if (left <= 0) return Value::boolean(false);
  }
}

const NativeRow kFunctions[] = {
    {"is_possible()", [](const Parameters&) { return Value::boolean(nd::is_host_alone()); },
     "Whether this process can be copied: no device is in use."},
    {"fork()", fork_process, "Copies the process; the copy's number, in the copy 0."},
    {"wait_for(process, block=True, /)", wait_for,
     "The exit status of a copy, negative for a signal; None while it runs."},
    {"wait_readable(descriptor, seconds=None, /)", wait_readable,
     "Whether something can be read within a time."},
};

}  // namespace

const NativeModule kForksModule = {"_forks", "Copies of this process.", kFunctions, {}};

}  // namespace strider::lang
