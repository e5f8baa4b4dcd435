// Evaluation: runs the planned passes of a promise and hands their results to the storages.
#include "kernels/graph/evaluate.h"

#include <vector>

#include "kernels/backend/backend.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/passes.h"
#include "kernels/graph/results.h"

namespace strider::nd {
namespace {

// Keeps storages alive while loops run.
class Guard {
 public:
  explicit Guard(const Plan& plan) {
    for (const Pass& pass : plan) {
      for (const PlannedLoop& planned : pass.loops) {
        for (const PlannedInput& input : planned.inputs) keep(input.storage);
        for (Expression* output : planned.outputs) keep(output->storage);
        if (planned.folded) keep(planned.folded->storage);
      }
    }
  }
  ~Guard() {
    for (Storage* storage : kept_) storage->release();
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  void keep(Storage* storage) {
    if (!storage) return;
    storage->retain();
    kept_.push_back(storage);
  }
  std::vector<Storage*> kept_;
};

void deliver_fold(const FusedLoop& loop, const StepConditions& conditions, std::uint8_t watched) {
  for (const LoopFold& fold : loop.folds) {
    bool matters = is_inexact(fold.type) && facts(fold.op).conditions != Conditions::kNone;
    std::uint8_t flags = conditions.back() & watched;
    bool scan = fold.kind == LoopFold::Kind::kScan;
    if (matters && flags) deliver_floating_errors({flags}, scan ? "accumulate" : "reduce");
  }
}

void deliver(const FusedLoop& loop, const StepConditions& conditions) {
  for (std::size_t i = 0; i < loop.steps.size(); ++i) {
    const Step& step = loop.steps[i];
    std::uint8_t flags = conditions[i] & step.watched;
    if (!flags) continue;
    bool operation = step.kind == Step::Kind::kOperation;
    deliver_floating_errors({flags}, operation ? facts(step.op).name : "cast");
  }
}

void run_pass(const Pass& pass, std::byte* target, std::int64_t delay) {
  PassResults results(pass, target);
  std::vector<BoundLoop> bound;
  for (std::size_t i = 0; i < pass.loops.size(); ++i) {
    bound.push_back({&pass.loops[i].loop, results.memory(i), {}});
  }
  if (target) bound.back().memory.delay = delay;
  cpu_backend().run(bound, pass.rows);
  ++graph_counts().passes;
  graph_counts().loops += static_cast<std::int64_t>(bound.size());
  std::vector<std::uint8_t> watched;
  for (const PlannedLoop& planned : pass.loops) {
    watched.push_back(planned.folded ? planned.folded->watched : 0);
  }
  results.deliver();
  for (std::size_t i = 0; i < bound.size(); ++i) {
    deliver(*bound[i].loop, bound[i].conditions);
    deliver_fold(*bound[i].loop, bound[i].conditions, watched[i]);
  }
}

void run_plan(const Plan& plan, std::byte* target, std::int64_t delay) {
  Guard guard(plan);
  for (const Pass& pass : plan) {
    for (const PlannedLoop& planned : pass.loops) {
      for (Expression* expression : planned.inlined) {
        if (expression->computed < 255) ++expression->computed;
      }
    }
  }
  for (const Pass& pass : plan) run_pass(pass, &pass == &plan.back() ? target : nullptr, delay);
}

// The outermost promise above this one that somebody holds, or the last before nobody reads it.
Storage& wanted_above(Storage& storage) {
  Storage* top = &storage;
  while (!top->held && top->readers) top = top->readers->reader->storage;
  return *top;
}

}  // namespace

void compute_promise(Storage& storage) {
  run_plan(make_plan(*storage.expression()), nullptr, -1);
}

void settle_readers(Storage& storage) {
  while (Reading* reading = storage.readers) wanted_above(*reading->reader->storage).bytes();
}

void run_into(const Plan& plan, std::byte* target, std::int64_t delay) {
  run_plan(plan, target, delay);
}

void evaluate(const Array& array) { array.node()->storage->bytes(); }

bool is_pending(const Array& array) { return array.node()->storage->pending(); }

}  // namespace strider::nd
