// Threads of the program: fibers that take turns on one native thread. A turn ends where its thread
// waits, and after some milliseconds at loop ends and calls.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Interpreter;

// How many seconds all sleep at most when each thread waits for something.
inline constexpr double kLongestNap = 0.001;

class Threads {
 public:
  explicit Threads(Interpreter& interpreter);
  ~Threads();  // those that have not ended never go on
  Threads(const Threads&) = delete;

  // Calls `body` beside the caller; its first turn comes at once where the main thread starts it.
  // What it raises is reported. `identity` is what current() tells there.
  void start(const Value& identity, const Value& body);
  // What the running thread was started as; Empty in the main thread.
  Value current() const;
  // The context of variables (contextvars) that the running thread is in; Empty before it has any.
  const Value& context() const;
  void enter(const Value& context);
  bool alone() const { return threads_.empty(); }
  bool in_main() const { return !running_; }

  // Lets the others have their turns. `waits`: this thread has nothing to do until they did
  // something, or time passed. False if nobody had anything to do.
  bool pass(bool waits);
  // At loop ends and calls: ends a turn that took its time; an interrupt is the main thread's.
  void attend();
  // So many seconds make a turn.
  void set_turn(double seconds);
  double turn() const;
  // In a copy of the process there is only the thread that made it.
  void keep_current_only();

 private:
  struct Thread;
  struct Clock;
  void run_turn(Thread& thread);
  bool run_round();
  void forget_all();

  Interpreter& interpreter_;
  std::vector<std::unique_ptr<Thread>> threads_;  // that have not ended, without the main one
  Thread* running_ = nullptr;                     // null: the main thread
  Value main_context_;
  std::shared_ptr<Clock> clock_;
};

// The threads of an interpreter, made when first asked for.
Threads& own_threads(Interpreter& interpreter);

// Between two looks at something that a thread waits for: lets the others have their turns, or
// sleeps for at most so many seconds where nobody has anything to do. Notices interrupts.
void wait_a_little(Interpreter& interpreter, double seconds = kLongestNap);
// Before a call that would wait for a descriptor (events as poll takes them): others have their
// turns until it need not wait. At once where there are no others.
void wait_for_descriptor(Interpreter& interpreter, int descriptor, short events);
// Whether others may do something while this thread waits.
bool has_other_threads(const Interpreter& interpreter);

}  // namespace strider::lang
