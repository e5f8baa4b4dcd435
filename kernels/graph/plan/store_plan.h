// Plans of values that are computed straight into arrays. Runs none.
#pragma once

#include <optional>

#include "kernels/core/node.h"
#include "kernels/graph/plan/passes.h"

namespace strider::nd {

// Makes the planner believe, as long as this lives, that somebody holds a storage or nobody does.
class HeldAs {
 public:
  HeldAs(Storage& storage, bool held) : storage_(storage), former_(storage.held) {
    storage.held = held;
  }
  ~HeldAs() { storage_.held = former_; }
  HeldAs(const HeldAs&) = delete;
  HeldAs& operator=(const HeldAs&) = delete;

 private:
  Storage& storage_;
  bool former_;
};

struct PlannedStore {
  Plan plan;
  std::int64_t delay = -1;  // as LoopMemory's, of the last loop
};

// How the promise of a storage that nobody seems to hold is computed into a target that has its
// elements. What else reads these is computed before, if `settles`. None when the value must be in
// memory first, or when others must be that and may not.
std::optional<PlannedStore> plan_store(Storage& source, const Array& target, bool settles);

// Makes what was promised as the value a copy of the elements that now hold it.
void promise_copy(Storage& storage, const Array& target);

}  // namespace strider::nd
