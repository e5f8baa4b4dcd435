// Recording: an operation becomes an expression when its result is large enough to be worth fusing.
#include <strider/nd/memory.h>

#include <algorithm>

#include "kernels/backend/matrix_layout.h"
#include "kernels/graph/evaluation/evaluate.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/plan/plan.h"
#include "kernels/graph/recording/promise.h"

namespace strider::nd {
namespace {

using Kind = Operand::Kind;

// Elements that others may change without our knowing cannot be read later.
bool readable_later(const Operand& operand) {
  return operand.kind() != Kind::kArray || !operand.array().node()->storage->borrowed();
}
bool readable_later(std::span<const Operand> operands) {
  for (const Operand& operand : operands) {
    if (!readable_later(operand)) return false;
  }
  return true;
}

// Whether the elements could not be held in memory at all: then the error belongs to this line.
bool too_large(const Dims& shape, DType dtype) {
  constexpr std::int64_t kLarge = 1 << 20;
  std::int64_t bytes;
  if (__builtin_mul_overflow(element_count(shape), item_size(dtype), &bytes)) return true;
  return bytes > kLarge && is_too_large(bytes);
}

// Whether a node has this shape, and steps along all its axes.
bool has_shape(const Node& node, const Dims& shape) {
  auto is_one = [](std::int64_t extent) { return extent == 1; };
  return node.shape == shape && std::none_of(shape.begin(), shape.end(), is_one);
}

void read_operand(Expression& expression, int index, const Operand& operand, DType type) {
  if (operand.kind() != Kind::kArray) return expression.read(index, convert_operand(operand, type));
  const Array& array = operand.array();
  const Node& node = *array.node();
  Storage* storage = node.storage;
  if (node.size == 1 && storage->in_host_memory()) return expression.read(index, array.item());
  if (has_shape(node, expression.shape))
    return expression.read(index, storage, node.offset, node.strides, node.dtype);
  expression.read(index, storage, node.offset, broadcast_strides(array, expression.shape),
                  node.dtype);
}

// The first matrix of an operand of a product.
MatrixStack matrix_of(const Array& array) {
  const Dims &shape = array.shape(), &strides = array.strides();
  std::int64_t item = item_size(array.dtype());
  int rank = array.rank();
  MatrixStack matrix;
  matrix.rows = shape[rank - 2];
  matrix.columns = shape[rank - 1];
  matrix.row_stride = strides[rank - 2] / item;
  matrix.column_stride = strides[rank - 1] / item;
  return matrix;
}

bool steps_by_elements(const Array& array) {
  std::int64_t item = item_size(array.dtype());
  return std::all_of(array.strides().begin(), array.strides().end(),
                     [&](std::int64_t stride) { return stride % item == 0; });
}

// The operand as libraries take it. They would pack matrices that lie otherwise into the same
// layout; recorded, the copy is fused with what computes the elements.
Array packed_operand(const Array& array, const Array& other) {
  bool as_it_lies = steps_by_elements(array);
  if (as_it_lies && is_inexact(array.dtype())) {
    bool one_at_a_time = array.rank() > 2 && !recording().on_device;
    bool same = array.same_storage(other) && !recording().on_device;
    as_it_lies = one_at_a_time || same || layout_of(matrix_of(array));
  }
  return as_it_lies ? array : array.copy();
}

// The steps of an operand (0 or 1) of a product of this many axes: its stack, m, k and n.
Dims product_strides(const Array& array, int operand, int rank) {
  Dims strides(rank);
  int stack = rank - 3, own = array.rank() - 2;
  for (int axis = 0; axis < own; ++axis) {
    if (array.shape()[axis] != 1) strides[stack - own + axis] = array.strides()[axis];
  }
  strides[stack + operand] = array.strides()[own];
  strides[stack + operand + 1] = array.strides()[own + 1];
  return strides;
}

// Whether a product with so many elements is worth recording. One of few elements, all of whose
// operands are in memory, is so only if it takes much longer than recording it.
bool worth_recording_product(const Array& a, const Array& b, double size) {
  constexpr double kMuchWork = 1 << 18;
  if (!recording().on()) return false;
  if (size >= static_cast<double>(recording().limit()) || is_away(a) || is_away(b)) return true;
  double work = size * static_cast<double>(a.shape().back());
  bool much = recording().on_device || work >= kMuchWork;
  return much && (worth_recording(a) || worth_recording(b));
}

// Whether what an argument reads is no more than an element, or computed from such.
bool reads_single(const Reading& argument) {
  constexpr std::size_t kSingle = 64;
  if (!argument.storage) return true;
  const Storage& storage = *argument.storage;
  return storage.pending() ? storage.expression()->is_single : storage.byte_count() <= kSingle;
}

// Whether reading an operand costs next to nothing beside reading so many bytes.
bool reads_little(const Operand& operand, std::int64_t bytes) {
  if (operand.kind() != Kind::kArray) return true;
  const Storage& storage = *operand.array().node()->storage;
  if (storage.pending()) return storage.expression()->is_generated();
  return static_cast<std::int64_t>(storage.byte_count()) <= bytes / 8;
}

// Elements are computed where they are used; but a program that takes them one by one, or row by
// row, would plan a loop for each, so that after some of them all are computed.
void keep_what_is_glimpsed(std::span<const Operand> operands, std::int64_t size) {
  constexpr std::int64_t kPart = 64;
  constexpr std::uint8_t kOften = 32;
  for (const Operand& operand : operands) {
    if (operand.kind() != Kind::kArray) continue;
    Storage& storage = *operand.array().node()->storage;
    Expression* expression = storage.pending() ? storage.expression() : nullptr;
    if (!expression || size > expression->size() / kPart) continue;
    if (++expression->glimpsed == kOften) compute(storage);
  }
}

}  // namespace

std::uint32_t cost_of(Op op) {
  switch (facts(op).group) {
    case OpGroup::kExponential:
    case OpGroup::kPower:
    case OpGroup::kTrigonometric:
      return 16;
    case OpGroup::kDivision:
      return 8;
    default:
      return op == Op::kDivide || op == Op::kSqrt ? 4 : 1;
  }
}

Recording& recording() {
  thread_local Recording instance;
  return instance;
}

EvaluationCounts& graph_counts() {
  thread_local EvaluationCounts counts;
  return counts;
}

const EvaluationCounts& evaluation_counts() { return graph_counts(); }

bool is_too_large(std::int64_t bytes) {
  return static_cast<std::size_t>(bytes) > std::min(physical_memory(), memory_limit());
}

Array record(const RecordedOperation& operation, std::span<const Operand> operands,
             const Dims& shape, const Dims& strides) {
  std::int64_t size = element_count(shape);
  bool possible = size > 0 && shape.size() <= kMostAxes && !too_large(shape, operation.result) &&
                  readable_later(operands);
  if (!possible) return Array();
  keep_what_is_glimpsed(operands, size);
  auto expression = std::make_unique_for_overwrite<Expression>();
  expression->kind = operation.kind;
  expression->op = operation.op;
  expression->dtype = operation.result;
  expression->shape = shape;
  expression->strides = strides;
  expression->watched = recording().watched;
  std::uint32_t cost = operation.kind == Expression::Kind::kOperation ? cost_of(operation.op) : 1;
  weigh(operands, cost).give(*expression);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    expression->loop_types[i] = operation.types[i];
    read_operand(*expression, static_cast<int>(i), operands[i], operation.types[i]);
  }
  std::int64_t bytes = size * item_size(operation.result);
  expression->for_scalars = recording().for_scalars;
  expression->is_single =
      size == 1 &&
      std::all_of(expression->arguments, expression->arguments + operands.size(), reads_single);
  expression->is_light = expression->cost <= kCheap &&
                         std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
                           return reads_little(operand, bytes);
                         });
  return promise_now_or_later(expression.release());
}

std::int64_t recording_limit(DType dtype) {
  constexpr int kUsual = 8, kShort = 2;
  std::int64_t limit = recording().limit();
  int size = item_size(dtype);
  if (size > kShort || recording().on_device || !recording().on()) return limit;
  return 1 + (limit - 1) * (kUsual / size);
}

std::int64_t short_rows_limit() {
  constexpr std::int64_t kLonger = 16;
  std::int64_t limit = recording().limit();
  return recording().on_device ? limit : std::max<std::int64_t>(1, limit / kLonger);
}

bool worth_recording(const Array& array) {
  return array.size() >= recording_limit(array.dtype()) || (recording().on() && is_away(array));
}

Array record_product(const Array& a, const Array& b, const Dims& batch, const char* name) {
  std::int64_t m = a.shape()[a.rank() - 2], k = a.shape().back(), n = b.shape().back();
  double size =
      static_cast<double>(element_count(batch)) * static_cast<double>(m) * static_cast<double>(n);
  if (!worth_recording_product(a, b, size)) return Array();
  Dims shape = batch, extents = batch;
  for (std::int64_t extent : {m, n}) shape.push_back(extent);
  for (std::int64_t extent : {m, k, n}) extents.push_back(extent);
  bool possible = element_count(extents) > 0 && extents.size() <= kMostAxes &&
                  a.dtype() != DType::kFloat16 && !too_large(shape, a.dtype()) &&
                  readable_later(Operand(a)) && readable_later(Operand(b));
  if (!possible) return Array();
  Array packed[] = {packed_operand(a, b), packed_operand(b, a)};
  Operand operands[] = {Operand(packed[0]), Operand(packed[1])};
  auto product = std::make_unique_for_overwrite<Expression>();
  product->kind = Expression::Kind::kProduct;
  product->dtype = a.dtype();
  product->name = name;
  product->watched = name && is_inexact(a.dtype()) ? recording().watched : 0;
  product->shape = shape;
  product->strides = dense_strides(shape, item_size(a.dtype()));
  product->extents = extents;
  weigh(operands, 1).give(*product);
  product->cost = 1;  // it is always read from memory
  for (int i = 0; i < 2; ++i) {
    const Array& array = packed[i];
    product->read(i, array.node()->storage, array.node()->offset,
                  product_strides(array, i, extents.size()), array.dtype());
  }
  return promise_now_or_later(product.release());
}

}  // namespace strider::nd
