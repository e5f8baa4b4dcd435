// Loops for the tests of the CUDA texts: every operation of a type, and random ones with layouts
// and folds, whose operands lie in memory of the host.
#pragma once

#include <strider/nd/floating_errors.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/backend/loop.h"

namespace strider::nd::cuda {

inline constexpr std::uint8_t kEveryCondition =
    FloatingErrors::kDivide | FloatingErrors::kOverflow | FloatingErrors::kInvalid;

inline DType result_of(const OpFacts& op, DType dtype) {
  if (op.op == Op::kFrexp) return dtype;
  if (op.result == 'r') return real_of(dtype);
  return op.result == '?' ? DType::kBool : op.result == 'B' ? DType::kUInt8 : dtype;
}

inline Step operation(const OpFacts& op, DType dtype, const std::vector<std::uint16_t>& arguments) {
  Step step;
  step.op = op.op;
  step.count = static_cast<std::uint8_t>(op.inputs);
  step.result = result_of(op, dtype);
  for (int k = 0; k < op.inputs; ++k) {
    step.types[k] = k == 1 && op.op == Op::kLdexp ? DType::kInt64 : dtype;
    step.arguments[k] = arguments[static_cast<std::size_t>(k)];
  }
  return step;
}

inline Step conversion(std::uint16_t value, DType from, DType to) {
  Step step;
  step.kind = Step::Kind::kConvert;
  step.count = 1;
  step.types[0] = from;
  step.arguments[0] = value;
  step.result = to;
  return step;
}

// The operations with one result that have a loop for the type.
inline std::vector<const OpFacts*> operations_of(DType dtype) {
  std::vector<const OpFacts*> list;
  for (int row = 0; row < kOpCount; ++row) {
    const OpFacts& op = facts(static_cast<Op>(row));
    if (op.outputs == 1 && find_kernel(op.op, dtype)) list.push_back(&op);
  }
  return list;
}

// One operation (or conversion) on dense rows of `count` elements.
inline FusedLoop loop_of(const Step& step, std::int64_t count) {
  FusedLoop loop;
  loop.extents = {count};
  for (int k = 0; k < step.count; ++k) {
    LoopInput input;
    input.dtype = step.types[k];
    input.strides = {item_size(input.dtype)};
    loop.inputs.push_back(input);
  }
  loop.steps.push_back(step);
  loop.outputs.push_back(
      {static_cast<std::uint16_t>(step.count), step.result, Dims{item_size(step.result)}});
  return loop;
}

// Every operation of a type as one loop.
inline FusedLoop all_operations(DType dtype, std::uint8_t watched) {
  FusedLoop loop;
  loop.extents = {1000};
  for (DType type : {dtype, dtype, dtype, DType::kInt64}) {
    LoopInput input;
    input.dtype = type;
    input.strides = {item_size(type)};
    loop.inputs.push_back(input);
  }
  auto add = [&](Step step) {
    auto value = static_cast<std::uint16_t>(loop.inputs.size() + loop.steps.size());
    loop.outputs.push_back({value, step.result, Dims{item_size(step.result)}});
    loop.steps.push_back(step);
  };
  for (const OpFacts* op : operations_of(dtype)) {
    std::uint16_t second = op->op == Op::kLdexp ? 3 : 1;
    Step step = operation(*op, dtype, {0, second, 2});
    step.watched = op->conditions == Conditions::kNone ? 0 : watched;
    add(step);
  }
  for (int to = 0; to < kDTypeCount; ++to) {
    if (static_cast<DType>(to) == dtype) continue;
    Step step = conversion(0, dtype, static_cast<DType>(to));
    step.watched = watched;
    add(step);
  }
  return loop;
}

}  // namespace strider::nd::cuda
