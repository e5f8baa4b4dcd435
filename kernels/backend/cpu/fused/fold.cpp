// Fused folds: how the points of a fold are cut between threads.
#include <strider/nd/threads.h>

#include "kernels/backend/cpu/fused/folding.h"

namespace strider::nd {
namespace {

// Threads share columns in stripes of whole cache lines of results, whatever the element's size.
constexpr std::int64_t kStripe = 64;
// One thread folds so many bytes that lie in memory before another one is awake.
constexpr std::int64_t kAloneBytes = 3 << 18;
// Leaves of a long sum's tree that threads share.
constexpr std::int64_t kLeaf = 1 << 15;

// Visits the steps of all groups but the innermost `skipped` ones, the group `shared` cut to
// [begin, end): calls body(point, accumulator index, whether nothing was folded there before).
template <class Body>
void visit(const std::vector<AxisGroup>& groups, std::size_t outer, std::size_t shared,
           std::int64_t begin, std::int64_t end, std::int64_t row, Body&& body) {
  std::vector<std::int64_t> at(outer, 0);
  std::vector<std::int64_t> weight(outer);
  std::int64_t points = row;
  for (std::size_t g = outer; g-- > 0;) {
    weight[g] = points;
    points *= groups[g].extent;
  }
  for (;;) {
    std::int64_t point = 0, place = 0;
    bool fresh = true;
    for (std::size_t g = 0; g < outer; ++g) {
      std::int64_t index = at[g] + (g == shared ? begin : 0);
      point += index * weight[g];
      place += index * groups[g].step;
      fresh &= !groups[g].folded || index == 0;
    }
    body(point, place, fresh);
    std::size_t g = outer;
    while (g-- > 0) {
      if (++at[g] < (g == shared ? end - begin : groups[g].extent)) break;
      at[g] = 0;
    }
    if (g == static_cast<std::size_t>(-1)) return;
  }
}

// The whole of a fold, cut between threads.
class FoldRun {
 public:
  FoldRun(const Folding& folding, const LoopMemory& memory, Stores stores)
      : folding_(folding),
        memory_(memory),
        rendering_(Rendering::of(folding.loop, stores)),
        all_(folding.loop) {}

  StepConditions run() {
    std::int64_t points = folding_.loop.point_count(), work = work_per_point(folding_.loop) + 1;
    bool alone = points * work < 2 * thread_work() || thread_count() == 1;
    if (folding_.direct) alone |= points * folding_.size < worth_a_thread(kAloneBytes);
    if (folding_.folds_rows()) {
      run_rows(alone, work);
    } else {
      run_columns(alone, work);
    }
    clear_floating_errors();
    return all_.take();
  }

  std::unique_ptr<FoldRunner> make_runner() const {
    return std::make_unique<FoldRunner>(folding_, *rendering_, memory_);
  }
  // Folds what belongs to some positions of the outermost axes, which are kept.
  void run_outer(FoldRunner& runner, std::int64_t begin, std::int64_t end) const {
    const std::vector<AxisGroup>& groups = folding_.groups;
    std::int64_t row = folding_.row();
    if (groups.size() == 1) {
      for (std::int64_t column = begin; column < end; column += kBatch) {
        std::int64_t count = std::min(kBatch, end - column);
        runner.join_columns(column, count, result(column), true);
      }
    } else if (!folding_.folds_rows()) {
      fold_columns(runner, {0, row}, 0, {begin, end});
    } else if (groups.size() == 2) {
      runner.fold_rows(begin * row, end - begin, result(begin), true);
    } else {
      std::size_t inner = groups.size() - 2;
      std::int64_t rows = groups[inner].extent;
      visit(groups, inner, 0, begin, end, row * rows,
            [&](std::int64_t point, std::int64_t place, bool fresh) {
              runner.fold_rows(point, rows, result(place), fresh);
            });
    }
  }
  void add(const FoldRunner& runner) { all_.add(runner.conditions()); }
  StepConditions take_conditions() { return all_.take(); }

 private:
  template <class Body>
  void with_runner(Body&& body) {
    FoldRunner runner(folding_, *rendering_, memory_);
    body(runner);
    add(runner);
  }
  std::byte* result(std::int64_t index) const {
    return folding_.results + index * folding_.result_size;
  }

  // [… kept folded]: rows next to each other.
  void run_rows(bool alone, std::int64_t work) {
    const std::vector<AxisGroup>& groups = folding_.groups;
    std::int64_t row = folding_.row();
    if (groups.size() == 1) return run_single_row(alone);
    std::size_t shared = groups.size() - 2;
    std::int64_t rows = groups[shared].extent;
    auto part = [&](std::int64_t begin, std::int64_t end) {
      with_runner([&](FoldRunner& runner) {
        visit(groups, shared, shared, 0, 1, row * rows,
              [&](std::int64_t point, std::int64_t place, bool fresh) {
                runner.fold_rows(point + begin * row, end - begin, result(place + begin), fresh);
              });
      });
    };
    std::int64_t per_row = std::max<std::int64_t>(1, row * work);
    std::int64_t grain = std::max<std::int64_t>(1, thread_work() / per_row);
    parallel_for(rows, alone ? rows : grain, part);
  }

  void run_single_row(bool alone) {
    std::int64_t row = folding_.row();
    if (alone || !splits() || folding_.fold.kind != LoopFold::Kind::kFold) {
      with_runner([&](FoldRunner& runner) { runner.fold_rows(0, 1, folding_.results, true); });
      return;
    }
    if (folding_.ordered && !folding_.fold.chunk) return run_tree(row * folding_.parts);
    run_pieces(row, folding_.ordered ? folding_.fold.chunk : kLeaf);
  }

  // Whether parts of a row can be folded apart.
  bool splits() const {
    return folding_.ordered || folding_.fold.op != Op::kMultiply || !is_inexact(folding_.fold.type);
  }

  void run_tree(std::int64_t count) {
    split(0, count);
    std::vector<Value> sums(leaves_.size());
    parallel_for(
        static_cast<std::int64_t>(leaves_.size()), 1, [&](std::int64_t begin, std::int64_t end) {
          with_runner([&](FoldRunner& runner) {
            for (std::int64_t i = begin; i < end; ++i) {
              auto leaf = static_cast<std::size_t>(i);
              sums[leaf] =
                  runner.add_pairs(leaves_[leaf].first / folding_.parts, leaves_[leaf].second);
            }
          });
        });
    std::size_t next = 0;
    clear_floating_errors();
    Value total = join_tree(count, sums, next);
    begin_result();
    folding_.add_sum(folding_.results, total);
    add_conditions();
  }
  void begin_result() {
    auto size = static_cast<std::size_t>(folding_.size);
    std::memcpy(folding_.results, folding_.fold.start.data(), size);
  }
  void split(std::int64_t begin, std::int64_t count) {
    if (count <= kLeaf) {
      leaves_.push_back({begin, count});
      return;
    }
    std::int64_t half = Folding::first_half(count);
    split(begin, half);
    split(begin + half, count - half);
  }
  Value join_tree(std::int64_t count, const std::vector<Value>& sums, std::size_t& next) {
    if (count <= kLeaf) return sums[next++];
    std::int64_t half = Folding::first_half(count);
    Value low = join_tree(half, sums, next);
    Value high = join_tree(count - half, sums, next);
    folding_.join_sums(low, high);
    return low;
  }

  // Pieces of one row, folded apart and then in order.
  void run_pieces(std::int64_t row, std::int64_t piece) {
    std::int64_t count = (row + piece - 1) / piece;
    std::vector<Value> results(static_cast<std::size_t>(count));
    parallel_for(count, 1, [&](std::int64_t begin, std::int64_t end) {
      with_runner([&](FoldRunner& runner) {
        for (std::int64_t i = begin; i < end; ++i) {
          std::int64_t length = std::min(piece, row - i * piece);
          results[static_cast<std::size_t>(i)] = runner.fold_piece(i * piece, length);
        }
      });
    });
    clear_floating_errors();
    if (!folding_.fold.from_first) begin_result();
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (i == 0 && folding_.fold.from_first) {
        std::memcpy(folding_.results, results[0].bytes, static_cast<std::size_t>(folding_.size));
      } else if (folding_.ordered) {
        folding_.add_sum(folding_.results, results[i]);
      } else {
        folding_.join(folding_.results, results[i].bytes, folding_.results, 1);
      }
    }
    add_conditions();
  }
  // Those of combinations after all threads' work.
  void add_conditions() {
    StepConditions last(folding_.loop.steps.size() + 1);
    last.back() = take_floating_errors().flags;
    all_.add(last);
  }

  struct Span {
    std::int64_t begin, end;
  };

  // Some columns, for some positions of the group `shared`: a batch of columns at a time, or rows
  // of columns that lie next to each other where a batch holds several.
  void fold_columns(FoldRunner& runner, const Span& columns, std::size_t shared,
                    const Span& positions) const {
    const std::vector<AxisGroup>& groups = folding_.groups;
    std::int64_t row = folding_.row();
    std::size_t inner = groups.size() - 1;
    bool whole = columns.begin == 0 && columns.end == row;
    if (whole && row <= kBatch / 2 && inner > 0 && groups[inner - 1].folded &&
        shared != inner - 1) {
      std::int64_t rows = groups[inner - 1].extent;
      visit(groups, inner - 1, shared, positions.begin, positions.end, row * rows,
            [&](std::int64_t point, std::int64_t place, bool fresh) {
              runner.join_rows(point, rows, result(place), fresh);
            });
      return;
    }
    for (std::int64_t column = columns.begin; column < columns.end; column += kBatch) {
      std::int64_t count = std::min(kBatch, columns.end - column);
      visit(groups, inner, shared, positions.begin, positions.end, row,
            [&](std::int64_t point, std::int64_t place, bool fresh) {
              runner.join_columns(point + column, count, result(place + column), fresh);
            });
    }
  }

  // [… folded kept]: columns next to each other. Threads share stripes of them or, where there are
  // few, the outermost kept axes.
  void run_columns(bool alone, std::int64_t work) {
    const std::vector<AxisGroup>& groups = folding_.groups;
    std::int64_t row = folding_.row(), points = folding_.loop.point_count();
    std::int64_t outer = groups[0].extent;
    if (!alone && groups.size() > 2 && !groups[0].folded && row < kStripe * thread_count()) {
      std::int64_t per_outer = std::max<std::int64_t>(1, points / outer * work);
      parallel_for(outer, std::max<std::int64_t>(1, thread_work() / per_outer),
                   [&](std::int64_t begin, std::int64_t end) {
                     with_runner([&](FoldRunner& runner) { run_outer(runner, begin, end); });
                   });
      return;
    }
    auto part = [&](std::int64_t begin, std::int64_t end) {
      with_runner([&](FoldRunner& runner) {
        fold_columns(runner, {begin, end}, groups.size(), {0, 0});
      });
    };
    std::int64_t per_stripe = std::max<std::int64_t>(1, points / row * work * kStripe);
    std::int64_t stripes = (row + kStripe - 1) / kStripe;
    std::int64_t grain = std::max<std::int64_t>(worth_a_thread(4), thread_work() / per_stripe);
    parallel_for(stripes, alone ? stripes : grain, [&](std::int64_t begin, std::int64_t end) {
      part(begin * kStripe, std::min(end * kStripe, row));
    });
  }

  const Folding& folding_;
  const LoopMemory& memory_;
  std::shared_ptr<const Rendering> rendering_;
  SharedConditions all_;
  std::vector<std::pair<std::int64_t, std::int64_t>> leaves_;  // first number, count
};

class FoldStage : public Stage {
 public:
  FoldStage(const BoundLoop& bound, const StageRules& rules)
      : folding_(*bound.loop, bound.memory),
        run_(folding_, bound.memory, rules.stores),
        per_row_(folding_.groups[0].extent / rules.rows),
        may_stop_(rules.may_stop) {}

  std::unique_ptr<Part> part(std::int64_t) override { return std::make_unique<Rows>(*this); }
  StepConditions conditions() override { return run_.take_conditions(); }

 private:
  class Rows : public Part {
   public:
    explicit Rows(FoldStage& stage) : stage_(stage), runner_(stage.run_.make_runner()) {
      runner_->set_may_stop(stage.may_stop_);
    }
    void run(std::int64_t begin, std::int64_t end) override {
      clear_floating_errors();
      stage_.run_.run_outer(*runner_, begin * stage_.per_row_, end * stage_.per_row_);
    }
    void finish() override { stage_.run_.add(*runner_); }

   private:
    FoldStage& stage_;
    std::unique_ptr<FoldRunner> runner_;
  };

  Folding folding_;
  FoldRun run_;
  std::int64_t per_row_;  // positions of the outermost kept axes
  bool may_stop_;
};

}  // namespace

StepConditions run_fold(const FusedLoop& loop, const LoopMemory& memory) {
  Folding folding(loop, memory);
  return FoldRun(folding, memory, Stores::kUsual).run();
}

std::unique_ptr<Stage> make_fold_stage(const BoundLoop& bound, const StageRules& rules) {
  return std::make_unique<FoldStage>(bound, rules);
}

}  // namespace strider::nd
