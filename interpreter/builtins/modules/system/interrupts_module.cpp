// _interrupts: what a program does when it is interrupted, and signals that wait for its handlers.
// signal is written on it. A handler of the system only notes its signal; the program looks at
// loops, calls and waits whether one has come.
#include <fcntl.h>
#include <strider/nd/interrupt.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <utility>

#include "interpreter/builtins/modules/os/descriptor.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/evaluator/frames/threads.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

constexpr int kMostSignals = 64;

std::atomic<std::uint64_t> arrived_signals{0};  // bit n - 1: signal n
std::atomic<unsigned> noted_signals{0};         // how many came, so how many interrupts are theirs
std::atomic<Interpreter*> interrupted_interpreter{nullptr};
struct sigaction usual_interrupt = {};  // what SIGINT did before a program took it
bool interrupt_is_taken = false;

// Where the number of each signal is written; -1: nowhere.
std::atomic<int> told_signals = -1;

void note_signal(int number) {
  int kept = errno;
  if (int descriptor = told_signals.load(); descriptor >= 0) {
    auto byte = static_cast<unsigned char>(number);
    [[maybe_unused]] ssize_t written = write(descriptor, &byte, 1);
  }
  errno = kept;
  arrived_signals.fetch_or(std::uint64_t{1} << (number - 1));
  noted_signals.fetch_add(1);
  if (Interpreter* interpreter = interrupted_interpreter.load()) interpreter->request_interrupt();
}

// Whether an interrupt came, since this was last asked, that is none of a noted signal: Ctrl-C.
bool comes_from_outside(const Interpreter& interpreter) {
  static unsigned known = 0;
  unsigned outside = interpreter.interrupts.load() - noted_signals.load();
  return std::exchange(known, outside) != outside;
}

// Arrays that a program goes on with are not to be left half computed.
Value set_handler(const Parameters& p) {
  Interpreter& interpreter = Interpreter::current();
  interpreter.interrupt_handler = p[0].is_none() ? Value() : p[0];
  if (p[0].is_none() && !comes_from_outside(interpreter)) {
    arrived_signals.store(0);  // nobody is left to hear of them
    interpreter.interrupt_requested = false;
  }
  nd::share_interrupt_flag(p[0].is_none() ? &interpreter.interrupt_requested : nullptr);
  return Value::none();
}

int signal_number(const Value& value) {
  std::int64_t number = to_int64(value);
  if (number < 1 || number > kMostSignals) raise(errors::ValueError, "signal number out of range");
  return static_cast<int>(number);
}

// What the system does with a signal from now on.
void act(int number, void (*handler)(int)) {
  struct sigaction action = {}, before = {};
  action.sa_handler = handler;
  if (sigaction(number, &action, &before) != 0) raise_os_error(errno);
  if (number != SIGINT || interrupt_is_taken) return;
  usual_interrupt = before;
  interrupt_is_taken = true;
}

Value watch(const Parameters& p) {
  require_outside();
  int number = signal_number(p[0]);
  interrupted_interpreter.store(&Interpreter::current());
  act(number, note_signal);
  return Value::none();
}

Value leave(const Parameters& p) {
  require_outside();
  int number = signal_number(p[0]);
  bool ignored = truth(p[1]);
  if (number != SIGINT || ignored) {
    act(number, ignored ? SIG_IGN : SIG_DFL);
  } else if (interrupt_is_taken) {
    interrupt_is_taken = false;
    sigaction(SIGINT, &usual_interrupt, nullptr);
  }
  return Value::none();
}

Value is_ignored(const Parameters& p) {
  struct sigaction now = {};
  return Value::boolean(sigaction(signal_number(p[0]), nullptr, &now) == 0 &&
                        now.sa_handler == SIG_IGN);
}

Value arrived(const Parameters&) {
  bool from_outside = comes_from_outside(Interpreter::current());
  std::uint64_t bits = arrived_signals.exchange(0);
  std::vector<int> found;
  if (!from_outside && bits == 0) found.push_back(0);
  if (from_outside && bits != 0) found.push_back(SIGINT);
  for (int number = 1; number <= kMostSignals; ++number)
    if (bits >> (number - 1) & 1) found.push_back(number);
  Ref<List> numbers = make_list();
  for (int number : found) numbers->items.push_back(Value::integer(number));
  return numbers;
}

// What was set before.
Value tell(const Parameters& p) {
  auto descriptor = to_c_int(p[0]);
  if (descriptor >= 0) {
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0) raise_os_error(errno);
    if (!(flags & O_NONBLOCK))
      raise(errors::ValueError, "the fd {} must be in non-blocking mode", descriptor);
  }
  return Value::integer(told_signals.exchange(std::max(descriptor, -1)));
}

timeval time_of(double seconds) {
  if (!(seconds >= 0) || seconds > 1e9) raise_os_error(EINVAL);
  double whole = std::floor(seconds);
  auto micro = static_cast<suseconds_t>(std::llround((seconds - whole) * 1e6));
  if (seconds > 0 && whole == 0 && micro == 0) micro = 1;
  return {static_cast<time_t>(whole) + micro / 1000000, micro % 1000000};
}

Value pair_of(const itimerval& timer) {
  auto seconds = [](const timeval& time) {
    return Value::real(static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6);
  };
  return make_tuple({seconds(timer.it_value), seconds(timer.it_interval)});
}

Value set_timer(const Parameters& p) {
  require_outside();
  itimerval timer{time_of(to_double(p[2])), time_of(to_double(p[1]))}, before;
  if (setitimer(static_cast<__itimer_which_t>(to_int64(p[0])), &timer, &before) != 0)
    raise_os_error(errno);
  return pair_of(before);
}

Value get_timer(const Parameters& p) {
  itimerval timer;
  if (getitimer(static_cast<__itimer_which_t>(to_int64(p[0])), &timer) != 0) raise_os_error(errno);
  return pair_of(timer);
}

Value wait_for_signal(const Parameters&) {
  require_outside();
  Interpreter& interpreter = Interpreter::current();
  constexpr useconds_t kPiece = 20000;  // a signal may come just before a wait
  while (!interpreter.interrupt_requested.load(std::memory_order_relaxed)) usleep(kPiece);
  poll_interrupt(interpreter);
  return Value::none();
}

// A set of signals as numbers that can be iterated, and back.
sigset_t signals_of(const Value& numbers) {
  sigset_t set;
  sigemptyset(&set);
  Iteration items(numbers);
  for (Value each; items.next(each);) {
    if (sigaddset(&set, to_c_int(each)) != 0)
      raise(errors::ValueError, "signal number {} out of range", to_int64(each));
  }
  return set;
}

Value numbers_of(const sigset_t& set) {
  Values numbers;
  for (int number = 1; number <= kMostSignals; ++number)
    if (sigismember(&set, number) == 1) numbers.push_back(Value::integer(number));
  return make_list(std::move(numbers));
}

Value set_mask(const Parameters& p) {
  require_outside();
  sigset_t set = signals_of(p[1]), before;
  if (int error = pthread_sigmask(to_c_int(p[0]), &set, &before)) raise_os_error(error);
  return numbers_of(before);
}

Value pending(const Parameters&) {
  sigset_t set;
  if (sigpending(&set) != 0) raise_os_error(errno);
  return numbers_of(set);
}

// The number of one of these signals that has arrived, after so many seconds at most; else None.
Value wait_for_one(const Parameters& p) {
  require_outside();
  sigset_t set = signals_of(p[0]);
  Interpreter& interpreter = Interpreter::current();
  double left = p[1].is_none() ? HUGE_VAL : to_double(p[1]);
  constexpr double kPiece = 0.02;
  for (;; left -= kPiece) {
    bool others = has_other_threads(interpreter);
    double seconds = std::clamp(left, 0.0, others ? 0.0 : kPiece);
    timespec time{0, static_cast<long>(seconds * 1e9)};
    int number = sigtimedwait(&set, nullptr, &time);
    if (number > 0) return Value::integer(number);
    if (errno != EAGAIN && errno != EINTR) raise_os_error(errno);
    if (left <= 0) return Value::none();
    if (others)
      wait_a_little(interpreter, kPiece);
    else
      poll_interrupt(interpreter);
  }
}

const NativeRow kFunctions[] = {
    {"set_handler(function, /)", set_handler,
     "Has a function called, without arguments, in place of KeyboardInterrupt; None: no more."},
    {"watch(number, /)", watch, "Has a signal noted, and the function of set_handler called."},
    {"leave(number, ignored, /)", leave, "Has a signal ignored, or do what it does by default."},
    {"is_ignored(number, /)", is_ignored, "Whether the system ignores a signal."},
    {"tell(descriptor, /)", tell, "Has the numbers of noted signals written to a descriptor."},
    {"arrived()", arrived,
     "The numbers of noted signals, which are forgotten; none for Ctrl-C, 0 for one told of "
     "before."},
    {"set_timer(which, seconds, interval, /)", set_timer,
     "Sets a timer of the system; gives what was left of it, and its interval."},
    {"get_timer(which, /)", get_timer, "What is left of a timer, and its interval."},
    {"set_mask(how, numbers, /)", set_mask, "Blocks signals or lets them come; the former ones."},
    {"pending()", pending, "The numbers of blocked signals that have arrived."},
    {"wait_for_one(numbers, seconds, /)", wait_for_one, "Waits for one of some blocked signals."},
    {"pause()", wait_for_signal, "Waits for a noted signal."},
};

}  // namespace

const NativeModule kInterruptsModule = {"_interrupts", "Interrupts.", kFunctions, {}};

}  // namespace strider::lang
