// Recording: an operation becomes an expression when its result is large enough to be worth fusing.
// Expressions are kept small: one that would grow too deep has its arguments computed first.
#include <strider/nd/memory.h>
#include <unistd.h>

#include <algorithm>

#include "kernels/core/log.h"
#include "kernels/graph/evaluate.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/loop_builder.h"

namespace strider::nd {
namespace {

// Bounds on what hangs below one promise.
constexpr std::uint32_t kWeightLimit = 4096;
constexpr std::uint32_t kDepthLimit = 100;

using Kind = Operand::Kind;

// Elements that others may change without our knowing cannot be read later.
bool readable_later(const Operand& operand) {
  return operand.kind() != Kind::kArray || !operand.array().node()->storage->borrowed();
}

// Whether the elements could not be held in memory at all: then the error belongs to this line.
bool too_large(const Dims& shape, DType dtype) {
  std::int64_t bytes;
  return __builtin_mul_overflow(element_count(shape), item_size(dtype), &bytes) ||
         is_too_large(bytes);
}

// What will hang below a promise: its own operation, and what its arguments still need.
struct Below {
  std::uint32_t weight = 1;
  std::uint32_t depth = 1;
  std::uint32_t cost;

  explicit Below(std::uint32_t own_cost) : cost(own_cost) {}

  void add(const Storage& storage) {
    if (!storage.pending()) return;
    const Expression& below = *storage.expression();
    weight += below.weight;
    depth = std::max(depth, below.depth + 1);
    cost += below.cost;
  }
  bool too_much() const { return weight > kWeightLimit || depth > kDepthLimit; }
  void give(Expression& expression) const {
    expression.weight = weight;
    expression.depth = depth;
    expression.cost = cost;
  }
};

// What will hang below a promise of these operands. Where it would be too much, they are computed
// first.
Below weigh(std::span<const Operand> operands, std::uint32_t own_cost) {
  Below below(own_cost);
  auto each = [&](auto&& act) {
    for (const Operand& operand : operands) {
      if (operand.kind() == Kind::kArray) act(*operand.array().node()->storage);
    }
  };
  each([&](Storage& storage) { below.add(storage); });
  if (!below.too_much()) return below;
  if (is_logged(LogSubject::kRecording)) log_line("cut the graph: it would grow too large");
  each([](Storage& storage) { compute(storage); });
  return Below(own_cost);
}

void read_operand(Expression& expression, int index, const Operand& operand, DType type) {
  if (operand.kind() != Kind::kArray) return expression.read(index, convert_operand(operand, type));
  const Array& array = operand.array();
  Storage* storage = array.node()->storage;
  if (array.size() == 1 && storage->in_host_memory()) return expression.read(index, array.item());
  expression.read(index, storage, array.node()->offset, broadcast_strides(array, expression.shape),
                  array.dtype());
}

// Without laziness a device computes every operation at once.
Array promise_now_or_later(Expression* expression) {
  Array array = promise_array(expression);
  if (recording().lazy) return array;
  evaluate(array);
  --graph_counts().recorded;
  return array;
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
  static const std::int64_t limit =
      static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
  return bytes > limit || static_cast<std::size_t>(bytes) > memory_limit();
}

Array record(const RecordedOperation& operation, std::span<const Operand> operands,
             const Dims& shape, const Dims& strides) {
  bool possible = element_count(shape) > 0 && shape.size() <= kMostAxes &&
                  !too_large(shape, operation.result) &&
                  std::all_of(operands.begin(), operands.end(), readable_later);
  if (!possible) return Array();
  auto expression = std::make_unique<Expression>();
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
  return promise_now_or_later(expression.release());
}

bool worth_recording(const Array& array) {
  return array.size() >= recording().limit() || (recording().on() && is_away(array));
}

Array record_fold(LoopFold fold, const Array& array, std::uint64_t reduced, const Dims& shape,
                  const Dims& strides, const Scalar& start) {
  const Node& node = *array.node();
  if (node.shape.size() > kMostAxes || node.size == 0 || node.storage->borrowed()) return Array();
  auto expression = std::make_unique<Expression>();
  Dims order = storage_order(node.shape, node.strides), along;
  std::int64_t expected = node.size * item_size(node.dtype);
  for (int i = 0; i < order.size(); ++i) {
    int axis = static_cast<int>(order[i]);
    std::int64_t extent = node.shape[axis];
    expected /= extent;
    if (extent > 1 && node.strides[axis] != expected) return Array();  // not dense
    expression->extents.push_back(extent);
    along.push_back(node.strides[axis]);
    if (reduced >> axis & 1) fold.axes |= std::uint64_t{1} << i;
  }
  expression->kind = Expression::Kind::kFold;
  expression->fold = fold;
  expression->dtype = fold.result();
  expression->shape = shape;
  expression->strides = strides;
  expression->fold.start = start;
  expression->watched = recording().watched;
  Operand operand(array);
  weigh({&operand, 1}, 1).give(*expression);
  expression->read(0, node.storage, node.offset, along, node.dtype);
  return promise_now_or_later(expression.release());
}

}  // namespace strider::nd
