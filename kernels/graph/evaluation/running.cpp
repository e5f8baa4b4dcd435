// Storages are counted where they are used: a plan that ends may let go of what another reads.
#include "kernels/graph/evaluation/running.h"

#include "kernels/core/node.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/placement/cost.h"

namespace strider::nd {

PlanGuard::PlanGuard(const Plan& plan) {
  for (const Pass& pass : plan) {
    for (const PlannedLoop& planned : pass.loops) {
      for (const PlannedInput& input : planned.inputs) keep(input.storage);
      for (const PlannedOutput& output : planned.outputs) keep(output.promise->storage);
      if (planned.folded) keep(planned.folded->storage);
    }
  }
}

PlanGuard::~PlanGuard() {
  for (Storage* storage : kept_) storage->release();
}

void PlanGuard::keep(Storage* storage) {
  if (!storage) return;
  storage->retain();
  kept_.push_back(storage);
}

std::byte* target_bytes(Backend& backend, const Array* target) {
  if (!target) return nullptr;
  return target->node()->storage->claim(backend.device()) + target->node()->offset;
}

void keep_inputs(const Pass& pass, const Device& device) {
  for (const PlannedLoop& planned : pass.loops) {
    for (const PlannedInput& input : planned.inputs) {
      if (input.storage) input.storage->use_on(device);
    }
  }
}

void count_pass(const Pass& pass) {
  EvaluationCounts& counts = graph_counts();
  PassTraffic traffic = traffic_of(pass);
  ++counts.passes;
  counts.loops += static_cast<std::int64_t>(pass.loops.size());
  counts.bytes_read += static_cast<std::int64_t>(traffic.read);
  counts.bytes_written += static_cast<std::int64_t>(traffic.written);
}

}  // namespace strider::nd
