// Recording folds, searches and scans: those of a few elements become maps, whose steps combine
// them, so that they are computed wherever their results are used.
#include "kernels/graph/expression/space.h"
#include "kernels/graph/graph.h"
#include "kernels/graph/plan/plan.h"
#include "kernels/graph/recording/promise.h"

namespace strider::nd {
namespace {

// Sums of no more elements than this go from one to the next in NumPy's order, too.
constexpr std::int64_t kMostComplex = 3;
// Operations that a short fold's text may repeat.
constexpr std::uint32_t kMostRepeated = 64;

// The one axis of several elements that is folded; -1: there are several.
int folded_axis(const Dims& shape, std::uint64_t reduced) {
  int found = -1;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (!(reduced >> axis & 1) || shape[axis] == 1) continue;
    if (found >= 0) return -1;
    found = axis;
  }
  return found;
}

// Whether what is combined from `start` is the same where that is left out.
bool starts_from_nothing(const LoopFold& fold) {
  return fold.from_first || fold.op != Op::kAdd || fold.start.to_complex() == 0.0;
}

bool is_short(const LoopFold& fold, std::int64_t count, std::uint32_t weight, std::uint32_t cost) {
  if (fold.kind == LoopFold::Kind::kScan || fold.type == DType::kFloat16) return false;
  bool find = fold.kind == LoopFold::Kind::kFind, complex = is_complex(fold.type);
  if (find && complex) return false;
  // Products of complex numbers are rounded otherwise where NumPy combines them one by one.
  if (complex && fold.op == Op::kMultiply) return false;
  return count <= (complex ? kMostComplex : kMostInShortFold) && cost < kDear &&
         static_cast<std::uint32_t>(count) * weight <= kMostRepeated && starts_from_nothing(fold);
}

// The steps of what is read along the result's axes.
Dims kept_strides(const Node& node, const Dims& shape, std::uint64_t reduced) {
  Dims strides;
  for (int axis = 0; axis < node.shape.size(); ++axis) {
    bool folded = reduced >> axis & 1;
    if (!folded)
      strides.push_back(node.strides[axis]);
    else if (shape.size() == node.shape.size())
      strides.push_back(0);
  }
  return strides;
}

// A fold of a few elements as a map; null where it is none.
std::unique_ptr<Expression> short_fold(const LoopFold& fold, const Array& array,
                                       std::uint64_t reduced, const Dims& shape) {
  const Node& node = *array.node();
  int axis = folded_axis(node.shape, reduced);
  if (axis < 0 || element_count(shape) == 1) return nullptr;
  Below below(1);
  below.add(*node.storage);
  std::int64_t count = node.shape[axis];
  if (!is_short(fold, count, below.weight, below.cost)) return nullptr;
  auto expression = std::make_unique_for_overwrite<Expression>();
  expression->kind = Expression::Kind::kShortFold;
  expression->folded_count = count;
  expression->folded_step = node.strides[axis];
  below.weight *= static_cast<std::uint32_t>(count);
  below.cost *= static_cast<std::uint32_t>(count);
  below.give(*expression);
  expression->read(0, node.storage, node.offset, kept_strides(node, shape, reduced), node.dtype);
  return expression;
}

// Its argument has to lie dense, and is folded in the order in which it lies; null where it does
// not.
std::unique_ptr<Expression> long_fold(LoopFold& fold, const Array& array, std::uint64_t reduced) {
  const Node& node = *array.node();
  auto expression = std::make_unique_for_overwrite<Expression>();
  Dims order = storage_order(node.shape, node.strides), along;
  std::int64_t expected = node.size * item_size(node.dtype);
  for (int i = 0; i < order.size(); ++i) {
    int axis = static_cast<int>(order[i]);
    std::int64_t extent = node.shape[axis];
    expected /= extent;
    if (extent > 1 && node.strides[axis] != expected) return nullptr;
    expression->extents.push_back(extent);
    along.push_back(node.strides[axis]);
    if (reduced >> axis & 1) fold.axes |= std::uint64_t{1} << i;
  }
  expression->kind = Expression::Kind::kFold;
  Operand operand(array);
  weigh({&operand, 1}, 1).give(*expression);
  expression->read(0, node.storage, node.offset, along, node.dtype);
  return expression;
}

bool may_be_folded_later(const Array& array) {
  const Node& node = *array.node();
  return node.shape.size() <= kMostAxes && node.size > 0 && !node.storage->borrowed();
}

// Of a fold that is a promise; null where there is none.
Array promise_fold(std::unique_ptr<Expression> expression, const LoopFold& fold, const Dims& shape,
                   const Dims& strides) {
  if (!expression) return Array();
  expression->fold = fold;
  expression->dtype = fold.result();
  expression->shape = shape;
  expression->strides = strides;
  expression->watched = recording().watched;
  return promise_now_or_later(expression.release());
}

}  // namespace

Array record_fold(LoopFold fold, const Array& array, std::uint64_t reduced, const Dims& shape,
                  const Dims& strides, const Scalar& start) {
  if (!may_be_folded_later(array)) return Array();
  fold.start = start;
  std::unique_ptr<Expression> expression = short_fold(fold, array, reduced, shape);
  if (!expression) expression = long_fold(fold, array, reduced);
  return promise_fold(std::move(expression), fold, shape, strides);
}

Array record_short_fold(const LoopFold& fold, const Array& array, std::uint64_t reduced,
                        const Dims& shape, const Dims& strides) {
  if (!may_be_folded_later(array)) return Array();
  return promise_fold(short_fold(fold, array, reduced, shape), fold, shape, strides);
}

}  // namespace strider::nd
