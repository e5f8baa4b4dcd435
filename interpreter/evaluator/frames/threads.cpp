// Only the main thread resumes others: it runs a round of turns wherever it waits or its own turn
// is over; a thread that waits or has had its turn pauses to it.
#include "interpreter/evaluator/frames/threads.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "interpreter/evaluator/frames/stack.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/context_parts.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/program/watcher.h"

namespace strider::lang {
namespace {

constexpr std::size_t kThreadStack = 8 * 1024 * 1024;
constexpr double kTurn = 0.005;  // CPython's switch interval

// What belongs to the thread that runs and lies in the interpreter while it does.
struct RunningState {
  Frame* frame = nullptr;
  Ref<Exception> raised, handled;
  int depth = 1;
  std::unique_ptr<Watcher> watcher;
  ContextParts parts;

  void exchange(Interpreter& interpreter) {
    std::swap(frame, interpreter.frame);
    std::swap(raised, interpreter.raised);
    std::swap(handled, interpreter.handled);
    std::swap(depth, interpreter.depth);
    std::swap(watcher, interpreter.watcher);
    exchange_context_parts(parts);
    if (interpreter.watcher) interpreter.attention.store(true, std::memory_order_relaxed);
  }
};

void nap(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

}  // namespace

struct Threads::Thread {
  Value identity, body, context;
  std::unique_ptr<Fiber> fiber;
  RunningState state;
  bool waits = false;
};

// Asks for attention whenever a turn is over. Its native thread sleeps while nobody takes turns.
struct Threads::Clock {
  std::mutex lock;
  std::condition_variable change;
  Interpreter* interpreter;  // null: the end
  std::chrono::duration<double> turn{kTurn};
  std::atomic<bool> turn_over{false};
  bool ticks = false;
  bool stands = true;  // no native thread has begun

  // Signals belong to the thread that runs the program.
  void run() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    std::unique_lock<std::mutex> held(lock);
    while (interpreter) {
      if (!ticks) {
        change.wait(held);
        continue;
      }
      change.wait_for(held, turn);
      if (!ticks || !interpreter) continue;
      turn_over.store(true, std::memory_order_relaxed);
      interpreter->attention.store(true, std::memory_order_relaxed);
    }
  }
};

Threads::Threads(Interpreter& interpreter)
    : interpreter_(interpreter), clock_(std::make_shared<Clock>()) {
  clock_->interpreter = &interpreter;
}

Threads::~Threads() {
  {
    std::lock_guard<std::mutex> held(clock_->lock);
    clock_->interpreter = nullptr;
  }
  clock_->change.notify_all();
  forget_all();
}

void Threads::forget_all() {
  for (std::unique_ptr<Thread>& thread : threads_) {
    Fiber::forget(std::move(thread->fiber));
    static_cast<void>(thread.release());  // what its stack holds may point there
  }
  threads_.clear();
}

Value Threads::current() const { return running_ ? running_->identity : Value(); }

const Value& Threads::context() const { return running_ ? running_->context : main_context_; }

void Threads::enter(const Value& context) {
  Value left = std::exchange(running_ ? running_->context : main_context_, context);
}

void Threads::start(const Value& identity, const Value& body) {
  auto thread = std::make_unique<Thread>();
  Thread& begun = *thread;
  begun.identity = identity;
  begun.body = body;
  begun.fiber = std::make_unique<Fiber>(
      [&begun] {
        try {
          call(begun.body);
        } catch (const Raised& raised) {
          report_unraisable(*raised.exception, begun.body);
        } catch (const std::exception&) {
          report_unraisable(*caught_exception(), begun.body);
        }
      },
      kThreadStack);
  threads_.push_back(std::move(thread));
  {
    std::lock_guard<std::mutex> held(clock_->lock);
    clock_->ticks = true;
    if (std::exchange(clock_->stands, false))
      std::thread([clock = clock_] { clock->run(); }).detach();
  }
  clock_->change.notify_all();
  if (!running_) run_turn(begun);
}

// Resumes a thread until it pauses or ends, which takes it out of the list.
void Threads::run_turn(Thread& thread) {
  thread.waits = false;
  clock_->turn_over.store(false, std::memory_order_relaxed);
  running_ = &thread;
  thread.state.exchange(interpreter_);
  thread.fiber->resume();
  thread.state.exchange(interpreter_);
  running_ = nullptr;
  if (!thread.fiber->finished()) return;
  auto place = std::find_if(threads_.begin(), threads_.end(),
                            [&](const auto& each) { return each.get() == &thread; });
  std::unique_ptr<Thread> ended = std::move(*place);
  threads_.erase(place);
  if (!threads_.empty()) return;
  std::lock_guard<std::mutex> held(clock_->lock);
  clock_->ticks = false;
}

// One turn for each; whether anybody had something to do.
bool Threads::run_round() {
  std::vector<Thread*> round;
  for (const auto& thread : threads_) round.push_back(thread.get());
  bool any = false;
  for (Thread* each : round) {
    auto same = [&](const auto& thread) { return thread.get() == each; };
    if (std::none_of(threads_.begin(), threads_.end(), same)) continue;  // ended meanwhile
    std::size_t before = threads_.size();
    run_turn(*each);
    any |= threads_.size() != before || !each->waits;
  }
  return any;
}

bool Threads::pass(bool waits) {
  if (!running_) {
    bool any = !threads_.empty() && run_round();
    clock_->turn_over.store(false, std::memory_order_relaxed);
    return any;
  }
  running_->waits = waits;
  running_->fiber->pause();
  return true;
}

void Threads::attend() {
  if (running_ && interpreter_.interrupt_requested.load(std::memory_order_relaxed)) {
    pass(false);
    interpreter_.attention.store(true, std::memory_order_relaxed);
  }
  if (clock_->turn_over.load(std::memory_order_relaxed) && !threads_.empty()) pass(false);
}

void Threads::set_turn(double seconds) {
  std::lock_guard<std::mutex> held(clock_->lock);
  clock_->turn = std::chrono::duration<double>(std::max(seconds, 1e-4));
}

double Threads::turn() const {
  std::lock_guard<std::mutex> held(clock_->lock);
  return clock_->turn.count();
}

void Threads::keep_current_only() {
  forget_all();
  running_ = nullptr;
  new std::shared_ptr<Clock>(clock_);  // its native thread and what that holds are not here
  clock_ = std::make_shared<Clock>();
  clock_->interpreter = &interpreter_;
}

Threads& own_threads(Interpreter& interpreter) {
  if (!interpreter.threads) interpreter.threads = std::make_unique<Threads>(interpreter);
  return *interpreter.threads;
}

void wait_for_descriptor(Interpreter& interpreter, int descriptor, short events) {
  if (!has_other_threads(interpreter) || fcntl(descriptor, F_GETFL) & O_NONBLOCK) return;
  pollfd watched = {descriptor, events, 0};
  while (poll(&watched, 1, 0) == 0) wait_a_little(interpreter);
}

bool has_other_threads(const Interpreter& interpreter) {
  return interpreter.threads && !interpreter.threads->alone();
}

void wait_a_little(Interpreter& interpreter, double seconds) {
  if (!interpreter.threads || interpreter.threads->in_main()) poll_interrupt(interpreter);
  if (!has_other_threads(interpreter)) return nap(seconds);
  if (!interpreter.threads->pass(true)) nap(std::min(seconds, kLongestNap));
}

}  // namespace strider::lang
