// Evaluation: runs the planned passes of a promise and hands their results to the storages.
#include "kernels/graph/evaluate.h"

#include <utility>
#include <vector>

#include "kernels/core/device.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/late_conditions.h"
#include "kernels/graph/log.h"
#include "kernels/graph/placement.h"
#include "kernels/graph/plan_cache.h"
#include "kernels/graph/product.h"
#include "kernels/graph/reports.h"
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

// What operations met, to be told when all has run.
class Reports {
 public:
  // Notes what a loop has met.
  void add(const PlannedLoop& planned, const StepConditions& conditions) {
    for (const StepOrigin& origin : planned.origins) {
      const Step& step = planned.loop.steps[origin.step];
      add(*origin.expression, conditions[origin.step] & step.watched, operation_name(step));
    }
    for (const LoopFold& fold : planned.loop.folds) {
      if (!tells_conditions(fold)) continue;
      add(*planned.folded, conditions.back(), operation_name(fold));
    }
  }
  // An operation tells each condition once, however often its elements are computed. Called while
  // the expressions of what was added are still there.
  void silence() {
    for (; silenced_ < reports_.size(); ++silenced_) {
      expressions_[silenced_]->watched &= static_cast<std::uint8_t>(~reports_[silenced_].flags);
    }
  }
  void deliver() { nd::deliver(std::move(reports_)); }

 private:
  void add(Expression& expression, std::uint8_t met, std::string_view operation) {
    std::uint8_t flags = met & expression.watched;
    if (!flags) return;
    reports_.push_back({flags, expression.number, operation, expression.place});
    expressions_.push_back(&expression);
  }

  std::vector<Report> reports_;
  std::vector<Expression*> expressions_;  // of the reports; there until silenced
  std::size_t silenced_ = 0;
};

void run_pass(const Pass& pass, Backend& backend, std::byte* target, std::int64_t delay,
              Reports& reports) {
  Device* device = backend.device();
  PassResults results(pass, target, device);
  results.place_all();
  std::vector<BoundLoop> bound;
  bound.reserve(pass.loops.size());
  for (std::size_t i = 0; i < pass.loops.size(); ++i) {
    bound.push_back({&pass.loops[i].loop, results.memory(i), {}, nullptr});
  }
  if (target) bound.back().memory.delay = delay;
  PassLog log(pass, backend);
  backend.run(bound, pass.rows);
  ++graph_counts().passes;
  log.finish(pass);
  graph_counts().loops += static_cast<std::int64_t>(bound.size());
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (!device) {
      reports.add(pass.loops[i], bound[i].conditions);
    } else if (bound[i].late_conditions) {
      expect_conditions(*device, pass.loops[i], bound[i].late_conditions);
    }
  }
  reports.silence();
  results.deliver();
}

// Multiplies matrices on the backend's device, or in host memory: false where the device refuses.
bool multiply_there(const Pass& pass, Device* device, Library* library) {
  if (!library) return false;
  PassResults results(pass, nullptr, device);
  results.place_all();
  if (!multiply(pass.loops[0], results.memory(0), *library)) return false;
  results.deliver();
  return true;
}

// What the device's library refuses is done by the host's.
void run_product(const Pass& pass, Backend& backend) {
  PassLog log(pass, backend);
  Device* device = backend.device();
  bool done = device && multiply_there(pass, device, backend.library());
  if (!done) multiply_there(pass, nullptr, &host_library());
  ++graph_counts().passes;
  ++graph_counts().products;
  log.finish(pass);
}

// The first element that a plan writes to, where its backend has it.
std::byte* target_bytes(Backend& backend, const Array* target) {
  if (!target) return nullptr;
  return target->node()->storage->claim(backend.device()) + target->node()->offset;
}

// The outermost promise above this one that somebody holds, or the last before nobody reads it.
Storage& wanted_above(Storage& storage) {
  Storage* top = &storage;
  while (!top->held && top->readers) top = top->readers->reader->storage;
  return *top;
}

}  // namespace

void run_plan(const Plan& plan, const Array* target, std::int64_t delay) {
  Guard guard(plan);
  Placed placed(plan, target ? target->node()->storage : nullptr);
  Backend& backend = placed.backend();
  for (const Pass& pass : plan) {
    for (const PlannedLoop& planned : pass.loops) {
      for (Expression* expression : planned.inlined) {
        if (expression->computed < 255) ++expression->computed;
      }
    }
  }
  Reports reports;
  for (const Pass& pass : plan) {
    bool last = &pass == &plan.back();
    if (pass.is_product()) {
      run_product(pass, backend);
      continue;
    }
    run_pass(pass, backend, last ? target_bytes(backend, target) : nullptr, delay, reports);
  }
  placed.note_run();
  reports.deliver();
}

// Zeros need no loop: fresh memory has them, and in host memory a diagonal is soon written. False
// if something else is promised.
bool clear(Storage& storage) {
  const Expression& expression = *storage.expression();
  bool diagonal = is_diagonal(expression) && !backend_in_use().device();
  if (!expression.is_zero() && !diagonal) return false;
  auto size = static_cast<std::size_t>(expression.size() * item_size(expression.dtype));
  if (Device* device = backend_in_use().device()) {
    DeviceBlock block{device, {device->allocate(size), size}};
    if (!block.block.bytes) throw_late(expression);
    device->clear(block.block.bytes, size);
    storage.fulfil(block);
    return true;
  }
  Block block = allocate_block(size, true);
  if (!block.bytes) throw_late(expression);
  if (diagonal) write_diagonal(expression, block.bytes);
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
    compute(wanted_above(*reading->reader->storage));
  }
}

void compute(Storage& storage) {
  if (storage.pending()) compute_promise(storage);
}

void evaluate(const Array& array) { compute(*array.node()->storage); }

bool is_away(const Array& array) { return !array.node()->storage->in_host_memory(); }

bool is_pending(const Array& array) { return array.node()->storage->pending(); }

}  // namespace strider::nd
