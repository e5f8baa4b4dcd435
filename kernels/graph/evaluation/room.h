// Room on devices: pending work that keeps more memory there than its results take is computed when
// memory runs short. That needs a moment when no plan runs: the plan that ran short starts again.
// What does not fit at once is computed operation by operation.
#pragma once

#include "kernels/core/node.h"

namespace strider::nd {

// While one lives, a plan runs.
class PlanRun {
 public:
  PlanRun();
  ~PlanRun();
  PlanRun(const PlanRun&) = delete;
  PlanRun& operator=(const PlanRun&) = delete;
};

// A plan ran short of memory while there was other work to be computed first.
struct ShortOfRoom {
  Device& device;
};

// While one lives, plans that run short may throw ShortOfRoom, unless others run around it.
class MayStartAgain {
 public:
  MayStartAgain();
  ~MayStartAgain();
  MayStartAgain(const MayStartAgain&) = delete;
  MayStartAgain& operator=(const MayStartAgain&) = delete;

 private:
  bool before_;
};

// Computes what a promise's operation takes, each operation by itself: then no more than one
// operation's operands need room at once. False where that would change nothing.
bool compute_in_parts(const Storage& promise);

// Does what computes, again where it ran short of memory and pending work kept some, and again with
// parts computed before. What was finished stays finished.
template <class Work>
auto with_room(const Storage& promise, Work&& work) {
  auto settled = [&] {
    try {
      MayStartAgain first_time;
      return work();
    } catch (const ShortOfRoom& found) {
      settle_for_room(found.device);
    }
    return work();
  };
  try {
    return settled();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kMemory || !compute_in_parts(promise)) throw;
  }
  return work();
}

}  // namespace strider::nd
