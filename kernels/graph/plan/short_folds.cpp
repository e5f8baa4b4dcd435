// Folds of a few elements as steps of the loop that uses their results.
#include "kernels/graph/plan/loop_builder.h"
#include "kernels/graph/reporting/reports.h"

namespace strider::nd {
namespace {

// Whether combining an element with the start leaves the element, all bits of it.
bool is_neutral(const LoopFold& fold) {
  return fold.op == Op::kAdd && !is_inexact(fold.type) && fold.start.to_complex() == 0.0;
}

}  // namespace

const Scalar& place_in_short_fold(std::int64_t place) {
  static const std::vector<Scalar> places = [] {
    std::vector<Scalar> made;
    for (std::int64_t i = 0; i < kMostInShortFold; ++i) made.emplace_back(i);
    return made;
  }();
  return places[static_cast<std::size_t>(place)];
}

std::uint16_t LoopBuilder::combine(Expression& expression, const Access& first) {
  const Reading& reading = expression.arguments[0];
  const LoopFold& fold = expression.fold;
  std::vector<std::uint16_t> elements;
  Access access = first;
  for (std::int64_t i = 0; i < expression.folded_count; ++i) {
    std::uint16_t element = argument(reading, access, true);
    elements.push_back(convert(element, fold.type, expression.watched, expression));
    access.offset += expression.folded_step;
  }
  if (fold.kind == LoopFold::Kind::kFind) return find_extreme(expression, elements);
  std::uint8_t watched = tells_conditions(fold) ? expression.watched : 0;
  std::uint16_t total = elements[0];
  if (!fold.from_first && !is_neutral(fold))
    total = add_arithmetic(fold.op, add_scalar(fold.start), total, fold.type, expression, watched);
  for (std::size_t i = 1; i < elements.size(); ++i)
    total = add_arithmetic(fold.op, total, elements[i], fold.type, expression, watched);
  return total;
}

// The first extreme; of floats the first that is not a number.
std::uint16_t LoopBuilder::find_extreme(Expression& expression,
                                        const std::vector<std::uint16_t>& elements) {
  const LoopFold& fold = expression.fold;
  bool floats = is_inexact(fold.type);
  auto compare = [&](Op op, std::uint16_t a, std::uint16_t b, DType type) {
    return add_comparison(op, a, b, type, expression);
  };
  auto select = [&](std::uint16_t condition, std::uint16_t a, std::uint16_t b, DType type) {
    return add_select(condition, a, b, type, expression);
  };
  bool largest = fold.op == Op::kMaximum;
  std::uint16_t best = elements[0], place = add_scalar(place_in_short_fold(0));
  for (std::size_t i = 1; i < elements.size(); ++i) {
    std::uint16_t better;
    if (floats) {
      // Not as good as the best so far, or none that could be compared; unless that is none itself.
      better = compare(largest ? Op::kLessEqual : Op::kGreaterEqual, elements[i], best, fold.type);
      better = compare(Op::kLogicalNot, better, better, DType::kBool);
      std::uint16_t number = compare(Op::kEqual, best, best, fold.type);
      better = compare(Op::kLogicalAnd, better, number, DType::kBool);
    } else {
      better = compare(largest ? Op::kGreater : Op::kLess, elements[i], best, fold.type);
    }
    std::uint16_t here = add_scalar(place_in_short_fold(static_cast<std::int64_t>(i)));
    place = select(better, here, place, DType::kInt64);
    if (i + 1 < elements.size()) best = select(better, elements[i], best, fold.type);
  }
  return place;
}

}  // namespace strider::nd
