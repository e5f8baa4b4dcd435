// Evaluation: runs the planned passes of a promise and hands their results to the storages.
#include "kernels/graph/evaluate.h"

#include <algorithm>
#include <vector>

#include "kernels/backend/backend.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/log.h"
#include "kernels/graph/plan_cache.h"
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
  SmallList<Storage*, 16> kept_;
};

// What operations met, each to be told about the line that recorded it; in the order of recording.
class Reports {
 public:
  // Notes what a loop has met.
  void add(const PlannedLoop& planned, const StepConditions& conditions) {
    for (const StepOrigin& origin : planned.origins) {
      const Step& step = planned.loop.steps[origin.step];
      bool operation = step.kind == Step::Kind::kOperation;
      add(*origin.expression, conditions[origin.step] & step.watched,
          operation ? facts(step.op).name : "cast");
    }
    for (const LoopFold& fold : planned.loop.folds) {
      bool matters = is_inexact(fold.type) && facts(fold.op).conditions != Conditions::kNone;
      bool scan = fold.kind == LoopFold::Kind::kScan;
      if (matters) add(*planned.folded, conditions.back(), scan ? "accumulate" : "reduce");
    }
  }
  // An operation tells each condition once, however often its elements are computed. Called while
  // the expressions of what was added are still there.
  void silence() {
    for (; silenced_ < reports_.size(); ++silenced_) {
      const Report& told = reports_[silenced_];
      told.expression->watched &= static_cast<std::uint8_t>(~told.flags);
    }
  }
  void deliver() {
    std::stable_sort(reports_.begin(), reports_.end(),
                     [](const Report& a, const Report& b) { return a.number < b.number; });
    for (const Report& each : reports_) {
      deliver_late_errors({each.flags}, each.operation, each.place);
    }
  }

 private:
  struct Report {
    Expression* expression;  // until silenced
    std::int64_t number;
    std::uint8_t flags;
    std::string_view operation;
    Place place;
  };

  void add(Expression& expression, std::uint8_t met, std::string_view operation) {
    std::uint8_t flags = met & expression.watched;
    if (!flags) return;
    reports_.push_back({&expression, expression.number, flags, operation, expression.place});
  }

  std::vector<Report> reports_;
  std::size_t silenced_ = 0;
};

void run_pass(const Pass& pass, std::byte* target, std::int64_t delay, Reports& reports) {
  PassResults results(pass, target);
  results.place_all();
  std::vector<BoundLoop> bound;
  bound.reserve(pass.loops.size());
  for (std::size_t i = 0; i < pass.loops.size(); ++i) {
    bound.push_back({&pass.loops[i].loop, results.memory(i), {}});
  }
  if (target) bound.back().memory.delay = delay;
  PassLog log(pass);
  chosen_backend().run(bound, pass.rows);
  ++graph_counts().passes;
  log.finish(pass);
  graph_counts().loops += static_cast<std::int64_t>(bound.size());
  for (std::size_t i = 0; i < bound.size(); ++i) reports.add(pass.loops[i], bound[i].conditions);
  reports.silence();
  results.deliver();
}

// The outermost promise above this one that somebody holds, or the last before nobody reads it.
Storage& wanted_above(Storage& storage) {
  Storage* top = &storage;
  while (!top->held && top->readers) top = top->readers->reader->storage;
  return *top;
}

}  // namespace

void run_plan(const Plan& plan, std::byte* target, std::int64_t delay) {
  Guard guard(plan);
  for (const Pass& pass : plan) {
    for (const PlannedLoop& planned : pass.loops) {
      for (Expression* expression : planned.inlined) {
        if (expression->computed < 255) ++expression->computed;
      }
    }
  }
  Reports reports;
  for (const Pass& pass : plan) {
    run_pass(pass, &pass == &plan.back() ? target : nullptr, delay, reports);
  }
  reports.deliver();
}

// Zeros need no loop: fresh memory has them. False if something else is promised.
bool clear(Storage& storage) {
  const Expression& expression = *storage.expression();
  if (!expression.is_zero()) return false;
  std::int64_t size = expression.size() * item_size(expression.dtype);
  Block block = allocate_block(static_cast<std::size_t>(size), true);
  if (!block.bytes) throw_late(expression);
  storage.fulfil(block);
  return true;
}

void compute_promise(Storage& storage) {
  log_expression("compute", *storage.expression());
  if (clear(storage)) return;
  thread_local Signature signature;
  signature.take(*storage.expression(), nullptr);
  KeptPlan* kept = PlanCache::instance().find(signature);
  Plan plan;
  if (!kept) {
    plan = make_plan(*storage.expression());
    kept = PlanCache::instance().keep(signature, plan);
  }
  PlanUse use(kept);
  run_plan(kept ? kept->plan : plan, nullptr, -1);
}

void settle_readers(Storage& storage) {
  while (Reading* reading = storage.readers) {
    log_expression("settle, because what it reads changes or is let go:", *reading->reader);
    wanted_above(*reading->reader->storage).bytes();
  }
}

void evaluate(const Array& array) { array.node()->storage->bytes(); }

bool is_pending(const Array& array) { return array.node()->storage->pending(); }

}  // namespace strider::nd
