// Shapes and layouts of elementwise operations: broadcasting, given outputs, new results.
#include "kernels/elementwise/layout.h"

#include <strider/nd/error.h>

#include <cstdlib>

#include "kernels/core/node.h"

namespace strider::nd {
namespace {

using Kind = Operand::Kind;

[[noreturn]] void throw_value(const std::string& message) {
  throw Error(ErrorKind::kValue, message);
}

const Dims& shape_of(const Operand& operand) {
  static const Dims kScalarShape;
  return operand.kind() == Kind::kArray ? operand.array().shape() : kScalarShape;
}

[[noreturn]] void throw_bad_out(const Dims& out, const Dims& shape) {
  throw_value("non-broadcastable output operand with shape " + shape_text(out) +
              " doesn't match the broadcast shape " + shape_text(shape));
}

// Extents that differ are an error about inputs and outputs together.
void check_outputs_broadcast(const Dims* inputs, std::size_t count, const UfuncOptions& options,
                             int outputs) {
  if (!options.out[0] && !options.out[1]) return;
  if (count == 1 && options.out[0] && options.out[0]->shape() == inputs[0]) return;
  Dims shapes[6];
  for (std::size_t i = 0; i < count; ++i) shapes[i] = inputs[i];
  for (int i = 0; i < outputs; ++i)
    if (options.out[i]) shapes[count++] = options.out[i]->shape();
  broadcast_shapes({shapes, count});
}

}  // namespace

Dims shared_strides(const Dims& shape, std::span<const Dims> operands, int item) {
  // -1, 0, 1: axis a steps less than b, nobody tells, or somebody says that it does not.
  auto compare = [&](int a, int b) {
    int verdict = 0;
    for (const Dims& strides : operands) {
      std::int64_t step_a = std::abs(strides[a]), step_b = std::abs(strides[b]);
      if (step_a == 0 || step_b == 0) continue;
      if (step_b <= step_a) return 1;
      verdict = -1;
    }
    return verdict;
  };
  int order[kMaxRank];  // innermost first
  int rank = shape.size();
  for (int i = 0; i < rank; ++i) {
    int axis = rank - 1 - i;
    int place = i;
    for (int j = i - 1; j >= 0; --j) {
      int verdict = compare(axis, order[j]);
      if (verdict > 0) break;
      if (verdict < 0) place = j;
    }
    for (int j = i; j > place; --j) order[j] = order[j - 1];
    order[place] = axis;
  }
  Dims result(rank);
  std::int64_t step = item;
  for (int i = 0; i < rank; ++i) {
    result[order[i]] = step;
    step *= shape[order[i]] ? shape[order[i]] : 1;
  }
  return result;
}

bool broadcasts_to(const Dims& shape, const Dims& target) {
  int skip = target.size() - shape.size();
  if (skip < 0) return false;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] != 1 && shape[axis] != target[skip + axis]) return false;
  }
  return true;
}

// The shape that all arrays have, places for results among them; null where they differ.
static const Dims* shared_shape(std::span<const Operand> operands, const UfuncOptions& options,
                                int outputs) {
  const Dims* shape = nullptr;
  auto agrees = [&](const Array& array) {
    if (!shape) shape = &array.shape();
    return *shape == array.shape();
  };
  for (const Operand& operand : operands)
    if (operand.kind() == Kind::kArray && !agrees(operand.array())) return nullptr;
  for (int i = 0; i < outputs; ++i)
    if (options.out[i] && !agrees(*options.out[i])) return nullptr;
  return shape;
}

Dims common_shape(std::span<const Operand> operands, const UfuncOptions& options, int outputs) {
  if (!options.where) {
    if (const Dims* shape = shared_shape(operands, options, outputs)) return *shape;
  }
  Dims shapes[6];
  std::size_t count = 0;
  for (const Operand& operand : operands) shapes[count++] = shape_of(operand);
  check_outputs_broadcast(shapes, count, options, outputs);
  if (options.where) shapes[count++] = options.where->shape();
  Dims shape = broadcast_shapes({shapes, count});
  for (int i = 0; i < outputs; ++i) {
    if (!options.out[i]) continue;
    const Dims& out = options.out[i]->shape();
    if (out == shape) continue;
    if (!broadcasts_to(shape, out)) throw_bad_out(out, shape);
    shape = out;
  }
  return shape;
}

Dims result_strides(std::span<const Operand> operands, const Dims& shape, DType dtype,
                    Order order) {
  int item = item_size(dtype);
  if (order == Order::kC || shape.size() < 2) return dense_strides(shape, item);
  if (order == Order::kF) return dense_strides(shape, item, true);
  bool all_c = true, all_fortran = true;
  Dims strides[3];
  int count = 0;
  for (const Operand& operand : operands) {
    if (operand.kind() != Kind::kArray || operand.array().rank() == 0) continue;
    all_c = all_c && operand.array().is_c_contiguous();
    all_fortran = all_fortran && operand.array().is_f_contiguous();
    strides[count++] = broadcast_strides(operand.array(), shape);
  }
  if (order == Order::kAny) return dense_strides(shape, item, all_fortran && count > 0);
  if (all_c) return dense_strides(shape, item);
  return shared_strides(shape, {strides, static_cast<std::size_t>(count)}, item);
}

Array make_result(std::span<const Operand> operands, const Dims& shape, DType dtype, Order order) {
  if (order == Order::kC || shape.size() < 2) return Array::empty(shape, dtype);
  return make_array(shape, result_strides(operands, shape, dtype, order), dtype);
}

}  // namespace strider::nd
