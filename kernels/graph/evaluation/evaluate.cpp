// Evaluation: runs the planned passes of a promise and hands their results to the storages.
#include "kernels/graph/evaluation/evaluate.h"

#include <memory>
#include <utility>
#include <vector>

#include "kernels/core/device.h"
#include "kernels/graph/evaluation/results.h"
#include "kernels/graph/evaluation/room.h"
#include "kernels/graph/evaluation/running.h"
#include "kernels/graph/expression/expression.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/placement/placement.h"
#include "kernels/graph/plan/plan_cache.h"
#include "kernels/graph/plan/product.h"
#include "kernels/graph/reporting/late_conditions.h"
#include "kernels/graph/reporting/log.h"
#include "kernels/graph/reporting/reports.h"

namespace strider::nd {
namespace {

// What operations met, to be told when all has run.
class Reports {
 public:
  // Notes what a loop has met.
  void add(const PlannedLoop& planned, const StepConditions& conditions) {
    for (const StepOrigin& origin : planned.origins) {
      const Step& step = planned.loop.steps[origin.step];
      add(*origin.expression, conditions[origin.step] & step.watched,
          operation_name(step, *origin.expression));
    }
    for (const LoopFold& fold : planned.loop.folds) {
      if (!tells_conditions(fold)) continue;
      add(*planned.folded, conditions.back(), operation_name(fold));
    }
  }
  // Notes what a product has met.
  void add_product(const PlannedLoop& planned, FloatingErrors met) {
    Expression& product = *planned.outputs[0].promise;
    if (product.name) add(product, met.flags, product.name);
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
    reports_.push_back({flags, expression.number, operation, expression.place, expression.strict});
    expressions_.push_back(&expression);
  }

  std::vector<Report> reports_;
  std::vector<Expression*> expressions_;  // of the reports; there until silenced
  std::size_t silenced_ = 0;
};

// A plan's launches may go to the device together.
class Sequence {
 public:
  explicit Sequence(Device* device) : device_(device) {
    if (device_) device_->begin_sequence();
  }
  ~Sequence() {
    try {
      end();
    } catch (const Error&) {  // another one is on its way
    }
  }
  Sequence(const Sequence&) = delete;
  Sequence& operator=(const Sequence&) = delete;

  void end() {
    if (Device* device = std::exchange(device_, nullptr)) device->end_sequence();
  }

 private:
  Device* device_;
};

void run_pass(const Pass& pass, Backend& backend, const Array* target, std::int64_t delay,
              Reports& reports) {
  Device* device = backend.device();
  DeviceWork work;
  if (device) keep_inputs(pass, *device);
  PassResults results(pass, target_bytes(backend, target), device);
  results.place_all();
  std::vector<BoundLoop> bound;
  bound.reserve(pass.loops.size());
  for (std::size_t i = 0; i < pass.loops.size(); ++i) {
    bound.push_back({&pass.loops[i].loop, results.memory(i), {}, nullptr});
  }
  if (target) bound.back().memory.delay = delay;
  PassLog log(pass, backend);
  backend.run(bound, pass.rows);
  count_pass(pass);
  log.finish(pass);
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
bool multiply_there(const Pass& pass, Device* device, Library* library, Reports& reports) {
  if (!library) return false;
  DeviceWork work;
  if (device) keep_inputs(pass, *device);
  PassResults results(pass, nullptr, device);
  results.place_all();
  clear_floating_errors();
  if (!multiply(pass.loops[0], results.memory(0), *library)) return false;
  reports.add_product(pass.loops[0], take_floating_errors());
  reports.silence();
  results.deliver();
  return true;
}

// What the device's library refuses is done by the host's.
void run_product(const Pass& pass, Backend& backend, Reports& reports) {
  PassLog log(pass, backend);
  Device* device = backend.device();
  bool done = device && multiply_there(pass, device, backend.library(), reports);
  if (!done) multiply_there(pass, nullptr, &host_library(), reports);
  ++graph_counts().passes;
  ++graph_counts().products;
  log.finish(pass);
}

}  // namespace

void run_plan(const Plan& plan, const Array* target, std::int64_t delay) {
  PlanRun run;
  PlanGuard guard(plan);
  Placed placed(plan, target ? target->node()->storage : nullptr);
  for (const Pass& pass : plan) {
    for (const PlannedLoop& planned : pass.loops) {
      for (Expression* expression : planned.inlined) {
        if (expression->computed < 255) ++expression->computed;
      }
    }
  }
  Reports reports;
  Sequence sequence(placed.backend().device());
  for (const Pass& pass : plan) {
    const Array* last_target = &pass == &plan.back() ? target : nullptr;
    placed.run([&](Backend& backend) {
      if (pass.is_product()) return run_product(pass, backend, reports);
      run_pass(pass, backend, last_target, delay, reports);
    });
  }
  sequence.end();
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
    DeviceWork work;
    DeviceBlock block{device, {device->allocate(size), size}};
    if (!storage.pending()) {  // making room had it computed, too
      device->free(block.block.bytes, size);
      return true;
    }
    if (!block.block.bytes) throw_late(expression, device);
    device->clear(block.block.bytes, size);
    storage.fulfil(block);
    return true;
  }
  Block block = allocate_block(size, true);
  if (!block.bytes) throw_late(expression, nullptr);
  if (diagonal) write_diagonal(expression, block.bytes);
  storage.fulfil(block);
  return true;
}

Storage& wanted_above(Storage& storage) {
  Storage* top = &storage;
  while (!top->held && top->readers) top = top->readers->reader->storage;
  return *top;
}

namespace {

// Keeps a storage while it lives.
class Kept {
 public:
  explicit Kept(Storage& storage) : storage_(storage) { storage_.retain(); }
  ~Kept() { storage_.release(); }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

 private:
  Storage& storage_;
};

void compute_now(Storage& storage) {
  bool wanted = storage.references() > 1;
  if (!wanted || !storage.pending() || clear(storage)) return;
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

}  // namespace

void compute_promise(Storage& storage) {
  log_expression("compute", *storage.expression());
  Kept kept(storage);  // what it is computed for may be computed first, to make room
  with_room(storage, [&] { compute_now(storage); });
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

void evaluate(std::span<const Array> arrays) {
  Sequence sequence(backend_in_use().device());
  for (const Array& array : arrays) evaluate(array);
  sequence.end();
}

void evaluate_all() {
  std::vector<Storage*> promised;  // what is held, first made first
  for (Expression* each = newest_expression(); each; each = each->older) {
    Storage* storage = each->storage;
    if (!storage || !storage->held || storage->references() == 0 || each->is_generated()) continue;
    storage->retain();
    promised.push_back(storage);
  }
  auto release = [](std::vector<Storage*>* storages) {
    for (Storage* each : *storages) each->release();
  };
  std::unique_ptr<std::vector<Storage*>, decltype(release)> releasing(&promised, release);
  for (auto each = promised.rbegin(); each != promised.rend(); ++each) compute(**each);
}

bool is_away(const Array& array) { return !array.node()->storage->in_host_memory(); }

bool is_pending(const Array& array) { return array.node()->storage->pending(); }

}  // namespace strider::nd
