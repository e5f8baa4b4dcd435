// Fused maps: threads share the points; each computes tiles and writes them where they belong.
#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <mutex>

#include "kernels/backend/backend.h"
#include "kernels/backend/cpu/fused/run.h"
#include "kernels/backend/cpu/fused/writer.h"

namespace strider::nd {
namespace {

constexpr std::int64_t kInterruptSpan = 1 << 18;

class CpuBackend : public Backend {
 public:
  StepConditions run(const FusedLoop& loop, const LoopMemory& memory) override {
    return loop.folds.empty() ? run_map(loop, memory) : run_fold(loop, memory);
  }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend backend;
  return backend;
}

std::vector<std::uint16_t> wanted_values(const FusedLoop& loop) {
  std::vector<std::uint16_t> wanted;
  for (const LoopOutput& output : loop.outputs) wanted.push_back(output.value);
  for (const LoopFold& fold : loop.folds) wanted.push_back(fold.value);
  return wanted;
}

std::int64_t work_per_point(const FusedLoop& loop) {
  std::int64_t work = 1 + static_cast<std::int64_t>(loop.inputs.size()) / 2;
  for (const Step& step : loop.steps) {
    bool elementary =
        step.kind == Step::Kind::kOperation && facts(step.op).group >= OpGroup::kDivision;
    work += elementary ? 16 : 1;
  }
  return work;
}

void add_conditions(const StepConditions& from, StepConditions& to) {
  for (std::size_t i = 0; i < from.size(); ++i) to[i] |= from[i];
}

StepConditions run_map(const FusedLoop& loop, const LoopMemory& memory) {
  JointAxes axes(loop);
  Rendering rendering(loop, axes);
  StepConditions all(loop.steps.size() + 1);
  std::mutex lock;
  std::int64_t points = loop.point_count(), work = work_per_point(loop);
  bool in_place = memory.delay >= 0;
  LateResults late(axes, memory, in_place ? loop.outputs[0].dtype : DType::kBool);
  auto part = [&](std::int64_t begin, std::int64_t end) {
    StepConditions conditions(all.size());
    SpanRunner runner(loop, axes, rendering, memory, conditions);
    Writer writer(loop, axes, memory, late, begin, end);
    clear_floating_errors();
    std::int64_t since = 0;
    while (begin < end) {
      std::int64_t count = std::min(runner.span(begin, end), writer.longest());
      runner.compute(begin, count, writer.targets(begin));
      writer.place(begin, count);
      begin += count;
      since += count;
      if (in_place || since < kInterruptSpan) continue;
      since = 0;
      check_interrupt();
    }
    writer.finish();
    std::lock_guard<std::mutex> guard(lock);
    add_conditions(conditions, all);
  };
  bool alone = points * work < 2 * kThreadWork;
  if (in_place) {
    late.share(points, alone ? 1 : thread_count());
    parallel_for(late.parts(), 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) part(late.begin(i), late.begin(i + 1));
    });
    late.write();
  } else {
    std::int64_t grain = std::max(kTile, kThreadWork / work);
    grain = (grain + kTile - 1) / kTile * kTile;
    parallel_for(points, alone ? points : grain, part);
  }
  clear_floating_errors();
  return all;
}

}  // namespace strider::nd
