// CallTimes: how often functions were called and how long they took, by function and by caller.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class CallTimes {
 public:
  // Seconds, from whatever moment on.
  using Clock = double (*)();

  struct Calls {
    std::int64_t calls = 0;      // returned ones
    std::int64_t recursive = 0;  // of these, those within another call of the function
    std::int64_t active = 0;
    double total = 0;   // seconds, what it called included
    double inside = 0;  // seconds in the function alone
  };
  // What is known of a function: a Code, or a function that is not written in the language.
  struct Function : Calls {
    std::shared_ptr<const void> code;
    Value native;
    std::unordered_map<const void*, Calls> callees;  // by identity
  };

  // The function with this identity is called; it is described to make().
  template <class Make>
  void begin(const void* identity, const Make& make) {
    auto [place, is_new] = functions_.try_emplace(identity);
    if (is_new) make(place->second);
    push(identity, place->second);
  }
  // The innermost call has ended; nothing happens if it began before there was a measurement.
  void end(const void* identity);
  // All calls that have not ended end now.
  void end_all();
  void clear();

  bool by_caller = true;
  Value timer;      // gives the time; Empty: the monotonic clock
  double unit = 0;  // seconds of one unit of an integer timer; 0: of a timer that gives seconds
  const std::unordered_map<const void*, Function>& functions() const { return functions_; }

 private:
  struct Running {
    const void* identity;
    Function* function;
    Calls* callee;  // in the caller's table; null: called from outside
    double begun;
    double below = 0;  // seconds in what it called
  };
  void push(const void* identity, Function& function);
  void pop();
  double now() const;

  std::unordered_map<const void*, Function> functions_;  // addresses stand while entries are added
  std::vector<Running> running_;
};

}  // namespace strider::lang
