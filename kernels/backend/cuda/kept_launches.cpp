// Scalars are values: where they lie does not matter. Of arrays that several loops touch it matters
// which are the same.
#include "kernels/backend/cuda/kept_launches.h"

#include <cstring>
#include <utility>

#include "kernels/backend/cuda/loop_runner.h"
#include "kernels/backend/cuda/workspace.h"

namespace strider::nd::cuda {
namespace {

using Kind = ChangingField::Kind;

const std::byte* address_of(const OperandReach& operand, const LoopMemory& memory) {
  return operand.writes ? memory.outputs[operand.index] : memory.inputs[operand.index];
}

}  // namespace

KeptLaunches::KeptLaunches(LaunchQueue& queue, const std::shared_ptr<Kernel>& kernel,
                           Rendering rendering, std::span<const BoundLoop> loops,
                           std::vector<std::size_t> scratch)
    : queue_(queue),
      kernel_(kernel),
      calls_(std::move(rendering.calls)),
      changing_(std::move(rendering.changing)),
      reaches_(std::move(rendering.reaches)),
      scratch_(std::move(scratch)) {
  for (const BoundLoop& bound : loops)
    before_.push_back({bound.loop, bound.memory, bound.late_conditions != nullptr});
  for (const KernelCall& call : calls_) entries_.push_back(kernel->entry(call.entry));
}

const KeptLaunches* KeptLaunches::find(std::span<const BoundLoop> loops, const LaunchQueue& queue) {
  auto* kept = dynamic_cast<const KeptLaunches*>(loops[0].loop->preparation.get());
  if (!kept || &kept->queue_ != &queue || kept->loop_count() > loops.size()) return nullptr;
  return kept->fits(loops) ? kept : nullptr;
}

bool KeptLaunches::fits(std::span<const BoundLoop> loops) const {
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const FusedLoop& loop = *loops[i].loop;
    if (loop.preparation.get() != this || before_[i].loop != &loop) return false;
    bool watched = loops[i].late_conditions != nullptr;
    if (loops[i].memory.delay > 0 || watched != before_[i].watched) return false;
  }
  for (const ChangingField& field : changing_) {
    const LoopMemory &now = loops[field.loop].memory, &then = before_[field.loop].memory;
    bool same = true;
    if (field.kind == Kind::kInput)
      same = as_even(now.inputs[field.index], then.inputs[field.index]);
    else if (field.kind == Kind::kOutput)
      same = as_even(now.outputs[field.index], then.outputs[field.index]);
    if (!same) return false;
  }
  return lie_alike(loops);
}

// Whether operands that touched the same elements do so in the same way, and no others do.
bool KeptLaunches::lie_alike(std::span<const BoundLoop> loops) const {
  for (const OperandReach& a : reaches_) {
    const std::byte* now = address_of(a, loops[a.loop].memory);
    const std::byte* then = address_of(a, before_[a.loop].memory);
    for (const OperandReach& b : reaches_) {
      if (&b == &a) break;
      std::int64_t apart = address_of(b, loops[b.loop].memory) - now;
      std::int64_t before = address_of(b, before_[b.loop].memory) - then;
      auto meet = [&](std::int64_t by) { return by + b.low < a.high && a.low < by + b.high; };
      if (apart != before && (meet(apart) || meet(before))) return false;
    }
  }
  return true;
}

void KeptLaunches::launch(std::span<const BoundLoop> loops) const {
  std::vector<Workspace> taken;
  taken.reserve(scratch_.size());
  for (std::size_t bytes : scratch_) taken.emplace_back(queue_.device(), bytes);
  for (KernelCall& call : calls_) {
    for (const ChangingField& field : changing_) {
      const BoundLoop& bound = loops[field.loop];
      const void* address = nullptr;
      const void* value = &address;
      switch (field.kind) {
        case Kind::kInput:
          address = bound.memory.inputs[field.index];
          break;
        case Kind::kScalar:
          value = bound.memory.inputs[field.index];
          break;
        case Kind::kOutput:
          address = bound.memory.outputs[field.index];
          break;
        case Kind::kConditions:
          address = bound.late_conditions;
          break;
        case Kind::kScratch:
          address = taken[field.index].start();
          break;
      }
      std::memcpy(call.arguments.data() + field.at, value, field.size);
    }
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) queue_.launch(entries_[i], calls_[i]);
}

}  // namespace strider::nd::cuda
