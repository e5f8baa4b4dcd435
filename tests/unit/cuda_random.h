// Random loops with operands of every layout: permuted, reversed, gapped, repeated and shifted
// axes.
#pragma once

#include <algorithm>
#include <numeric>

#include "tests/unit/cuda_check.h"

namespace strider::nd::cuda {

class RandomTrial {
 public:
  // `elementary`: whether functions may occur whose bits differ from machine to machine.
  RandomTrial(std::uint64_t seed, bool elementary) : random_(seed), elementary_(elementary) {}

  // Outputs only.
  Trial map() {
    if (pick(4) == 0) {  // planes that tiles are worth
      for (std::size_t i = 0; i < 2 + pick(2); ++i) {
        trial_.loop.extents.push_back(static_cast<std::int64_t>(16 + pick(60)));
      }
    } else {
      choose_extents(1 + pick(4), 2000);
    }
    fill();
    std::size_t outputs = 1 + pick(3);
    for (std::size_t i = 0; i < outputs; ++i) add_output(any_value(), pick(3) == 0);
    trial_.watched = pick(2) == 0;
    return std::move(trial_);
  }

  // One fold over some axes, now and then with an output beside it.
  Trial fold(LoopFold::Kind kind) {
    choose_extents(1 + pick(4), pick(4) == 0 ? 20000 : 3000);
    fill();
    LoopFold fold;
    fold.kind = kind;
    fold.value = any_value();
    fold.type = trial_.loop.type_of(fold.value);
    int rank = trial_.loop.extents.size();
    int folded = kind == LoopFold::Kind::kFold ? 0 : 1 + static_cast<int>(pick(rank));
    fold.axes = folded ? ((std::uint64_t{1} << folded) - 1) << (rank - folded)
                       : 1 + pick((std::size_t{1} << rank) - 1);
    choose_operation(fold);
    if (fold.op == Op::kAdd && is_inexact(fold.type) && pick(3) == 0) {
      fold.chunk = pick(2) ? 8192 : 300;
    }
    if (kind == LoopFold::Kind::kFold) {
      fold.from_first = fold.op != Op::kAdd && fold.op != Op::kMultiply && pick(2);
      fold.start = Scalar(static_cast<double>(pick(3))).as(fold.type);
    }
    if (pick(3) == 0) add_output(any_value(), false);
    std::int64_t results = 1;
    for (int axis = 0; axis < rank; ++axis) {
      bool gone = kind != LoopFold::Kind::kScan && (fold.axes >> axis & 1);
      if (!gone) results *= trial_.loop.extents[axis];
    }
    trial_.buffers.emplace_back(static_cast<std::size_t>(results * item_size(fold.result())));
    trial_.offsets.push_back(0);
    trial_.loop.folds.push_back(fold);
    bool rounds = fold.op == Op::kAdd && is_inexact(fold.type);
    trial_.loose = rounds && (fold.kind == LoopFold::Kind::kScan || ends_kept(fold.axes));
    trial_.watched = pick(3) == 0;
    return std::move(trial_);
  }

 private:
  // Whether neighbouring points belong to different results.
  bool ends_kept(std::uint64_t axes) const {
    for (int axis = trial_.loop.extents.size() - 1; axis >= 0; --axis) {
      if (trial_.loop.extents[axis] > 1) return !(axes >> axis & 1);
    }
    return false;
  }
  std::size_t pick(std::size_t count) { return random_() % count; }
  DType any_type() { return kEveryDType[pick(kDTypeCount)]; }

  void choose_extents(std::size_t rank, std::int64_t most) {
    std::int64_t points = 1;
    Dims& extents = trial_.loop.extents;
    for (std::size_t i = 0; i < rank; ++i) {
      std::int64_t room = std::max<std::int64_t>(1, most / points);
      std::int64_t extent = pick(8) == 0 ? 1 : 1 + static_cast<std::int64_t>(pick(room));
      if (i + 1 < rank && pick(3)) extent = 1 + extent % 17;
      extents.push_back(extent);
      points *= extent;
    }
    for (int i = extents.size() - 1; i > 0; --i) {
      std::swap(extents[i], extents[static_cast<int>(pick(static_cast<std::size_t>(i) + 1))]);
    }
  }

  void fill() {
    main_ = any_type();
    std::size_t inputs = 1 + pick(4), steps = 1 + pick(9);
    for (std::size_t i = 0; i < inputs; ++i) add_input();
    for (std::size_t i = 0; i < steps; ++i) add_step();
  }

  // Strides of an array whose elements lie apart, and the bytes it spans.
  Dims lay_out(std::int64_t size, bool odd, bool may_repeat, std::int64_t& offset,
               std::int64_t& bytes) {
    const Dims& extents = trial_.loop.extents;
    int rank = extents.size();
    std::vector<int> order(static_cast<std::size_t>(rank));
    std::iota(order.begin(), order.end(), 0);
    if (odd && pick(2)) std::shuffle(order.begin(), order.end(), random_);
    Dims strides(rank, 0);
    std::int64_t step = size * (odd && pick(3) == 0 ? 2 : 1);
    offset = pick(3) ? 0 : size * static_cast<std::int64_t>(pick(4));
    bytes = size;
    for (std::size_t i = order.size(); i-- > 0;) {
      int axis = order[i];
      if (may_repeat && odd && pick(4) == 0) continue;
      std::int64_t span = step * (extents[axis] - 1);
      strides[axis] = step;
      bytes += span;
      if (odd && pick(4) == 0) {
        strides[axis] = -step;
        offset += span;
      }
      step *= extents[axis] + (odd && pick(4) == 0 ? 1 : 0);
    }
    bytes = std::max(bytes, step) + 4 * size;
    return strides;
  }

  void add_input() {
    LoopInput input;
    input.dtype = pick(3) ? main_ : any_type();
    std::size_t kind = pick(8);
    if (kind == 0) {
      input.kind = LoopInput::Kind::kRange;
      input.dtype = DType::kInt64;
      input.first = static_cast<std::int64_t>(pick(100)) - 50;
      for (int axis = 0; axis < trial_.loop.extents.size(); ++axis) {
        input.strides.push_back(static_cast<std::int64_t>(pick(9)) - 4);
      }
      trial_.buffers.emplace_back(16);
      trial_.offsets.push_back(0);
    } else {
      std::int64_t offset = 0, bytes = 16;
      if (kind == 1) {
        input.kind = LoopInput::Kind::kScalar;
        input.strides.resize(trial_.loop.extents.size());
      } else {
        input.strides = lay_out(item_size(input.dtype), pick(2), true, offset, bytes);
      }
      trial_.buffers.push_back(
          make_values(input.dtype, bytes / item_size(input.dtype) + 1, random_, pick(2)));
      trial_.offsets.push_back(offset);
    }
    trial_.loop.inputs.push_back(input);
  }

  void add_output(std::uint16_t value, bool odd) {
    DType dtype = trial_.loop.type_of(value);
    std::int64_t offset = 0, bytes = 0;
    Dims strides = lay_out(item_size(dtype), odd, false, offset, bytes);
    trial_.loop.outputs.push_back({value, dtype, strides});
    trial_.buffers.emplace_back(static_cast<std::size_t>(bytes));
    trial_.offsets.push_back(offset);
  }

  std::uint16_t any_value() {
    std::size_t count = trial_.loop.inputs.size() + trial_.loop.steps.size();
    return static_cast<std::uint16_t>(count - 1 - pick(std::min<std::size_t>(count, 5)));
  }
  std::uint16_t value_of(DType dtype) {
    std::size_t count = trial_.loop.inputs.size() + trial_.loop.steps.size();
    std::vector<std::uint16_t> fitting;
    for (std::size_t i = 0; i < count; ++i) {
      auto value = static_cast<std::uint16_t>(i);
      if (trial_.loop.type_of(value) == dtype) fitting.push_back(value);
    }
    if (!fitting.empty()) return fitting[pick(fitting.size())];
    std::uint16_t from = any_value();
    trial_.loop.steps.push_back(conversion(from, trial_.loop.type_of(from), dtype));
    return static_cast<std::uint16_t>(count);
  }

  bool is_exact(const OpFacts& op, DType dtype) const {
    bool length = is_complex(dtype) && (op.op == Op::kSign || op.op == Op::kSqrt);
    bool sign = op.op == Op::kSignbit || op.op == Op::kCopysign;  // of a NaN it may differ
    bool integer = !is_inexact(dtype);
    bool function = op.conditions == Conditions::kDerived;
    return !sign && !length && (integer || !function);
  }

  void add_step() {
    std::uint16_t first = any_value();
    DType dtype = trial_.loop.type_of(first);
    if (pick(5) == 0) {
      DType to = any_type();
      if (to == dtype) return;
      Step step = conversion(first, dtype, to);
      bool tells = !is_complex(dtype) || to != DType::kFloat16;  // as NumPy does, unlike the CPU
      step.watched = pick(2) && tells ? kEveryCondition : 0;
      return trial_.loop.steps.push_back(step);
    }
    if (pick(8) == 0) {
      Step step;
      step.kind = Step::Kind::kSelect;
      step.count = 3;
      step.types[0] = DType::kBool;
      step.types[1] = step.types[2] = step.result = dtype;
      step.arguments[0] = value_of(DType::kBool);
      step.arguments[1] = first;
      step.arguments[2] = value_of(dtype);
      return trial_.loop.steps.push_back(step);
    }
    std::vector<const OpFacts*> list = operations_of(dtype);
    const OpFacts& op = *list[pick(list.size())];
    if (!elementary_ && !is_exact(op, dtype)) return;
    std::vector<std::uint16_t> arguments{first};
    for (int k = 1; k < op.inputs; ++k) {
      arguments.push_back(value_of(op.op == Op::kLdexp ? DType::kInt64 : dtype));
    }
    Step step = operation(op, dtype, arguments);
    if (op.conditions != Conditions::kNone && pick(2)) step.watched = kEveryCondition;
    trial_.loop.steps.push_back(step);
  }

  void choose_operation(LoopFold& fold) {
    if (fold.kind == LoopFold::Kind::kFind) {
      fold.op = pick(2) ? Op::kMaximum : Op::kMinimum;
      return;
    }
    std::vector<Op> list;
    int type = static_cast<int>(fold.type);
    for (int op = 0; op < kOpCount; ++op) {
      bool has = fold.kind == LoopFold::Kind::kScan ? kernels().scans[op][type] != nullptr
                                                    : kernels().folds[op][type] != nullptr;
      bool rounds = is_inexact(fold.type) && static_cast<Op>(op) == Op::kMultiply;
      if (has && !rounds) list.push_back(static_cast<Op>(op));
    }
    fold.op = list.empty() ? Op::kMaximum : list[pick(list.size())];
    if (pick(2) && kernels().folds[static_cast<int>(Op::kAdd)][type]) fold.op = Op::kAdd;
    if (list.empty()) fold.kind = LoopFold::Kind::kFind;
  }

  std::mt19937_64 random_;
  bool elementary_;
  Trial trial_;
  DType main_ = DType::kFloat64;
};

}  // namespace strider::nd::cuda
