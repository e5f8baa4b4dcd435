// Folding: what the threads of one fused fold share, and the work of one of them: a batch of
// elements is computed and combined while it is in the first cache.
#pragma once

#include <strider/nd/floating_errors.h>
#include <strider/nd/interrupt.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/backend/cpu/fused/line_buffer.h"
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
  bool widens;         // sums of halves are sums of floats until a row ends
  bool repeats;        // combining an element twice changes nothing
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
    Scalar zero = Scalar(std::complex<double>(-0.0, -0.0)).as(sum_type());
    std::memcpy(value.bytes, zero.data(), sizeof value.bytes);
    return value;
  }
  void join(const std::byte* a, const std::byte* b, std::byte* out, std::int64_t count) const {
    const std::byte* inputs[2] = {a, b};
    std::byte* outputs[1] = {out};
    combine(inputs, outputs, count);
  }
  DType sum_type() const { return widens ? DType::kFloat32 : fold.type; }
  // Combines what add_pairs() found, and combines that with a result.
  void join_sums(Value& low, const Value& high) const;
  void add_sum(std::byte* result, const Value& sum) const;
  // The first half of a sum of `count` numbers, in whole blocks of eight.
  static std::int64_t first_half(std::int64_t count) { return count / 2 - count / 2 % 8; }
};

// Folds for one thread.
class FoldRunner {
 public:
  FoldRunner(const Folding& folding, const Rendering& rendering, const LoopMemory& memory)
      : folding_(folding),
        memory_(memory),
        conditions_(folding.loop.steps.size() + 1),
        runner_(folding.loop, rendering, memory, conditions_),
        limit_(folding.direct ? kLongBatch : kBatch),
        interrupt_span_(interrupt_span(folding.loop)) {
    if (!folding.direct) {
      batch_ = make_line_buffer(static_cast<std::size_t>(kBatch * folding.size));
      targets_.assign(memory.outputs.size(), batch_.get());
    }
    elements_ = batch_.get();
    clear_floating_errors();
  }

  // Neighbouring rows; `result` is that of the first.
  void fold_rows(std::int64_t first_point, std::int64_t rows, std::byte* result, bool fresh);

  // One row longer than a batch.
  void fold_long_row(std::int64_t point, std::byte* accumulator, bool fresh);

  // The sum of numbers by the tree of pairs; `count` counts the parts of complex elements.
  Value add_pairs(std::int64_t point, std::int64_t count);

  // A piece of a row by itself.
  Value fold_piece(std::int64_t point, std::int64_t count);

  // Combines neighbouring points with neighbouring accumulators.
  void join_columns(std::int64_t point, std::int64_t count, std::byte* accumulator, bool fresh);

  // The same for neighbouring rows of points, one after the other with the same accumulators.
  void join_rows(std::int64_t point, std::int64_t rows, std::byte* accumulator, bool fresh);

  const StepConditions& conditions() const { return conditions_; }
  // Whether an interrupt may end the work early.
  void set_may_stop(bool may_stop) { may_stop_ = may_stop; }

 private:
  // Rows within the batch.
  void fold_short_rows(std::int64_t point, std::int64_t rows, std::byte* results, bool fresh);

  // What the accumulators of rows within the batch start as.
  void begin_rows(std::int64_t rows, std::byte* results);
  void fill_start(std::int64_t count, std::byte* results);

  void scan_into(const std::byte* input, std::byte* output, std::int64_t count) {
    folding_.scan(input, folding_.size, output, folding_.size, count);
  }
  // A long row, a batch at a time: the last result before a batch joins its first element.
  void scan_row(std::int64_t point, std::int64_t row);

  void find_in_row(std::int64_t point, std::int64_t row, std::byte* result);

  void compute(std::int64_t point, std::int64_t count);
  // The sum of the elements that were computed last.
  void add_elements(std::int64_t count, std::byte* sum);
  void fold_batch(std::int64_t first, std::int64_t count, std::byte* accumulator, bool fresh);
  // The conditions of the combinations.
  void settle() { conditions_.back() |= take_floating_errors().flags; }

  const Folding& folding_;
  const LoopMemory& memory_;
  StepConditions conditions_;
  SpanRunner runner_;
  std::int64_t limit_;  // elements at a time
  std::int64_t interrupt_span_;
  LineBuffer batch_;
  const std::byte* elements_;        // those that were computed last
  std::vector<float> widened_;       // the same, where they are halves to be added
  std::vector<std::byte*> targets_;  // of the outputs, then the batch
  std::int64_t since_ = 0;
  bool may_stop_ = true;
};

}  // namespace strider::nd
