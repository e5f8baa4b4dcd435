// Single elements that somebody will ask for: when they are computed, and what is known of them
// before.
#include <algorithm>
#include <cmath>

#include "kernels/graph/evaluation/evaluate.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

// What integers of a type do not go beyond.
double most_of(DType dtype) {
  if (dtype == DType::kBool) return 1;
  if (!is_integer(dtype)) return HUGE_VAL;
  return std::ldexp(1.0, 8 * item_size(dtype) - (category(dtype) == Category::kSigned));
}

double fold_bound(const Expression& fold) {
  auto count = static_cast<double>(element_count(fold.extents));
  if (fold.fold.kind == LoopFold::Kind::kFind) return count;
  bool sum = fold.fold.kind == LoopFold::Kind::kFold && fold.fold.op == Op::kAdd;
  if (!sum) return HUGE_VAL;
  return std::abs(fold.fold.start.to_double()) + count * most_of(fold.arguments[0].dtype);
}

}  // namespace

bool start(const Array& element) {
  constexpr std::uint32_t kMostBelow = 16;  // operations that one kernel should not exceed
  Storage& storage = *element.node()->storage;
  const Expression* expression = storage.expression();
  bool stays = expression && recording().on_device && expression->is_single &&
               expression->weight <= kMostBelow;
  if (!stays) compute(storage);
  return !storage.in_host_memory();
}

double largest_magnitude(const Array& array) {
  double most = most_of(array.dtype());
  const Expression* expression = array.node()->storage->expression();
  bool folds = expression && expression->kind == Expression::Kind::kFold;
  return folds ? std::min(most, fold_bound(*expression)) : most;
}

}  // namespace strider::nd
