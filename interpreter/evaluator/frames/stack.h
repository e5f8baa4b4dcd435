// Native stacks: a pool of them, fibers that run on them, and calls that continue on a fresh one
// when the present one is nearly full.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// With less than this left, calls continue on a new stack.
inline constexpr std::size_t kMinimumStack = 160 * 1024;

// A routine with its own stack that can be paused in the middle and resumed. No exception may leave
// `entry`.
class Fiber {
 public:
  explicit Fiber(std::function<void()> entry, std::size_t stack_size);
  ~Fiber();  // must have finished, or never have been started
  Fiber(const Fiber&) = delete;

  // Runs until the fiber pauses or ends. Must not be called from inside itself.
  void resume();
  // Called on the fiber, or on another one that was resumed there: goes back to whoever resumed it.
  void pause();
  // Gives up a fiber that will never go on: its stack is not unwound, nor given back.
  static void forget(std::unique_ptr<Fiber> fiber);
  bool started() const { return started_; }
  bool finished() const { return finished_; }

 private:
  struct Context;
  static void run(void* transfer);
  friend struct Context;
  std::function<void()> entry_;
  Context* context_;
  bool started_ = false;
  bool finished_ = false;
};

// Runs the routine on a fresh large stack and returns its value; exceptions pass through.
// RecursionError when too many stacks are in use.
Value run_on_new_stack(const std::function<Value()>& routine);

}  // namespace strider::lang
