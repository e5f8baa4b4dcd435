// Loops of the kind that programs are made of, for measuring texts and launches: a map of one
// operation, Black-Scholes, sums, the loops of a softmax.
#pragma once

#include "tests/unit/cuda_loops.h"

namespace strider::nd::cuda {

// Writes a loop as a program would: values are numbers of inputs and steps.
class Workload {
 public:
  Workload(DType dtype, Dims extents) : dtype_(dtype) { loop.extents = std::move(extents); }

  std::uint16_t dense() {
    Dims strides;
    strides.resize(loop.extents.size(), item_size(dtype_));
    for (int axis = strides.size() - 2; axis >= 0; --axis) {
      strides[axis] = strides[axis + 1] * loop.extents[axis + 1];
    }
    return input(strides, LoopInput::Kind::kMemory);
  }
  // One element for each row.
  std::uint16_t still() { return input({item_size(dtype_), 0}, LoopInput::Kind::kMemory); }
  std::uint16_t scalar(double value) {
    Dims strides;
    strides.resize(loop.extents.size(), 0);
    constants.push_back(Scalar(value).as(dtype_));
    return input(strides, LoopInput::Kind::kScalar);
  }
  std::uint16_t step(Op op, std::vector<std::uint16_t> arguments) {
    Step step = operation(facts(op), dtype_, arguments);
    if (facts(op).conditions != Conditions::kNone) step.watched = kEveryCondition;
    return add(step);
  }
  std::uint16_t select(std::uint16_t x, std::uint16_t y, std::uint16_t z) {
    Step step;
    step.kind = Step::Kind::kSelect;
    step.count = 3;
    step.types[0] = DType::kBool;
    step.types[1] = step.types[2] = step.result = dtype_;
    step.arguments[0] = x;
    step.arguments[1] = y;
    step.arguments[2] = z;
    return add(step);
  }
  void write(std::uint16_t value) {
    Dims strides;
    strides.resize(loop.extents.size(), item_size(dtype_));
    for (int axis = strides.size() - 2; axis >= 0; --axis) {
      strides[axis] = strides[axis + 1] * loop.extents[axis + 1];
    }
    loop.outputs.push_back({value, dtype_, strides});
  }
  void fold(Op op, std::uint16_t value, std::uint64_t axes) {
    LoopFold fold;
    fold.op = op;
    fold.type = dtype_;
    fold.value = value;
    fold.axes = axes;
    fold.from_first = op == Op::kMaximum;
    fold.start = Scalar(0.0).as(dtype_);
    loop.folds.push_back(fold);
  }

  FusedLoop loop;
  std::vector<Scalar> constants;  // of the scalar inputs, in order

 private:
  std::uint16_t input(Dims strides, LoopInput::Kind kind) {
    LoopInput input;
    input.kind = kind;
    input.dtype = dtype_;
    input.strides = std::move(strides);
    loop.inputs.push_back(input);
    return static_cast<std::uint16_t>(loop.inputs.size() - 1);
  }
  std::uint16_t add(const Step& step) {
    loop.steps.push_back(step);
    return static_cast<std::uint16_t>(loop.inputs.size() + loop.steps.size() - 1);
  }

  DType dtype_;
};

inline Workload addition(DType dtype, std::int64_t count) {
  Workload work(dtype, {count});
  std::uint16_t x = work.dense(), y = work.dense();
  work.write(work.step(Op::kAdd, {x, y}));
  return work;
}

// The price of a call and of a put, with the normal distribution by a polynomial.
inline Workload black_scholes(DType dtype, std::int64_t count) {
  Workload work(dtype, {count});
  std::uint16_t s = work.dense(), k = work.dense(), t = work.dense();
  std::uint16_t one = work.scalar(1), zero = work.scalar(0), half = work.scalar(-0.5);
  std::uint16_t drift = work.scalar(0.065), rate = work.scalar(-0.02), sigma = work.scalar(0.3);
  std::uint16_t scale = work.scalar(0.3989422804014327), slope = work.scalar(0.2316419);
  std::vector<std::uint16_t> polynomial;
  for (double c : {1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153}) {
    polynomial.push_back(work.scalar(c));
  }
  auto normal = [&](std::uint16_t d) {
    std::uint16_t above = work.step(Op::kGreater, {d, zero});
    std::uint16_t e = work.step(Op::kMultiply, {work.step(Op::kMultiply, {half, d}), d});
    std::uint16_t density = work.step(Op::kMultiply, {scale, work.step(Op::kExp, {e})});
    std::uint16_t far = work.step(Op::kMultiply, {slope, work.step(Op::kAbsolute, {d})});
    std::uint16_t w = work.step(Op::kDivide, {one, work.step(Op::kAdd, {one, far})});
    std::uint16_t p = polynomial[0];
    for (std::size_t i = 1; i < polynomial.size(); ++i) {
      p = work.step(Op::kAdd, {polynomial[i], work.step(Op::kMultiply, {w, p})});
    }
    p = work.step(Op::kMultiply, {density, work.step(Op::kMultiply, {w, p})});
    return work.select(above, work.step(Op::kSubtract, {one, p}), p);
  };
  std::uint16_t root = work.step(Op::kMultiply, {sigma, work.step(Op::kSqrt, {t})});
  std::uint16_t ratio = work.step(Op::kLog, {work.step(Op::kDivide, {s, k})});
  std::uint16_t high = work.step(Op::kAdd, {ratio, work.step(Op::kMultiply, {drift, t})});
  std::uint16_t d1 = work.step(Op::kDivide, {high, root});
  std::uint16_t d2 = work.step(Op::kSubtract, {d1, root});
  std::uint16_t fall = work.step(Op::kExp, {work.step(Op::kMultiply, {rate, t})});
  std::uint16_t later = work.step(Op::kMultiply, {k, fall});
  std::uint16_t n1 = normal(d1), n2 = normal(d2);
  auto price = [&](std::uint16_t x, std::uint16_t p, std::uint16_t y, std::uint16_t q) {
    return work.step(Op::kSubtract,
                     {work.step(Op::kMultiply, {x, p}), work.step(Op::kMultiply, {y, q})});
  };
  work.write(price(s, n1, later, n2));
  work.write(
      price(later, work.step(Op::kSubtract, {one, n2}), s, work.step(Op::kSubtract, {one, n1})));
  return work;
}

// Sums of squares of all elements, or along rows.
inline Workload sum_of_squares(DType dtype, Dims extents) {
  std::uint64_t innermost = std::uint64_t{1} << (extents.size() - 1);
  Workload work(dtype, std::move(extents));
  std::uint16_t x = work.dense();
  work.fold(Op::kAdd, work.step(Op::kSquare, {x}), innermost);
  return work;
}

// The three loops of exp(x - max) / sum over rows.
inline std::vector<Workload> softmax(DType dtype, std::int64_t rows, std::int64_t width) {
  std::vector<Workload> loops(3, Workload(dtype, {rows, width}));
  loops[0].fold(Op::kMaximum, loops[0].dense(), 2);
  std::uint16_t x = loops[1].dense(), most = loops[1].still();
  std::uint16_t power = loops[1].step(Op::kExp, {loops[1].step(Op::kSubtract, {x, most})});
  loops[1].write(power);
  loops[1].fold(Op::kAdd, power, 2);
  x = loops[2].dense();
  std::uint16_t total = loops[2].still();
  loops[2].write(loops[2].step(Op::kDivide, {x, total}));
  return loops;
}

// The loops of (x - mean) / deviation over rows: sums, and what is made of them for each row.
inline std::vector<Workload> layer_norm(DType dtype, std::int64_t rows, std::int64_t width) {
  std::vector<Workload> loops(5, Workload(dtype, {rows, width}));
  loops[1].loop.extents = loops[3].loop.extents = {rows, 1};
  loops[0].fold(Op::kAdd, loops[0].dense(), 2);
  auto count = static_cast<double>(width);
  std::uint16_t sum = loops[1].still();
  loops[1].write(loops[1].step(Op::kDivide, {sum, loops[1].scalar(count)}));
  std::uint16_t x = loops[2].dense(), mean = loops[2].still();
  loops[2].fold(Op::kAdd, loops[2].step(Op::kSquare, {loops[2].step(Op::kSubtract, {x, mean})}), 2);
  sum = loops[3].still();
  std::uint16_t variance = loops[3].step(Op::kDivide, {sum, loops[3].scalar(count)});
  loops[3].write(loops[3].step(Op::kSqrt, {variance}));
  x = loops[4].dense();
  mean = loops[4].still();
  std::uint16_t deviation = loops[4].still();
  loops[4].write(loops[4].step(Op::kDivide, {loops[4].step(Op::kSubtract, {x, mean}), deviation}));
  return loops;
}

}  // namespace strider::nd::cuda
