// What fused maps and folds share: how much work is worth a thread, and the tile runner.
#pragma once

#include <memory>

#include "kernels/backend/cpu/fused/reader.h"

namespace strider::nd {

// Simple instructions that are worth waking a thread for.
inline constexpr std::int64_t kThreadWork = 1 << 16;

// The values that a loop writes and, last, the one that it folds.
std::vector<std::uint16_t> wanted_values(const FusedLoop& loop);

// The work of one point, in simple instructions.
std::int64_t work_per_point(const FusedLoop& loop);

// Computes values of a loop point after point; one per thread.
class TileRunner {
 public:
  TileRunner(const FusedLoop& loop, const JointAxes& axes, const TileProgram& program,
             const LoopMemory& memory, StepConditions* conditions);

  // Computes the wanted values of [begin, begin + count) into contiguous memory.
  void compute(std::int64_t begin, std::int64_t count, std::byte* const* outputs);
  LinearReader& reader() { return reader_; }

 private:
  const TileProgram& program_;
  LinearReader reader_;
  std::unique_ptr<std::byte[]> scratch_;
  std::vector<std::byte*> targets_;
  std::vector<int> sizes_;
  StepConditions* conditions_;
};

// Runs a loop of outputs, or of one fold.
StepConditions run_map(const FusedLoop& loop, const LoopMemory& memory);
StepConditions run_fold(const FusedLoop& loop, const LoopMemory& memory);

// Adds the conditions of one thread to those of all.
void add_conditions(const StepConditions& from, StepConditions& to);

}  // namespace strider::nd
