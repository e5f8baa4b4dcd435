// Storing: a promised value is computed straight into an array that is there already, even when the
// value reads the elements it replaces.
#include "kernels/graph/evaluation/store.h"

#include "kernels/graph/evaluation/evaluate.h"
#include "kernels/graph/evaluation/room.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/plan/plan_cache.h"
#include "kernels/graph/plan/store_plan.h"

namespace strider::nd {
namespace {

bool store_now(const Array& value, const Array& target) {
  Storage& source = *value.node()->storage;
  compute(*target.node()->storage);
  bool same = !value.node()->base && value.dtype() == target.dtype() &&
              value.shape() == target.shape() && source.pending();
  if (!same || !source.expression()->is_map()) return false;
  HeldAs unheld(source, false);
  thread_local Signature signature;
  signature.take(*source.expression(), &target);
  KeptPlan* kept = PlanCache::instance().find(signature);
  std::optional<PlannedStore> planned;
  if (!kept) {
    planned = plan_store(source, target, true);
    if (!planned) return false;
    signature.take(*source.expression(), &target);
    kept = PlanCache::instance().keep(signature, planned->plan);
    if (kept) kept->delay = planned->delay;
  }
  PlanUse use(kept);
  if (kept) {
    run_plan(kept->plan, &target, kept->delay);
  } else {
    run_plan(planned->plan, &target, planned->delay);
  }
  if (!source.expression()->reads_nothing()) promise_copy(source, target);
  return true;
}

}  // namespace

bool store(const Array& value, const Array& target) {
  return with_room(*value.node()->storage, [&] { return store_now(value, target); });
}

}  // namespace strider::nd
