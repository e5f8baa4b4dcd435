// Evaluation: runs the planned loops of a promise and hands their results to the storages. A block
// that nobody else will read becomes the result's own.
#include "kernels/graph/evaluate.h"

#include <strider/nd/error.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "kernels/backend/backend.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/loop_builder.h"
#include "kernels/graph/plan.h"

namespace strider::nd {
namespace {

// Keeps storages alive while loops run.
class Guard {
 public:
  explicit Guard(const Plan& plan) {
    for (const PlannedLoop& planned : plan) {
      for (const PlannedInput& input : planned.inputs) keep(input.storage);
      for (Expression* output : planned.outputs) keep(output->storage);
      if (planned.folded) keep(planned.folded->storage);
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

bool contains(const std::vector<Expression*>& list, const Expression* expression) {
  return std::find(list.begin(), list.end(), expression) != list.end();
}

// Whether nobody but this loop will ever read the storage, and every element only where its result
// is written.
bool dies_in(const PlannedLoop& planned, const Storage& storage) {
  if (storage.held || storage.pending() || !storage.can_give_block()) return false;
  for (const Reading* r = storage.readers; r; r = r->next) {
    const Expression& reader = *r->reader;
    if (!contains(planned.outputs, &reader) && !contains(planned.inlined, &reader)) return false;
  }
  const LoopOutput& output = planned.loop.outputs[0];
  for (std::size_t i = 0; i < planned.inputs.size(); ++i) {
    if (planned.inputs[i].storage != &storage) continue;
    const LoopInput& input = planned.loop.inputs[i];
    bool in_place = planned.inputs[i].offset == 0 && input.strides == output.strides &&
                    item_size(input.dtype) == item_size(output.dtype);
    if (!in_place) return false;
  }
  return true;
}

// Whether the loop's inlined promises go with its results: none is held or read by others.
bool leaves_nothing(const PlannedLoop& planned) {
  for (const Expression* inlined : planned.inlined) {
    if (contains(planned.outputs, inlined)) continue;
    if (inlined->storage->held) return false;
    for (const Reading* r = inlined->storage->readers; r; r = r->next) {
      bool inside = contains(planned.outputs, r->reader) || contains(planned.inlined, r->reader);
      if (!inside) return false;
    }
  }
  return true;
}

// The blocks of a loop's outputs; they go back unless they are taken. The first output takes over
// the block of an input that dies with the loop.
class Results {
 public:
  // Blocks for the outputs from `first` on.
  explicit Results(const PlannedLoop& planned, std::size_t first = 0) : blocks_(first) {
    for (std::size_t i = first; i < planned.outputs.size(); ++i) {
      if (i != 0 || !take_over(planned)) add(*planned.outputs[i]);
    }
    if (planned.folded) add(*planned.folded);
  }
  ~Results() {
    if (dying_ && !blocks_.empty()) blocks_[0] = Block();
    for (Block block : blocks_) free_block(block);
  }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  std::byte* bytes(std::size_t i) const { return blocks_[i].bytes; }
  Block take(std::size_t i) {
    if (i == 0 && dying_) std::exchange(dying_, nullptr)->give_block();
    return std::exchange(blocks_[i], Block());
  }
  bool in_place() const { return dying_ != nullptr; }

 private:
  void add(const Expression& output) {
    std::int64_t size = output.size() * item_size(output.dtype);
    Block block = allocate_block(static_cast<std::size_t>(size), false);
    if (!block.bytes) throw_no_memory(output.shape, output.dtype, size);
    blocks_.push_back(block);
  }
  bool take_over(const PlannedLoop& planned) {
    if (planned.loop.folds.size() || !leaves_nothing(planned)) return false;
    for (const PlannedInput& input : planned.inputs) {
      if (!input.storage || !dies_in(planned, *input.storage)) continue;
      dying_ = input.storage;
      blocks_.push_back(dying_->block());
      return true;
    }
    return false;
  }

  std::vector<Block> blocks_;
  Storage* dying_ = nullptr;
};

LoopMemory bind(const PlannedLoop& planned) {
  LoopMemory memory;
  for (const PlannedInput& input : planned.inputs) {
    memory.inputs.push_back(input.storage ? input.storage->bytes() + input.offset : nullptr);
  }
  return memory;
}

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

// Fills a fold's results with what they start as.
void fill_start(const Expression& folded, std::byte* results) {
  if (folded.fold.from_first || folded.fold.kind != LoopFold::Kind::kFold) return;
  auto size = static_cast<std::size_t>(item_size(folded.dtype));
  for (std::int64_t i = 0; i < folded.size(); ++i) {
    std::memcpy(results + static_cast<std::size_t>(i) * size, folded.start.data(), size);
  }
}

void run_planned(PlannedLoop& planned) {
  Results results(planned);
  std::size_t outputs = planned.outputs.size();
  LoopMemory memory = bind(planned);
  if (results.in_place()) memory.delay = 0;
  for (std::size_t i = 0; i < outputs; ++i) memory.outputs.push_back(results.bytes(i));
  if (planned.folded) {
    memory.outputs.push_back(results.bytes(outputs));
    fill_start(*planned.folded, memory.outputs.back());
  }
  StepConditions conditions = cpu_backend().run(planned.loop, memory);
  ++graph_counts().loops;
  std::uint8_t watched = planned.folded ? planned.folded->watched : 0;
  for (std::size_t i = 0; i < outputs; ++i) planned.outputs[i]->storage->fulfil(results.take(i));
  if (planned.folded) planned.folded->storage->fulfil(results.take(outputs));
  deliver(planned.loop, conditions);
  deliver_fold(planned.loop, conditions, watched);
}

void count_inlined(Plan& plan) {
  for (PlannedLoop& planned : plan) {
    for (Expression* expression : planned.inlined) {
      if (expression->computed < 255) ++expression->computed;
    }
  }
}

// The outermost promise above this one that somebody holds, or the last before nobody reads it.
Storage& wanted_above(Storage& storage) {
  Storage* top = &storage;
  while (!top->held && top->readers) top = top->readers->reader->storage;
  return *top;
}

}  // namespace

void compute_promise(Storage& storage) {
  Plan plan = make_plan(*storage.expression());
  Guard guard(plan);
  count_inlined(plan);
  for (PlannedLoop& planned : plan) run_planned(planned);
}

void settle_readers(Storage& storage) {
  while (Reading* reading = storage.readers) wanted_above(*reading->reader->storage).bytes();
}

void run_into(Plan& plan, std::byte* target, std::int64_t delay) {
  Guard guard(plan);
  count_inlined(plan);
  for (std::size_t i = 0; i + 1 < plan.size(); ++i) run_planned(plan[i]);
  PlannedLoop& last = plan.back();
  Results results(last, 1);
  LoopMemory memory = bind(last);
  memory.delay = delay;
  memory.outputs.push_back(target);
  for (std::size_t i = 1; i < last.outputs.size(); ++i) memory.outputs.push_back(results.bytes(i));
  StepConditions conditions = cpu_backend().run(last.loop, memory);
  ++graph_counts().loops;
  for (std::size_t i = 1; i < last.outputs.size(); ++i) {
    last.outputs[i]->storage->fulfil(results.take(i));
  }
  deliver(last.loop, conditions);
}

void evaluate(const Array& array) { array.node()->storage->bytes(); }

bool is_pending(const Array& array) { return array.node()->storage->pending(); }

}  // namespace strider::nd
