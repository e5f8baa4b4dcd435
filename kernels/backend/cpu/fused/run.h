// What fused maps and folds share: how much work is worth a thread, the choice of a renderer and
// its run over spans.
#pragma once

#include <strider/nd/threads.h>

#include <memory>
#include <mutex>

#include "kernels/backend/backend.h"
#include "kernels/backend/cpu/assembler/assembled.h"
#include "kernels/backend/cpu/fused/old_rows.h"
#include "kernels/backend/cpu/fused/reader.h"

namespace strider::nd {

// Simple instructions that are worth waking a thread for.
inline std::int64_t thread_work() { return worth_a_thread(1 << 16); }

// The values that a loop writes and, last, the one that it folds.
std::vector<std::uint16_t> wanted_values(const FusedLoop& loop);

// The work of one point, in simple instructions.
std::int64_t work_per_point(const FusedLoop& loop);

// The points between two looks for an interrupt: a few milliseconds of work.
std::int64_t interrupt_span(const FusedLoop& loop);

// Results that would fill half of the last cache leave it to what is read.
Stores choose_stores(const FusedLoop& loop);

// How a loop is walked and its steps are computed: what its threads share, and its next runs.
class Rendering : public Preparation {
 public:
  // That of the loop's last run, or a new one, which is kept once there is machine code.
  static std::shared_ptr<const Rendering> of(const FusedLoop& loop, Stores stores);

  Rendering(const FusedLoop& loop, Stores stores);

  const JointAxes& axes() const { return axes_; }
  // The bytes of an element of each wanted value.
  const std::vector<int>& sizes() const { return sizes_; }
  // The machine code; null where there is none or where it would not pay.
  const Assembled* assembled() const { return assembled_.get(); }
  // The tiles, made when they are first needed.
  const TileProgram& tiles(const FusedLoop& loop) const;
  // The conditions that are watched in any step.
  std::uint8_t watched() const { return watched_; }

 private:
  JointAxes axes_;
  Stores stores_;
  std::vector<std::uint16_t> wanted_;
  std::vector<int> sizes_;
  std::shared_ptr<const Assembled> assembled_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<TileProgram> tiles_;
  std::uint8_t watched_ = 0;
};

// What a run of the loop would be computed by.
RendererChoice choose_cpu_renderer(const FusedLoop& loop);

// Computes values of a loop point after point; one per thread.
class SpanRunner {
 public:
  // Adds the conditions of watched steps. `rows`, if any, are replaced.
  SpanRunner(const FusedLoop& loop, const Rendering& rendering, const LoopMemory& memory,
             StepConditions& conditions, const KeptRows* rows = nullptr);

  // The points from `begin` on that are best computed together.
  std::int64_t span(std::int64_t begin, std::int64_t end);
  // Computes the wanted values of [begin, begin + count) into contiguous memory, which is not that
  // of the inputs.
  void compute(std::int64_t begin, std::int64_t count, std::byte* const* outputs);
  // Computes the points of the present row in place of its elements.
  void replace_row();

 private:
  enum class Replaced { kYes, kKept, kSuspicious };
  Replaced replace_by_code(std::int64_t begin);
  const std::byte** read(LinearReader& reader, std::int64_t begin, std::int64_t count);
  bool is_suspicious(bool suspicious);
  void compute_tiles(std::int64_t begin, std::int64_t count, std::byte* const* outputs);
  bool run_code(std::int64_t begin, std::int64_t count, std::byte* const* outputs);
  LinearReader& tile_reader();
  void leave_out(LinearReader& reader) const;

  const FusedLoop& loop_;
  const Rendering& rendering_;
  const LoopMemory& memory_;
  StepConditions& conditions_;
  const Assembled* assembled_;
  int looked_again_ = 0;
  const KeptRows* rows_;
  bool replaces_ = false;                // by machine code
  std::unique_ptr<LinearReader> spans_;  // of assembled code
  std::unique_ptr<LinearReader> tiles_;
  std::unique_ptr<std::byte[]> scratch_;
  std::vector<std::byte*> targets_;
  std::vector<std::byte*> tile_targets_;
};

// Runs a loop of outputs, or of one fold.
StepConditions run_map(const FusedLoop& loop, const LoopMemory& memory);
StepConditions run_fold(const FusedLoop& loop, const LoopMemory& memory);

// Runs a loop of one step straight on its operands, where these allow it.
bool run_single(BoundLoop& bound);
bool is_single(const FusedLoop& loop);
// Whether tests ask for one renderer for all loops.
bool renderer_is_forced();

// The conditions that several threads have met.
class SharedConditions {
 public:
  explicit SharedConditions(const FusedLoop& loop) : all_(loop.steps.size() + 1) {}
  void add(const StepConditions& conditions);
  StepConditions take() { return std::move(all_); }

 private:
  StepConditions all_;
  std::mutex lock_;
};

// A loop that runs in turn with others, some rows at a time.
class Stage {
 public:
  // What one thread needs for neighbouring blocks of rows.
  class Part {
   public:
    virtual ~Part() = default;
    virtual void run(std::int64_t begin, std::int64_t end) = 0;
    // Hands in the conditions.
    virtual void finish() = 0;
  };

  virtual ~Stage() = default;
  // Work that starts with this row.
  virtual std::unique_ptr<Part> part(std::int64_t first) = 0;
  virtual StepConditions conditions() = 0;
};

// How a stage is to behave.
struct StageRules {
  std::int64_t rows = 1;  // of the pass
  Stores stores = Stores::kUsual;
  bool may_stop = true;  // where an interrupt asks for it
};

std::unique_ptr<Stage> make_map_stage(const BoundLoop& bound, const StageRules& rules);
std::unique_ptr<Stage> make_fold_stage(const BoundLoop& bound, const StageRules& rules);

}  // namespace strider::nd
