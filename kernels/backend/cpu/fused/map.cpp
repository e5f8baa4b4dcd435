// Fused maps: threads share the points; each computes tiles and writes them where they belong.
#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>

#include "kernels/backend/cpu/fused/run.h"
#include "kernels/backend/cpu/fused/writer.h"

namespace strider::nd {
namespace {

// Between two looks for an interrupt: simple instructions, and points at most.
constexpr std::int64_t kInterruptWork = 1 << 24, kInterruptPoints = 1 << 18;

// One thread's part of a map.
class MapPart {
 public:
  MapPart(const FusedLoop& loop, const Rendering& rendering, const LoopMemory& memory,
          LateResults& late, std::int64_t begin, std::int64_t end)
      : conditions_(loop.steps.size() + 1),
        runner_(loop, rendering, memory, conditions_),
        writer_(loop, rendering.axes(), memory, late, begin, end),
        longest_(std::min(writer_.longest(), interrupt_span(loop))) {}

  // Computes neighbouring points, those next to what was computed before.
  void run(std::int64_t begin, std::int64_t end, bool may_stop) {
    clear_floating_errors();
    while (begin < end) {
      std::int64_t count = std::min(runner_.span(begin, end), longest_);
      runner_.compute(begin, count, writer_.targets(begin));
      writer_.place(begin, count);
      begin += count;
      since_ += count;
      if (!may_stop || since_ < longest_) continue;
      since_ = 0;
      check_interrupt();
    }
  }
  const StepConditions& finish() {
    writer_.finish();
    return conditions_;
  }

 private:
  StepConditions conditions_;
  SpanRunner runner_;
  Writer writer_;
  std::int64_t longest_;
  std::int64_t since_ = 0;
};

// A map whose results replace what it reads, row by row.
StepConditions replace_rows(const FusedLoop& loop, const LoopMemory& memory, OldRows& old,
                            const Rendering& rendering, int threads) {
  SharedConditions all(loop);
  old.share(threads);
  parallel_for(old.parts(), 1, [&](std::int64_t first, std::int64_t last) {
    StepConditions conditions(loop.steps.size() + 1);
    clear_floating_errors();
    for (std::int64_t part = first; part < last; ++part) {
      KeptRows rows(old, part);
      SpanRunner runner(loop, rendering, memory, conditions, &rows);
      for (std::int64_t row = rows.begin(); row < rows.end(); ++row) {
        rows.advance();
        runner.replace_row();
      }
    }
    all.add(conditions);
  });
  clear_floating_errors();
  return all.take();
}

// The same where results wait until what they replace has been read.
StepConditions replace_late(const FusedLoop& loop, const LoopMemory& memory,
                            const Rendering& rendering, int threads) {
  SharedConditions all(loop);
  LateResults late(rendering.axes(), memory, loop.outputs[0].dtype);
  late.share(loop.point_count(), threads);
  parallel_for(late.parts(), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      MapPart part(loop, rendering, memory, late, late.begin(i), late.begin(i + 1));
      part.run(late.begin(i), late.begin(i + 1), false);
      all.add(part.finish());
    }
  });
  late.write();
  clear_floating_errors();
  return all.take();
}

StepConditions run_in_place(const FusedLoop& loop, const LoopMemory& memory) {
  std::shared_ptr<const Rendering> rendering = Rendering::of(loop, Stores::kInPlace);
  bool alone = loop.point_count() * work_per_point(loop) < 2 * thread_work();
  int threads = alone ? 1 : thread_count();
  OldRows old(loop, rendering->axes(), memory);
  return old.possible() ? replace_rows(loop, memory, old, *rendering, threads)
                        : replace_late(loop, memory, *rendering, threads);
}

// Maps as stages of a pass write in place at most, so nothing waits.
class MapStage : public Stage {
 public:
  MapStage(const BoundLoop& bound, const StageRules& rules)
      : loop_(*bound.loop),
        memory_(bound.memory),
        rendering_(Rendering::of(loop_, rules.stores)),
        late_(rendering_->axes(), memory_, loop_.outputs[0].dtype),
        all_(loop_),
        row_(loop_.point_count() / rules.rows),
        may_stop_(rules.may_stop) {}

  std::unique_ptr<Part> part(std::int64_t first) override {
    return std::make_unique<Rows>(*this, first);
  }
  StepConditions conditions() override { return all_.take(); }

 private:
  class Rows : public Part {
   public:
    Rows(MapStage& stage, std::int64_t first)
        : stage_(stage),
          part_(stage.loop_, *stage.rendering_, stage.memory_, stage.late_, first * stage.row_,
                stage.loop_.point_count()) {}
    void run(std::int64_t begin, std::int64_t end) override {
      part_.run(begin * stage_.row_, end * stage_.row_, stage_.may_stop_);
    }
    void finish() override { stage_.all_.add(part_.finish()); }

   private:
    MapStage& stage_;
    MapPart part_;
  };

  const FusedLoop& loop_;
  const LoopMemory& memory_;
  std::shared_ptr<const Rendering> rendering_;
  LateResults late_;
  SharedConditions all_;
  std::int64_t row_;
  bool may_stop_;
};

}  // namespace

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

std::int64_t interrupt_span(const FusedLoop& loop) {
  std::int64_t points = kInterruptWork / work_per_point(loop) / kTile * kTile;
  return std::clamp(points, kTile, kInterruptPoints);
}

StepConditions run_map(const FusedLoop& loop, const LoopMemory& memory) {
  if (memory.delay >= 0) return run_in_place(loop, memory);
  std::shared_ptr<const Rendering> rendering = Rendering::of(loop, choose_stores(loop));
  SharedConditions all(loop);
  std::int64_t points = loop.point_count(), work = work_per_point(loop);
  LateResults late(rendering->axes(), memory, DType::kBool);
  auto run = [&](std::int64_t begin, std::int64_t end) {
    MapPart part(loop, *rendering, memory, late, begin, end);
    part.run(begin, end, true);
    all.add(part.finish());
  };
  bool alone = points * work < 2 * thread_work();
  std::int64_t tile = worth_a_thread(kTile);
  std::int64_t grain = std::max(tile, thread_work() / work);
  grain = (grain + tile - 1) / tile * tile;
  parallel_for(points, alone ? points : grain, run);
  clear_floating_errors();
  return all.take();
}

std::unique_ptr<Stage> make_map_stage(const BoundLoop& bound, const StageRules& rules) {
  return std::make_unique<MapStage>(bound, rules);
}

}  // namespace strider::nd
