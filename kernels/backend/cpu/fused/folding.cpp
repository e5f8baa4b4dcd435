// The order of combinations is that of the same fold over elements in memory, so that the bits are
// the same.
#include "kernels/backend/cpu/fused/folding.h"

#include "kernels/core/copy.h"
#include "kernels/core/node.h"

namespace strider::nd {
namespace {

std::vector<AxisGroup> group_axes(const FusedLoop& loop) {
  std::vector<AxisGroup> groups;
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

FindKernel find_kernel_of(const LoopFold& fold) {
  int type = static_cast<int>(fold.type);
  return fold.op == Op::kMaximum ? kernels().find_maximum[type] : kernels().find_minimum[type];
}

// What is folded, if it is just what lies in memory; else null.
const std::byte* find_elements(const FusedLoop& loop, const LoopMemory& memory) {
  std::size_t value = loop.folds[0].value;
  bool plain = loop.outputs.empty() && value < loop.inputs.size() && loop.folds[0].chunk == 0 &&
               loop.folds[0].kind != LoopFold::Kind::kScan &&
               loop.inputs[value].kind == LoopInput::Kind::kMemory && !renderer_is_forced();
  if (!plain) return nullptr;
  const LoopInput& input = loop.inputs[value];
  if (!is_dense(loop.extents, input.strides, item_size(input.dtype), false)) return nullptr;
  return memory.inputs[value];
}

bool is_extreme(Op op) {
  return op == Op::kMaximum || op == Op::kMinimum || op == Op::kFmax || op == Op::kFmin;
}

}  // namespace

Folding::Folding(const FusedLoop& fused, const LoopMemory& memory)
    : loop(fused),
      fold(fused.folds[0]),
      groups(group_axes(fused)),
      kernel(kernels().folds[static_cast<int>(fold.op)][static_cast<int>(fold.type)]),
      row_kernel(kernels().row_folds[static_cast<int>(fold.op)][static_cast<int>(fold.type)]),
      combine(find_kernel(fold.op, fold.type)),
      size(item_size(fold.type)),
      ordered(fold.op == Op::kAdd && is_inexact(fold.type)),
      widens(fold.op == Op::kAdd && fold.type == DType::kFloat16),
      repeats(is_extreme(fold.op)),
      parts(is_complex(fold.type) ? 2 : 1),
      find(find_kernel_of(fold)),
      scan(kernels().scans[static_cast<int>(fold.op)][static_cast<int>(fold.type)]),
      result_size(item_size(fold.result())),
      results(memory.outputs.back()),
      direct(find_elements(fused, memory)) {}

void Folding::join_sums(Value& low, const Value& high) const {
  const std::byte* inputs[2] = {low.bytes, high.bytes};
  std::byte* outputs[1] = {low.bytes};
  find_kernel(Op::kAdd, sum_type())(inputs, outputs, 1);
}

void Folding::add_sum(std::byte* result, const Value& sum) const {
  if (!widens) return join(result, sum.bytes, result, 1);
  Value total;
  constexpr std::int64_t kHalf = 2, kFloat = 4;  // bytes; dense loops note what rounding raises
  cast_loop(DType::kFloat16, DType::kFloat32)(result, kHalf, total.bytes, kFloat, 1);
  join_sums(total, sum);
  cast_loop(DType::kFloat32, DType::kFloat16)(total.bytes, kFloat, result, kHalf, 1);
}

void FoldRunner::fold_rows(std::int64_t first_point, std::int64_t rows, std::byte* result,
                           bool fresh) {
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

void FoldRunner::fold_long_row(std::int64_t point, std::byte* accumulator, bool fresh) {
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
    folding_.add_sum(accumulator, sum);
    settle();
  }
}

Value FoldRunner::add_pairs(std::int64_t point, std::int64_t count) {
  if (count <= limit_) {
    Value sum = folding_.nothing();
    compute(point, count / folding_.parts);
    add_elements(count / folding_.parts, sum.bytes);
    settle();
    return sum;
  }
  std::int64_t half = Folding::first_half(count);
  Value low = add_pairs(point, half);
  Value high = add_pairs(point + half / folding_.parts, count - half);
  folding_.join_sums(low, high);
  return low;
}

Value FoldRunner::fold_piece(std::int64_t point, std::int64_t count) {
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

void FoldRunner::join_columns(std::int64_t point, std::int64_t count, std::byte* accumulator,
                              bool fresh) {
  compute(point, count);
  if (fresh && folding_.fold.from_first) {
    std::memcpy(accumulator, elements_, static_cast<std::size_t>(count * folding_.size));
  } else {
    if (fresh) fill_start(count, accumulator);
    folding_.join(accumulator, elements_, accumulator, count);
  }
  settle();
}

void FoldRunner::join_rows(std::int64_t point, std::int64_t rows, std::byte* accumulator,
                           bool fresh) {
  std::int64_t row = folding_.row(), together = limit_ / row;
  if (fresh && !folding_.fold.from_first) fill_start(row, accumulator);
  bool copies = fresh && folding_.fold.from_first;
  for (std::int64_t done = 0; done < rows; done += together) {
    std::int64_t part = std::min(together, rows - done);
    compute(point + done * row, part * row);
    const std::byte* elements = elements_;
    for (std::int64_t i = 0; i < part; ++i, elements += row * folding_.size) {
      if (copies && done + i == 0)
        std::memcpy(accumulator, elements, static_cast<std::size_t>(row * folding_.size));
      else
        folding_.join(accumulator, elements, accumulator, row);
    }
    settle();
  }
}

void FoldRunner::fold_short_rows(std::int64_t point, std::int64_t rows, std::byte* results,
                                 bool fresh) {
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

void FoldRunner::begin_rows(std::int64_t rows, std::byte* results) {
  if (!folding_.fold.from_first) return fill_start(rows, results);
  auto size = static_cast<std::size_t>(folding_.size);
  std::int64_t step = folding_.row() * folding_.size;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::memcpy(results + i * folding_.size, elements_ + i * step, size);
  }
}

void FoldRunner::fill_start(std::int64_t count, std::byte* results) {
  CastLoop copy =
      kernels().casts[static_cast<int>(folding_.fold.type)][static_cast<int>(folding_.fold.type)];
  copy(static_cast<const std::byte*>(folding_.fold.start.data()), 0, results, folding_.size, count);
}

void FoldRunner::scan_row(std::int64_t point, std::int64_t row) {
  for (std::int64_t i = 0; i < row; i += limit_) {
    std::int64_t part = std::min(limit_, row - i);
    std::byte* output = folding_.results + (point + i) * folding_.size;
    compute(point + i, part);
    if (i > 0) folding_.join(output - folding_.size, batch_.get(), batch_.get(), 1);
    scan_into(elements_, output, part);
    settle();
  }
}

void FoldRunner::find_in_row(std::int64_t point, std::int64_t row, std::byte* result) {
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

void FoldRunner::compute(std::int64_t point, std::int64_t count) {
  if (folding_.direct) {
    elements_ = folding_.direct + point * folding_.size;
  } else {
    for (std::size_t i = 0; i + 1 < targets_.size(); ++i) {
      targets_[i] = memory_.outputs[i] + point * item_size(folding_.loop.outputs[i].dtype);
    }
    runner_.compute(point, count, targets_.data());
  }
  since_ += count;
  if (!may_stop_ || since_ < interrupt_span_) return;
  since_ = 0;
  check_interrupt();
}

void FoldRunner::add_elements(std::int64_t count, std::byte* sum) {
  if (!folding_.widens) return folding_.kernel(elements_, folding_.size, count, sum);
  widened_.resize(static_cast<std::size_t>(limit_));
  auto* floats = reinterpret_cast<std::byte*>(widened_.data());
  constexpr int kFloat = sizeof(float);
  cast_loop(DType::kFloat16, DType::kFloat32)(elements_, folding_.size, floats, kFloat, count);
  kernels().folds[static_cast<int>(Op::kAdd)][static_cast<int>(DType::kFloat32)](floats, kFloat,
                                                                                 count, sum);
}

void FoldRunner::fold_batch(std::int64_t first, std::int64_t count, std::byte* accumulator,
                            bool fresh) {
  const std::byte* start = elements_ + first * folding_.size;
  if (fresh) {
    std::memcpy(accumulator, start, static_cast<std::size_t>(folding_.size));
    start += folding_.size;
    --count;
  }
  folding_.kernel(start, folding_.size, count, accumulator);
}

}  // namespace strider::nd
