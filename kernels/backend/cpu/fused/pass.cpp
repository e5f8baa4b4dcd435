// The CPU backend: a pass of one loop has all threads at it; the loops of a longer one take turns
// at blocks of rows that fit the second cache, each thread at its own rows.
#include <strider/nd/floating_errors.h>
#include <strider/nd/settings.h>
#include <strider/nd/threads.h>
#include <unistd.h>

#include <algorithm>

#include "kernels/backend/backend.h"
#include "kernels/backend/cpu/fused/run.h"

namespace strider::nd {
namespace {

// The bytes of one loop's operands, each element once.
std::int64_t operand_bytes(const FusedLoop& loop) {
  std::int64_t bytes = 0;
  for (const LoopInput& input : loop.inputs) {
    if (input.kind != LoopInput::Kind::kMemory) continue;
    std::int64_t size = item_size(input.dtype);
    for (int axis = 0; axis < loop.extents.size(); ++axis) {
      if (input.strides[axis] != 0) size *= loop.extents[axis];
    }
    bytes += size;
  }
  for (const LoopOutput& output : loop.outputs) {
    bytes += item_size(output.dtype) * loop.point_count();
  }
  return bytes;
}

// What the loops of a pass may keep in the cache: half of the second one, or STRIDER_PASS_BYTES.
std::int64_t cache_share() {
  static const std::int64_t bytes = [] {
    std::int64_t cache = std::max<long>(sysconf(_SC_LEVEL2_CACHE_SIZE), 1 << 19);
    return number_setting("STRIDER_PASS_BYTES", 1).value_or(cache / 2);
  }();
  return bytes;
}

void run_whole(BoundLoop& bound) {
  if (run_single(bound)) return;
  bound.conditions = bound.loop->folds.empty() ? run_map(*bound.loop, bound.memory)
                                               : run_fold(*bound.loop, bound.memory);
}

// A pass of several loops.
class RowWise {
 public:
  RowWise(std::span<BoundLoop> pass, std::int64_t rows) : pass_(pass), rows_(rows) {
    for (const BoundLoop& bound : pass) {
      bytes_ += operand_bytes(*bound.loop);
      work_ += bound.loop->point_count() * (work_per_point(*bound.loop) + 1);
    }
    block_ = std::max<std::int64_t>(1, cache_share() / std::max<std::int64_t>(1, bytes_ / rows));
  }

  // Whether there are enough rows for the threads, or nothing for them to do.
  bool pays() const { return alone() || rows_ >= 4 * thread_count(); }

  void run() {
    StageRules rules;
    rules.rows = rows_;
    for (const BoundLoop& bound : pass_) rules.may_stop &= bound.memory.delay < 0;
    for (const BoundLoop& bound : pass_) {
      bool map = bound.loop->folds.empty();
      bool last = &bound == &pass_.back() && bound.memory.delay < 0;
      rules.stores = map && last ? choose_stores(*bound.loop) : Stores::kUsual;
      stages_.push_back(map ? make_map_stage(bound, rules) : make_fold_stage(bound, rules));
    }
    std::int64_t grain = std::max<std::int64_t>(1, thread_work() * rows_ / work_);
    parallel_for(rows_, alone() ? rows_ : grain,
                 [&](std::int64_t begin, std::int64_t end) { run_rows(begin, end); });
    clear_floating_errors();
    for (std::size_t i = 0; i < stages_.size(); ++i) pass_[i].conditions = stages_[i]->conditions();
  }

 private:
  bool alone() const { return work_ < 2 * thread_work() || thread_count() == 1; }

  void run_rows(std::int64_t begin, std::int64_t end) {
    std::vector<std::unique_ptr<Stage::Part>> parts;
    for (auto& stage : stages_) parts.push_back(stage->part(begin));
    for (std::int64_t row = begin; row < end; row += block_) {
      std::int64_t last = std::min(row + block_, end);
      for (auto& part : parts) part->run(row, last);
    }
    for (auto& part : parts) part->finish();
  }

  std::span<BoundLoop> pass_;
  std::int64_t rows_;
  std::int64_t bytes_ = 0;
  std::int64_t work_ = 0;
  std::int64_t block_ = 1;
  std::vector<std::unique_ptr<Stage>> stages_;
};

class CpuBackend : public Backend {
 public:
  std::string name() const override { return "cpu"; }
  RendererChoice choose_renderer(const FusedLoop& loop) const override {
    return choose_cpu_renderer(loop);
  }
  void run(std::span<BoundLoop> pass, std::int64_t rows) override {
    if (pass.size() > 1) {
      RowWise by_rows(pass, rows);
      if (by_rows.pays()) return by_rows.run();
    }
    for (BoundLoop& bound : pass) run_whole(bound);
  }
};

}  // namespace

Backend& cpu_backend() {
  static CpuBackend backend;
  return backend;
}

}  // namespace strider::nd
