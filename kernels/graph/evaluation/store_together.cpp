// Values that one loop each computes from elements in memory are stored side by side, where none
// touches what another writes. The first that is not like that ends the group.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "kernels/graph/evaluation/evaluate.h"
#include "kernels/graph/evaluation/results.h"
#include "kernels/graph/evaluation/room.h"
#include "kernels/graph/evaluation/running.h"
#include "kernels/graph/evaluation/store.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/placement/placement.h"
#include "kernels/graph/plan/plan_cache.h"
#include "kernels/graph/plan/store_plan.h"
#include "kernels/graph/reporting/late_conditions.h"
#include "kernels/graph/reporting/log.h"

namespace strider::nd {
namespace {

// Of one launch.
constexpr std::size_t kMostTogether = 8;

Storage& storage_of(const Array& array) { return *array.node()->storage; }

// Whether the value may be computed into the target at all, as it is.
bool can_store(const Array& value, const Array& target) {
  const Storage& source = storage_of(value);
  return target.writeable() && !storage_of(target).borrowed() && !storage_of(target).pending() &&
         !value.node()->base && value.dtype() == target.dtype() &&
         value.shape() == target.shape() && source.pending() && source.expression()->is_map();
}

// Computes what the value's loop would wait for: folds and products.
void compute_below(const Array& value, const Array& target) {
  thread_local Signature signature;
  signature.take(*storage_of(value).expression(), &target);
  std::vector<Storage*> waited_for;
  for (Storage* storage : signature.storages()) {
    if (!storage->pending() || storage->expression()->is_map()) continue;
    storage->retain();  // it may go with what is computed before
    waited_for.push_back(storage);
  }
  for (Storage* storage : waited_for) {
    if (storage->references() > 1) compute(*storage);
    storage->release();
  }
}

// Computes nothing.
KeptPlan* find_or_plan(Storage& source, const Array& target) {
  thread_local Signature signature;
  signature.take(*source.expression(), &target);
  if (KeptPlan* kept = PlanCache::instance().find(signature)) return kept;
  std::optional<PlannedStore> planned = plan_store(source, target, false);
  if (!planned) return nullptr;
  KeptPlan* kept = PlanCache::instance().keep(signature, planned->plan);
  if (kept) kept->delay = planned->delay;
  return kept;
}

bool is_one_map(const KeptPlan& kept) {
  if (kept.delay > 0 || kept.plan.size() != 1 || kept.plan[0].loops.size() != 1) return false;
  const PlannedLoop& planned = kept.plan[0].loops[0];
  return !planned.is_product && planned.loop.folds.empty();
}

// A value on its way into its target.
class Stored {
 public:
  Stored(const Array& value, const Array& target)
      : source_(storage_of(value)),
        target_(target),
        unheld_(source_, false),
        kept_(find_or_plan(source_, target)),
        use_(kept_) {}

  bool is_one_map() const { return kept_ && nd::is_one_map(*kept_); }
  // Whether neither touches what the other writes.
  bool is_apart_from(const Stored& other) const {
    return !writes_for(other) && !other.writes_for(*this);
  }
  const Plan& plan() const { return kept_->plan; }
  const Pass& pass() const { return plan()[0]; }
  const PlannedLoop& planned() const { return pass().loops[0]; }
  Storage& target_storage() const { return storage_of(target_); }

  void place(Backend& backend) {
    keep_inputs(pass(), *backend.device());
    results_.emplace(pass(), target_bytes(backend, &target_), backend.device());
    results_->place_all();
  }
  BoundLoop bind() const {
    BoundLoop bound{&planned().loop, results_->memory(0), {}, nullptr};
    bound.memory.delay = kept_->delay;
    return bound;
  }
  void deliver() {
    results_->deliver();
    results_.reset();
    if (source_.pending() && !source_.expression()->reads_nothing()) promise_copy(source_, target_);
  }

 private:
  bool writes_for(const Stored& other) const {
    if (other.touches(target_storage())) return true;
    const std::vector<PlannedOutput>& outputs = planned().outputs;
    return std::any_of(outputs.begin(), outputs.end(), [&](const PlannedOutput& output) {
      return other.touches(*output.promise->storage);
    });
  }
  bool touches(const Storage& storage) const {
    if (&storage == &target_storage()) return true;
    auto promises = [&](const Expression* each) { return each->storage == &storage; };
    const PlannedLoop& loop = planned();
    return std::any_of(loop.inputs.begin(), loop.inputs.end(),
                       [&](const PlannedInput& input) { return input.storage == &storage; }) ||
           std::any_of(loop.outputs.begin(), loop.outputs.end(),
                       [&](const PlannedOutput& output) { return promises(output.promise); }) ||
           std::any_of(loop.inlined.begin(), loop.inlined.end(), promises);
  }

  Storage& source_;
  const Array& target_;
  HeldAs unheld_;
  KeptPlan* kept_;
  PlanUse use_;
  std::optional<PassResults> results_;
};

// As many of the first pairs as can be stored together.
std::size_t gather(std::span<const Array> values, std::span<const Array> targets,
                   std::deque<Stored>& group) {
  std::size_t most = std::min(values.size(), kMostTogether);
  for (std::size_t i = 0; i < most && can_store(values[i], targets[i]); ++i) {
    const Stored& next = group.emplace_back(values[i], targets[i]);
    bool fits = next.is_one_map() &&
                std::all_of(group.begin(), group.end() - 1,
                            [&](const Stored& other) { return other.is_apart_from(next); });
    if (fits) continue;
    group.pop_back();
    break;
  }
  return group.size();
}

// The device that all are to be stored on; null where there is none.
Backend* place_together(std::deque<Stored>& group) {
  Backend* backend = nullptr;
  for (const Stored& each : group) {
    Backend& own = Placed(each.plan(), &each.target_storage()).backend();
    if (!own.device() || (backend && backend != &own)) return nullptr;
    backend = &own;
  }
  return backend;
}

void run_together(std::deque<Stored>& group, Backend& backend) {
  Device& device = *backend.device();
  PlanRun run;
  DeviceWork work;
  std::deque<PlanGuard> guards;
  std::vector<BoundLoop> bound;
  for (Stored& each : group) {
    guards.emplace_back(each.plan());
    each.place(backend);
  }
  for (Stored& each : group) bound.push_back(each.bind());
  std::deque<PassLog> logs;
  for (const Stored& each : group) logs.emplace_back(each.pass(), backend);
  backend.run_side_by_side(bound);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const PlannedLoop& planned = group[i].planned();
    for (Expression* expression : planned.inlined) {
      if (expression->computed < 255) ++expression->computed;
    }
    count_pass(group[i].pass());
    logs[i].finish(group[i].pass());
    if (bound[i].late_conditions) expect_conditions(device, planned, bound[i].late_conditions);
  }
  for (Stored& each : group) each.deliver();
}

}  // namespace

std::size_t store_together(std::span<const Array> values, std::span<const Array> targets) {
  if (!recording().on_device || values.size() < 2) return 0;
  std::size_t most = std::min(values.size(), kMostTogether);
  for (std::size_t i = 0; i < most && can_store(values[i], targets[i]); ++i)
    compute_below(values[i], targets[i]);
  std::deque<Stored> group;
  if (gather(values, targets, group) < 2) return 0;
  Backend* backend = place_together(group);
  if (!backend) return 0;
  std::size_t count = group.size();
  try {
    run_together(group, *backend);
  } catch (const Error& error) {  // for want of memory, before anything was written
    if (error.kind() != ErrorKind::kMemory) throw;
    return 0;
  }
  return count;
}

}  // namespace strider::nd
