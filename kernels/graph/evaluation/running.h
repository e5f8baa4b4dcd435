// What plans need while they run, one after the other or side by side.
#pragma once

#include "kernels/backend/backend.h"
#include "kernels/core/device.h"
#include "kernels/core/small_list.h"
#include "kernels/graph/plan/passes.h"

namespace strider::nd {

// Keeps storages alive while loops run.
class PlanGuard {
 public:
  explicit PlanGuard(const Plan& plan);
  ~PlanGuard();
  PlanGuard(const PlanGuard&) = delete;
  PlanGuard& operator=(const PlanGuard&) = delete;

 private:
  void keep(Storage* storage);

  SmallList<Storage*, 16> kept_;
};

// The first element that a plan writes to, where its backend has it.
std::byte* target_bytes(Backend& backend, const Array* target);

// What a pass reads and a device has already stays there while room is made for what it writes.
void keep_inputs(const Pass& pass, const Device& device);

// Adds a pass that has run to what np.runtime_stats() tells.
void count_pass(const Pass& pass);

}  // namespace strider::nd
