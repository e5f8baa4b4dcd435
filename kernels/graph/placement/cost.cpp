// Every input counts as read once for each loop, every element of it that the loop's extents reach.
#include "kernels/graph/placement/cost.h"

#include <algorithm>

#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

double step_work(const Step& step) {
  return step.kind == Step::Kind::kOperation ? cost_of(step.op) : 1;
}

double distinct_elements(const LoopInput& input, const Dims& extents) {
  double count = 1;
  for (int axis = 0; axis < extents.size(); ++axis) {
    if (input.strides[axis] != 0) count *= static_cast<double>(extents[axis]);
  }
  return count;
}

}  // namespace

void add_copies(Storage& storage, PlanCost& cost) {
  if (storage.pending()) return;
  bool here = storage.in_host_memory(), there = storage.device();
  if (here == there) return;
  std::vector<Storage*>& list = here ? cost.host_only : cost.device_only;
  if (std::find(list.begin(), list.end(), &storage) == list.end()) list.push_back(&storage);
}

namespace {

// Whether one of the first `count` loops of a pass makes what the storage will hold.
bool is_handed_on(const Pass& pass, std::size_t count, const Storage* storage) {
  for (std::size_t i = 0; i < count; ++i) {
    for (const PlannedOutput& output : pass.loops[i].outputs) {
      if (output.promise->storage == storage) return true;
    }
  }
  return false;
}

}  // namespace

PassTraffic traffic_of(const Pass& pass) {
  PassTraffic traffic;
  for (std::size_t at = 0; at < pass.loops.size(); ++at) {
    const PlannedLoop& planned = pass.loops[at];
    const FusedLoop& loop = planned.loop;
    for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
      const LoopInput& input = loop.inputs[i];
      const Storage* storage = planned.inputs[i].storage;
      if (input.kind != LoopInput::Kind::kMemory || is_handed_on(pass, at, storage)) continue;
      traffic.read += distinct_elements(input, loop.extents) * item_size(input.dtype);
    }
    auto points = static_cast<double>(loop.point_count());
    for (const LoopOutput& output : loop.outputs)
      traffic.written += points * item_size(output.dtype);
    if (const Expression* folded = planned.folded)
      traffic.written += static_cast<double>(folded->size() * item_size(folded->dtype));
  }
  return traffic;
}

PlanCost cost_of(const Plan& plan, Storage* target) {
  PlanCost cost;
  for (const Pass& pass : plan) {
    for (const PlannedLoop& planned : pass.loops) {
      const FusedLoop& loop = planned.loop;
      auto points = static_cast<double>(loop.point_count());
      ++cost.loops;
      if (planned.is_product) cost.work += points / kLibraryWork;
      for (const Step& step : loop.steps) cost.work += points * step_work(step);
      cost.work += points * static_cast<double>(loop.folds.size());
      for (std::size_t i = 0; i < loop.inputs.size(); ++i) {
        if (loop.inputs[i].kind != LoopInput::Kind::kMemory) continue;
        cost.bytes +=
            distinct_elements(loop.inputs[i], loop.extents) * item_size(loop.inputs[i].dtype);
        if (planned.inputs[i].storage) add_copies(*planned.inputs[i].storage, cost);
      }
      for (const PlannedOutput& output : planned.outputs) {
        const Expression& promise = *output.promise;
        if (output.offset != 0) continue;  // another part of what has been counted
        cost.bytes += static_cast<double>(promise.size() * item_size(promise.dtype));
      }
    }
  }
  if (target) add_copies(*target, cost);
  return cost;
}

}  // namespace strider::nd
