// Explicit choices are followed; nothing that can be computed at all is refused for its place.
#include "kernels/graph/placement/placement.h"

#include <strider/nd/device.h>
#include <strider/nd/eval.h>

#include "kernels/graph/graph.h"
#include "kernels/graph/placement/choice.h"

namespace strider::nd {
Placed::Placed(const Plan& plan, Storage* target) : backend_(&backend_in_use()) {
  if (target && target->borrowed()) {
    backend_ = &host_backend();
  } else if (used_device().kind == DeviceChoice::Kind::kAuto && may_choose_device()) {
    cost_ = cost_of(plan, target);
    backend_ = &choose_backend(cost_);
    if (!backend_->device()) watch_.emplace();
    chosen_ = !watch_;
  }
}

void Placed::note_run() const {
  if (watch_) learn_host_speed(cost_, watch_->seconds());
}

Backend* place_work(std::initializer_list<const Array*> arrays, double work) {
  bool chooses = used_device().kind == DeviceChoice::Kind::kAuto;
  Backend* backend = chooses ? chosen_device() : &backend_in_use();
  if (!recording().on() || !backend || !backend->device()) return nullptr;
  PlanCost cost;
  cost.loops = 1;
  cost.work = work / kLibraryWork;
  bool wanted = false;
  for (const Array* array : arrays) {
    Storage& storage = *array->node()->storage;
    if (storage.borrowed() || array->size() == 0) return nullptr;
    wanted |= worth_recording(*array);
    cost.bytes += static_cast<double>(array->byte_count());
    if (chooses) add_copies(storage, cost);
  }
  if (!wanted) return nullptr;
  if (chooses) backend = may_choose_device() ? &choose_backend(cost) : nullptr;
  return backend && backend->device() ? backend : nullptr;
}

Backend* place_library(std::initializer_list<const Array*> arrays, double work) {
  Backend* backend = place_work(arrays, work);
  return backend && backend->library() ? backend : nullptr;
}

}  // namespace strider::nd
