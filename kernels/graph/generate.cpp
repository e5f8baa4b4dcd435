// Constants and ranges as promises. Both read nothing, so nothing ever waits for them.
#include <strider/nd/eval.h>
#include <strider/nd/generate.h>

#include <memory>

#include "kernels/core/range.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

// Whether a new array of this shape is to be promised.
bool worth_promising(const Dims& shape, DType dtype) {
  if (!recording().on() || shape.size() > kMostAxes) return false;
  std::int64_t bytes = item_size(dtype);
  for (std::int64_t extent : shape) {
    if (extent <= 0 || __builtin_mul_overflow(bytes, extent, &bytes)) return false;
  }
  return bytes / item_size(dtype) >= recording().limit() && !is_too_large(bytes);
}

Array promise(std::unique_ptr<Expression> expression, const Dims& shape, DType dtype, Order order) {
  expression->dtype = dtype;
  expression->cost = expression->kind == Expression::Kind::kRange && is_inexact(dtype) ? 1 : 0;
  expression->shape = shape;
  expression->strides = dense_strides(shape, item_size(dtype), order == Order::kF);
  return promise_array(expression.release());
}

// Integers are counted in int64: the last one must be reached without wrapping around.
bool counts_safely(const Scalar& start, const Scalar& step, std::int64_t count) {
  std::int64_t end;
  return !__builtin_mul_overflow(step.get<std::int64_t>(), count, &end) &&
         !__builtin_add_overflow(start.get<std::int64_t>(), end, &end);
}

}  // namespace

Array generate_full(const Dims& shape, const Scalar& value, DType dtype, Order order) {
  if (!worth_promising(shape, dtype)) return Array::full(shape, value, dtype, order);
  auto expression = std::make_unique<Expression>();
  expression->kind = Expression::Kind::kConvert;
  expression->loop_types[0] = dtype;
  expression->read(0, value.as(dtype));
  return promise(std::move(expression), shape, dtype, order);
}

Array generate_zeros(const Dims& shape, DType dtype, Order order) {
  if (!worth_promising(shape, dtype)) return Array::zeros(shape, dtype, order);
  return generate_full(shape, Scalar(false), dtype, order);
}

Array generate_range(const Scalar& start, const Scalar& step, std::int64_t count, DType dtype) {
  bool fits = is_integer(dtype) || is_floating(dtype);
  if (!fits || !worth_promising(Dims{count}, dtype)) {
    return Array::arange(start, step, count, dtype);
  }
  auto expression = std::make_unique<Expression>();
  expression->kind = Expression::Kind::kRange;
  RangeTerms terms = range_terms(start, step, dtype);
  if (is_integer(dtype)) {
    terms = {terms.start.as(DType::kInt64), terms.step.as(DType::kInt64)};
    if (!counts_safely(terms.start, terms.step, count)) {
      return Array::arange(start, step, count, dtype);
    }
  }
  expression->start = terms.start;
  expression->step = terms.step;
  return promise(std::move(expression), Dims{count}, dtype, Order::kC);
}

}  // namespace strider::nd
