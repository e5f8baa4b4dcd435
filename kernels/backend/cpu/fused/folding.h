// Folding: what the threads of one fused fold share, and the work of one of them: a batch of
// elements is computed and combined while it is in the first cache.
#pragma once

#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/backend/cpu/fused/run.h"

namespace strider::nd {

// Elements that are computed before they are combined.
inline constexpr std::int64_t kBatch = 1024;
// Elements that are combined where they lie between two looks for an interrupt.
inline constexpr std::int64_t kLongBatch = 1 << 14;

// Neighbouring axes of a loop, all folded or all kept.
struct AxisGroup {
  std::int64_t extent = 1;
  bool folded = false;
  std::int64_t step = 0;  // of the results, in elements
};

struct Value {
  alignas(16) std::byte bytes[16];
};

// One fold: what its threads share.
struct Folding {
  const FusedLoop& loop;
  const LoopFold& fold;
  std::vector<AxisGroup> groups;
  FoldKernel kernel;
  RowFoldKernel row_kernel;
  Kernel combine;
  int size;
  bool ordered;
  bool repeats;  // combining an element twice changes nothing
  std::int64_t parts;  // numbers in an element: the tree of a complex sum counts them
  FindKernel find;
  ScanKernel scan;
  int result_size;
  std::byte* results;
  const std::byte* direct;  // the elements where they lie in memory, one behind the other

  Folding(const FusedLoop& fused, const LoopMemory& memory);

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
        limit_(folding.direct ? kLongBatch : kBatch) {
    if (!folding.direct) {
      batch_.reset(new std::byte[static_cast<std::size_t>(kBatch * folding.size)]);
      targets_.assign(memory.outputs.size(), batch_.get());
    }
    elements_ = batch_.get();
    clear_floating_errors();
  }

  // Neighbouring rows; `result` is that of the first.
  void fold_rows(std::int64_t first_point, std::int64_t rows, std::byte* result, bool fresh) {
    std::int64_t row = folding_.row(), together = std::max<std::int64_t>(1, limit_ / row);
    for (std::int64_t done = 0; done < rows; done += together) {
      std::int64_t part = std::min(together, rows - done);
      std::int64_t point = first_point + done * row;
      std::byte* target = result + done * folding_.result_size;
      if (row > limit_) {
        fold_long_row(point, target, fresh);
        continue;
      }
      compute(point, part * row);
      fold_short_rows(point, part, target, fresh);
      settle();
    }
  }

  // One row longer than a batch.
  void fold_long_row(std::int64_t point, std::byte* accumulator, bool fresh) {
    std::int64_t row = folding_.row();
    if (folding_.fold.kind == LoopFold::Kind::kScan) return scan_row(point, row);
    if (folding_.fold.kind == LoopFold::Kind::kFind) return find_in_row(point, row, accumulator);
    if (fresh && !folding_.fold.from_first) fill_start(1, accumulator);
    fresh &= folding_.fold.from_first;
    if (!folding_.ordered) {
      for (std::int64_t i = 0; i < row; i += limit_) {
        std::int64_t part = std::min(limit_, row - i);
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
    if (count <= limit_) {
      Value sum = folding_.nothing();
      compute(point, count / folding_.parts);
      folding_.kernel(elements_, folding_.size, count / folding_.parts, sum.bytes);
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
    for (std::int64_t i = 0; i < count; i += limit_) {
      std::int64_t part = std::min(limit_, count - i);
      compute(point + i, part);
      fold_batch(0, part, result.bytes, i == 0);
      settle();
    }
    return result;
  }

  // Combines neighbouring points with neighbouring accumulators.
  void join_columns(std::int64_t point, std::int64_t count, std::byte* accumulator, bool fresh) {
    compute(point, count);
    if (fresh && folding_.fold.from_first) {
      std::memcpy(accumulator, elements_, static_cast<std::size_t>(count * folding_.size));
    } else {
      if (fresh) fill_start(count, accumulator);
      folding_.join(accumulator, elements_, accumulator, count);
    }
    settle();
  }

  const StepConditions& conditions() const { return conditions_; }
  // Whether an interrupt may end the work early.
  void set_may_stop(bool may_stop) { may_stop_ = may_stop; }

 private:
  // Rows within the batch.
  void fold_short_rows(std::int64_t point, std::int64_t rows, std::byte* results, bool fresh) {
    std::int64_t row = folding_.row();
    const std::byte* start = elements_;
    switch (folding_.fold.kind) {
      case LoopFold::Kind::kFold:
        if (fresh && folding_.fold.from_first && !folding_.repeats) {
          for (std::int64_t i = 0; i < rows; ++i) {
            fold_batch(i * row, row, results + i * folding_.size, true);
          }
          return;
        }
        if (fresh) begin_rows(rows, results);
        return folding_.row_kernel(start, row, rows, results);
      case LoopFold::Kind::kFind:
        for (std::int64_t i = 0; i < rows; ++i) {
          std::int64_t place = folding_.find(start + i * row * folding_.size, row);
          std::memcpy(results + i * folding_.result_size, &place, sizeof place);
        }
        return;
      case LoopFold::Kind::kScan:
        for (std::int64_t i = 0; i < rows; ++i) {
          scan_into(start + i * row * folding_.size,
                    folding_.results + (point + i * row) * folding_.size, row);
        }
    }
  }

  // What the accumulators of rows within the batch start as.
  void begin_rows(std::int64_t rows, std::byte* results) {
    if (!folding_.fold.from_first) return fill_start(rows, results);
    auto size = static_cast<std::size_t>(folding_.size);
    std::int64_t step = folding_.row() * folding_.size;
    for (std::int64_t i = 0; i < rows; ++i) {
      std::memcpy(results + i * folding_.size, elements_ + i * step, size);
    }
  }
  void fill_start(std::int64_t count, std::byte* results) {
    CastLoop copy = kernels().casts[static_cast<int>(folding_.fold.type)]
                                   [static_cast<int>(folding_.fold.type)];
    copy(static_cast<const std::byte*>(folding_.fold.start.data()), 0, results, folding_.size,
         count);
  }

  void scan_into(const std::byte* input, std::byte* output, std::int64_t count) {
    folding_.scan(input, folding_.size, output, folding_.size, count);
  }
  // A long row, a batch at a time: the last result before a batch joins its first element.
  void scan_row(std::int64_t point, std::int64_t row) {
    for (std::int64_t i = 0; i < row; i += limit_) {
      std::int64_t part = std::min(limit_, row - i);
      std::byte* output = folding_.results + (point + i) * folding_.size;
      compute(point + i, part);
      if (i > 0) folding_.join(output - folding_.size, batch_.get(), batch_.get(), 1);
      scan_into(elements_, output, part);
      settle();
    }
  }

  void find_in_row(std::int64_t point, std::int64_t row, std::byte* result) {
    std::int64_t best = 0;
    auto size = static_cast<std::size_t>(folding_.size);
    alignas(16) std::byte rivals[32];  // the best so far, and the batch's
    for (std::int64_t i = 0; i < row; i += limit_) {
      std::int64_t part = std::min(limit_, row - i);
      compute(point + i, part);
      std::int64_t place = folding_.find(elements_, part);
      std::memcpy(rivals + (i ? size : 0), elements_ + place * folding_.size, size);
      if (i > 0 && folding_.find(rivals, 2) == 0) continue;
      if (i > 0) std::memcpy(rivals, rivals + size, size);
      best = i + place;
    }
    std::memcpy(result, &best, sizeof best);
  }

  void compute(std::int64_t point, std::int64_t count) {
    if (folding_.direct) {
      elements_ = folding_.direct + point * folding_.size;
    } else {
      for (std::size_t i = 0; i + 1 < targets_.size(); ++i) {
        targets_[i] = memory_.outputs[i] + point * item_size(folding_.loop.outputs[i].dtype);
      }
      runner_.compute(point, count, targets_.data());
    }
    since_ += count;
    if (!may_stop_ || since_ < (1 << 18)) return;
    since_ = 0;
    check_interrupt();
  }
  void fold_batch(std::int64_t first, std::int64_t count, std::byte* accumulator, bool fresh) {
    const std::byte* start = elements_ + first * folding_.size;
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
  std::int64_t limit_;  // elements at a time
  std::unique_ptr<std::byte[]> batch_;
  const std::byte* elements_;        // those that were computed last
  std::vector<std::byte*> targets_;  // of the outputs, then the batch
  std::int64_t since_ = 0;
  bool may_stop_ = true;
};

}  // namespace strider::nd
