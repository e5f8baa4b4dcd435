// Fused folds: a tile is computed and combined while it is in the first cache. The order of
// combinations is that of the same fold over elements in memory, so that the bits are the same.
#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "kernels/backend/cpu/fused/run.h"

namespace strider::nd {
namespace {

// Elements that are computed before they are combined.
constexpr std::int64_t kBatch = 1024;
// Leaves of a long sum's tree that threads share.
constexpr std::int64_t kLeaf = 1 << 15;

// Neighbouring axes of a loop, all folded or all kept.
struct Group {
  std::int64_t extent = 1;
  bool folded = false;
  std::int64_t step = 0;  // of the results, in elements
};

std::vector<Group> group_axes(const FusedLoop& loop) {
  std::vector<Group> groups;
  for (int axis = 0; axis < loop.extents.size(); ++axis) {
    if (loop.extents[axis] == 1) continue;
    bool folded = loop.folds[0].axes >> axis & 1;
    if (groups.empty() || groups.back().folded != folded) groups.push_back({1, folded, 0});
    groups.back().extent *= loop.extents[axis];
  }
  bool along_rows = loop.folds[0].kind != LoopFold::Kind::kFold;
  if (groups.empty() || (along_rows && !groups.back().folded)) groups.push_back({1, true, 0});
  std::int64_t step = 1;
  for (std::size_t i = groups.size(); i-- > 0;) {
    if (groups[i].folded) continue;
    groups[i].step = step;
    step *= groups[i].extent;
  }
  return groups;
}

struct Value {
  alignas(16) std::byte bytes[16];
};

FindKernel find_kernel_of(const LoopFold& fold) {
  int type = static_cast<int>(fold.type);
  return fold.op == Op::kMaximum ? kernels().find_maximum[type] : kernels().find_minimum[type];
}

// One fold: what its threads share.
struct Folding {
  const FusedLoop& loop;
  const LoopFold& fold;
  std::vector<Group> groups;
  FoldKernel kernel;
  Kernel combine;
  int size;
  bool ordered;
  std::int64_t parts;  // numbers in an element: the tree of a complex sum counts them
  FindKernel find;
  ScanKernel scan;
  int result_size;
  std::byte* results;

  Folding(const FusedLoop& fused, const LoopMemory& memory)
      : loop(fused),
        fold(fused.folds[0]),
        groups(group_axes(fused)),
        kernel(kernels().folds[static_cast<int>(fold.op)][static_cast<int>(fold.type)]),
        combine(find_kernel(fold.op, fold.type)),
        size(item_size(fold.type)),
        ordered(fold.op == Op::kAdd && is_inexact(fold.type)),
        parts(is_complex(fold.type) ? 2 : 1),
        find(find_kernel_of(fold)),
        scan(kernels().scans[static_cast<int>(fold.op)][static_cast<int>(fold.type)]),
        result_size(item_size(fold.result())),
        results(memory.outputs.back()) {}

  bool folds_rows() const { return groups.back().folded; }
  std::int64_t row() const { return groups.back().extent; }
  Value nothing() const {
    Value value;
    Scalar zero = Scalar(std::complex<double>(-0.0, -0.0)).as(fold.type);
    std::memcpy(value.bytes, zero.data(), sizeof value.bytes);
    return value;
  }
  void join(const std::byte* a, const std::byte* b, std::byte* out, std::int64_t count) const {
    const std::byte* inputs[2] = {a, b};
    std::byte* outputs[1] = {out};
    combine(inputs, outputs, count);
  }
  // The first half of a sum of `count` numbers, in whole blocks of eight.
  static std::int64_t first_half(std::int64_t count) { return count / 2 - count / 2 % 8; }
};

// Folds for one thread.
class FoldRunner {
 public:
  FoldRunner(const Folding& folding, const JointAxes& axes, const Rendering& rendering,
             const LoopMemory& memory)
      : folding_(folding),
        memory_(memory),
        conditions_(folding.loop.steps.size() + 1),
        runner_(folding.loop, axes, rendering, memory, conditions_),
        batch_(new std::byte[static_cast<std::size_t>(kBatch * folding.size)]),
        targets_(memory.outputs.size(), batch_.get()) {
    clear_floating_errors();
  }

  // Neighbouring rows; `result` is that of the first.
  void fold_rows(std::int64_t first_point, std::int64_t rows, std::byte* result, bool fresh) {
    std::int64_t row = folding_.row(), together = std::max<std::int64_t>(1, kBatch / row);
    for (std::int64_t done = 0; done < rows; done += together) {
      std::int64_t part = std::min(together, rows - done);
      std::int64_t point = first_point + done * row;
      std::byte* target = result + done * folding_.result_size;
      if (row > kBatch) {
        fold_long_row(point, target, fresh);
        continue;
      }
      compute(point, part * row);
      for (std::int64_t i = 0; i < part; ++i) {
        fold_short_row(i * row, point + i * row, target + i * folding_.result_size, fresh);
      }
      settle();
    }
  }

  // One row longer than a batch.
  void fold_long_row(std::int64_t point, std::byte* accumulator, bool fresh) {
    std::int64_t row = folding_.row();
    if (folding_.fold.kind == LoopFold::Kind::kScan) return scan_row(point, row);
    if (folding_.fold.kind == LoopFold::Kind::kFind) return find_in_row(point, row, accumulator);
    if (!folding_.ordered) {
      for (std::int64_t i = 0; i < row; i += kBatch) {
        std::int64_t part = std::min(kBatch, row - i);
        compute(point + i, part);
        fold_batch(0, part, accumulator, fresh && i == 0);
        settle();
      }
      return;
    }
    std::int64_t chunk = folding_.fold.chunk ? folding_.fold.chunk : row;
    for (std::int64_t i = 0; i < row; i += chunk) {
      Value sum = add_pairs(point + i, std::min(chunk, row - i) * folding_.parts);
      folding_.join(accumulator, sum.bytes, accumulator, 1);
    }
  }

  // The sum of numbers by the tree of pairs; `count` counts the parts of complex elements.
  Value add_pairs(std::int64_t point, std::int64_t count) {
    if (count <= kBatch) {
      Value sum = folding_.nothing();
      compute(point, count / folding_.parts);
      folding_.kernel(batch_.get(), folding_.size, count / folding_.parts, sum.bytes);
      settle();
      return sum;
    }
    std::int64_t half = Folding::first_half(count);
    Value low = add_pairs(point, half);
    Value high = add_pairs(point + half / folding_.parts, count - half);
    folding_.join(low.bytes, high.bytes, low.bytes, 1);
    return low;
  }

  // A piece of a row by itself.
  Value fold_piece(std::int64_t point, std::int64_t count) {
    if (folding_.ordered) return add_pairs(point, count * folding_.parts);
    Value result;
    for (std::int64_t i = 0; i < count; i += kBatch) {
      std::int64_t part = std::min(kBatch, count - i);
      compute(point + i, part);
      fold_batch(0, part, result.bytes, i == 0);
      settle();
    }
    return result;
  }

  // Combines neighbouring points with neighbouring accumulators.
  void join_columns(std::int64_t point, std::int64_t count, std::byte* accumulator, bool fresh) {
    compute(point, count);
    if (fresh) {
      std::memcpy(accumulator, batch_.get(), static_cast<std::size_t>(count * folding_.size));
    } else {
      folding_.join(accumulator, batch_.get(), accumulator, count);
    }
    settle();
  }

  const StepConditions& conditions() const { return conditions_; }

 private:
  // A row within the batch.
  void fold_short_row(std::int64_t first, std::int64_t point, std::byte* result, bool fresh) {
    const std::byte* start = batch_.get() + first * folding_.size;
    std::int64_t row = folding_.row();
    switch (folding_.fold.kind) {
      case LoopFold::Kind::kFold:
        return fold_batch(first, row, result, fresh);
      case LoopFold::Kind::kFind: {
        std::int64_t place = folding_.find(start, row);
        std::memcpy(result, &place, sizeof place);
        return;
      }
      case LoopFold::Kind::kScan:
        scan_into(start, folding_.results + point * folding_.size, row);
    }
  }

  void scan_into(const std::byte* input, std::byte* output, std::int64_t count) {
    folding_.scan(input, folding_.size, output, folding_.size, count);
  }
  // A long row, a batch at a time: the last result before a batch joins its first element.
  void scan_row(std::int64_t point, std::int64_t row) {
    for (std::int64_t i = 0; i < row; i += kBatch) {
      std::int64_t part = std::min(kBatch, row - i);
      std::byte* output = folding_.results + (point + i) * folding_.size;
      compute(point + i, part);
      if (i > 0) folding_.join(output - folding_.size, batch_.get(), batch_.get(), 1);
      scan_into(batch_.get(), output, part);
      settle();
    }
  }

  void find_in_row(std::int64_t point, std::int64_t row, std::byte* result) {
    std::int64_t best = 0;
    auto size = static_cast<std::size_t>(folding_.size);
    alignas(16) std::byte rivals[32];  // the best so far, and the batch's
    for (std::int64_t i = 0; i < row; i += kBatch) {
      std::int64_t part = std::min(kBatch, row - i);
      compute(point + i, part);
      std::int64_t place = folding_.find(batch_.get(), part);
      std::memcpy(rivals + (i ? size : 0), batch_.get() + place * folding_.size, size);
      if (i > 0 && folding_.find(rivals, 2) == 0) continue;
      if (i > 0) std::memcpy(rivals, rivals + size, size);
      best = i + place;
    }
    std::memcpy(result, &best, sizeof best);
  }

  void compute(std::int64_t point, std::int64_t count) {
    for (std::size_t i = 0; i + 1 < targets_.size(); ++i) {
      targets_[i] = memory_.outputs[i] + point * item_size(folding_.loop.outputs[i].dtype);
    }
    runner_.compute(point, count, targets_.data());
    since_ += count;
    if (since_ < (1 << 18)) return;
    since_ = 0;
    check_interrupt();
  }
  void fold_batch(std::int64_t first, std::int64_t count, std::byte* accumulator, bool fresh) {
    const std::byte* start = batch_.get() + first * folding_.size;
    if (fresh) {
      std::memcpy(accumulator, start, static_cast<std::size_t>(folding_.size));
      start += folding_.size;
      --count;
    }
    folding_.kernel(start, folding_.size, count, accumulator);
  }
  // The conditions of the combinations.
  void settle() { conditions_.back() |= take_floating_errors().flags; }

  const Folding& folding_;
  const LoopMemory& memory_;
  StepConditions conditions_;
  SpanRunner runner_;
  std::unique_ptr<std::byte[]> batch_;
  std::vector<std::byte*> targets_;  // of the outputs, then the batch
  std::int64_t since_ = 0;
};

// Visits the steps of all groups but the innermost `skipped` ones, the group `shared` cut to
// [begin, end): calls body(point, accumulator index, whether nothing was folded there before).
template <class Body>
void visit(const std::vector<Group>& groups, std::size_t outer, std::size_t shared,
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
  FoldRun(const Folding& folding, const LoopMemory& memory)
      : folding_(folding),
        memory_(memory),
        axes_(folding.loop),
        rendering_(folding.loop, axes_),
        all_(folding.loop.steps.size() + 1) {}

  StepConditions run() {
    std::int64_t points = folding_.loop.point_count(), work = work_per_point(folding_.loop) + 1;
    bool alone = points * work < 2 * kThreadWork || thread_count() == 1;
    if (folding_.folds_rows()) {
      run_rows(alone, work);
    } else {
      run_columns(alone, work);
    }
    clear_floating_errors();
    return all_;
  }

 private:
  template <class Body>
  void with_runner(Body&& body) {
    FoldRunner runner(folding_, axes_, rendering_, memory_);
    body(runner);
    std::lock_guard<std::mutex> guard(lock_);
    add_conditions(runner.conditions(), all_);
  }
  std::byte* result(std::int64_t index) const {
    return folding_.results + index * folding_.result_size;
  }

  // [… kept folded]: rows next to each other.
  void run_rows(bool alone, std::int64_t work) {
    const std::vector<Group>& groups = folding_.groups;
    std::int64_t row = folding_.row();
    if (groups.size() == 1) return run_single_row(alone);
    std::size_t shared = groups.size() - 2;
    std::int64_t rows = groups[shared].extent;
    auto part = [&](std::int64_t begin, std::int64_t end) {
      with_runner([&](FoldRunner& runner) {
        visit(groups, shared, shared, 0, 1, row * rows,
              [&](std::int64_t point, std::int64_t place, bool fresh) {
                runner.fold_rows(point + begin * row, end - begin, result(place + begin),
                                 fresh && folding_.fold.from_first);
              });
      });
    };
    std::int64_t per_row = std::max<std::int64_t>(1, row * work);
    std::int64_t grain = std::max<std::int64_t>(1, kThreadWork / per_row);
    parallel_for(rows, alone ? rows : grain, part);
  }

  void run_single_row(bool alone) {
    std::int64_t row = folding_.row();
    if (alone || !splits() || folding_.fold.kind != LoopFold::Kind::kFold) {
      with_runner([&](FoldRunner& runner) {
        runner.fold_rows(0, 1, folding_.results, folding_.fold.from_first);
      });
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
    Value total = join_tree(count, sums, next);
    folding_.join(folding_.results, total.bytes, folding_.results, 1);
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
    folding_.join(low.bytes, high.bytes, low.bytes, 1);
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
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (i == 0 && folding_.fold.from_first) {
        std::memcpy(folding_.results, results[0].bytes, static_cast<std::size_t>(folding_.size));
      } else {
        folding_.join(folding_.results, results[i].bytes, folding_.results, 1);
      }
    }
  }

  // [… folded kept]: columns next to each other, a batch of them at a time.
  void run_columns(bool alone, std::int64_t work) {
    const std::vector<Group>& groups = folding_.groups;
    std::int64_t row = folding_.row(), points = folding_.loop.point_count();
    auto part = [&](std::int64_t begin, std::int64_t end) {
      with_runner([&](FoldRunner& runner) {
        for (std::int64_t column = begin; column < end; column += kBatch) {
          std::int64_t count = std::min(kBatch, end - column);
          visit(groups, groups.size() - 1, groups.size(), 0, 0, row,
                [&](std::int64_t point, std::int64_t place, bool fresh) {
                  runner.join_columns(point + column, count, result(place + column),
                                      fresh && folding_.fold.from_first);
                });
        }
      });
    };
    std::int64_t per_column = std::max<std::int64_t>(1, points / row * work);
    std::int64_t grain = std::max<std::int64_t>(64, kThreadWork / per_column);
    parallel_for(row, alone ? row : grain, part);
  }

  const Folding& folding_;
  const LoopMemory& memory_;
  JointAxes axes_;
  Rendering rendering_;
  StepConditions all_;
  std::mutex lock_;
  std::vector<std::pair<std::int64_t, std::int64_t>> leaves_;  // first number, count
};

}  // namespace

StepConditions run_fold(const FusedLoop& loop, const LoopMemory& memory) {
  Folding folding(loop, memory);
  return FoldRun(folding, memory).run();
}

}  // namespace strider::nd
