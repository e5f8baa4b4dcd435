// A stack of running calls; what a call took is added up when it ends.
#include "interpreter/builtins/watching/call_times.h"

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/protocol/protocol.h"

namespace strider::lang {

double CallTimes::now() const {
  if (timer.is_empty()) {
    auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
  }
  double value = to_double(call(timer));
  return unit > 0 ? value * unit : value;
}

void CallTimes::push(const void* identity, Function& function) {
  Calls* callee = nullptr;
  if (by_caller && !running_.empty()) callee = &running_.back().function->callees[identity];
  ++function.active;
  if (callee) ++callee->active;
  running_.push_back({identity, &function, callee, now()});
}

void CallTimes::end(const void* identity) {
  if (!running_.empty() && running_.back().identity == identity) pop();
}

void CallTimes::end_all() {
  while (!running_.empty()) pop();
}

void CallTimes::pop() {
  Running last = running_.back();
  running_.pop_back();
  double took = now() - last.begun;
  if (!running_.empty()) running_.back().below += took;
  auto add = [&](Calls& calls) {
    --calls.active;
    ++calls.calls;
    calls.inside += took - last.below;
    if (calls.active == 0)
      calls.total += took;
    else
      ++calls.recursive;
  };
  add(*last.function);
  if (last.callee) add(*last.callee);
}

void CallTimes::clear() {
  functions_.clear();
  running_.clear();
}

}  // namespace strider::lang
