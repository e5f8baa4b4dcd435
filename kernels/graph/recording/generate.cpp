// Constants, ranges, bands and grids as promises. But for grids they read nothing, so nothing ever
// waits for them.
#include <strider/nd/eval.h>
#include <strider/nd/generate.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "kernels/core/range.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

// Ranges are promised from a fraction of the elements at which operations are: written and read
// again, they cost as much as what is done with them.
constexpr std::int64_t kFractionOfRanges = 4;

// Whether a new array of this shape is to be promised, if those of `limit` elements are.
bool worth_promising(const Dims& shape, DType dtype, std::int64_t limit = recording().limit()) {
  if (!recording().on() || shape.size() > kMostAxes) return false;
  std::int64_t bytes = item_size(dtype);
  for (std::int64_t extent : shape) {
    if (extent <= 0 || __builtin_mul_overflow(bytes, extent, &bytes)) return false;
  }
  return bytes / item_size(dtype) >= limit && !is_too_large(bytes);
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

// One value where `start` and `growth` along the axes sum up to something that compares with 0,
// another elsewhere.
struct Band {
  Op op;  // equal or less_equal
  std::int64_t start;
  Dims growth;
  DType dtype;
};

Array promise_band(const Band& band, const Dims& shape, Order order) {
  auto expression = std::make_unique_for_overwrite<Expression>();
  expression->kind = Expression::Kind::kBand;
  expression->op = band.op;
  expression->start = Scalar(band.start);
  expression->read(0, Scalar(std::int64_t{0}));
  expression->arguments[0].strides = band.growth;
  expression->read(1, Scalar(true).as(band.dtype));
  expression->read(2, Scalar(false).as(band.dtype));
  return promise(std::move(expression), shape, band.dtype, order);
}

// Where column - row compares with `offset`; null where that is to be written at once.
Array promise_band(Op op, const Dims& shape, std::int64_t offset, DType dtype, Order order) {
  constexpr std::int64_t kFarthest = std::int64_t{1} << 62;
  if (std::abs(offset / 2) >= kFarthest / 2 || !worth_promising(shape, dtype)) return Array();
  return promise_band({op, -offset, Dims{-1, 1}, dtype}, shape, order);
}

// act(row, column, count): the first element where column - row is `offset`, and how many there
// are.
void for_diagonal(const Dims& shape, std::int64_t offset, auto&& act) {
  std::int64_t row = std::max<std::int64_t>(0, -offset), column = std::max<std::int64_t>(0, offset);
  std::int64_t count = std::min(shape[0] - row, shape[1] - column);
  if (count > 0) act(row, column, count);
}

// Promises where the condition holds one array, elsewhere another. Whoever reads a plane alone
// knows the condition: then that costs no more than reading the plane.
Array promise_choice(const Array& condition, const Array& chosen, const Array& other,
                     const Dims& shape) {
  DType dtype = chosen.dtype();
  const DType types[] = {DType::kBool, dtype, dtype};
  Operand operands[] = {Operand(condition), Operand(chosen), Operand(other)};
  Array choice = record({Expression::Kind::kSelect, Op::kPositive, types, dtype}, operands, shape,
                        dense_strides(shape, item_size(dtype)));
  if (choice && is_pending(choice)) {
    Expression& expression = *choice.node()->storage->expression();
    expression.cost = 1;
    expression.is_light = true;
  }
  return choice;
}

// The planes as choices by the first coordinate; null where they cannot be read later.
Array promise_planes(std::span<const Array> planes, const Dims& shape) {
  Dims growth(shape.size());
  growth[0] = 1;
  Array rest = planes.back().broadcast_to(shape);
  if (planes.size() == 1) return rest.copy();
  for (std::size_t k = planes.size() - 1; rest && k-- > 0;) {
    auto first = -static_cast<std::int64_t>(k);
    Array here = promise_band({Op::kEqual, first, growth, DType::kBool}, shape, Order::kC);
    rest = promise_choice(here, planes[k], rest, shape);
  }
  return rest;
}

}  // namespace

Array generate_diagonal(std::int64_t rows, std::int64_t columns, std::int64_t offset, DType dtype,
                        Order order) {
  Dims shape{rows, columns};
  if (Array promised = promise_band(Op::kEqual, shape, offset, dtype, order)) return promised;
  Array made = Array::zeros(shape, dtype, order);
  for_diagonal(shape, offset, [&](std::int64_t row, std::int64_t column, auto count) {
    const Dims& strides = made.strides();
    std::int64_t first = row * strides[0] + column * strides[1];
    made.view(Dims{count}, Dims{strides[0] + strides[1]}, first).assign(Scalar(true).as(dtype));
  });
  return made;
}

bool is_diagonal(const Expression& expression) {
  return expression.kind == Expression::Kind::kBand && expression.op == Op::kEqual &&
         expression.arguments[0].strides == Dims{-1, 1};
}

void write_diagonal(const Expression& diagonal, std::byte* zeros) {
  std::int64_t offset = -diagonal.start.get<std::int64_t>();
  const Dims& strides = diagonal.strides;
  for_diagonal(diagonal.shape, offset, [&](std::int64_t row, std::int64_t column, auto count) {
    std::byte* to = zeros + row * strides[0] + column * strides[1];
    dispatch(diagonal.dtype, [&](auto one) {
      one = diagonal.arguments[1].scalar.get<decltype(one)>();
      for (; count > 0; --count, to += strides[0] + strides[1]) std::memcpy(to, &one, sizeof one);
    });
  });
}

Array promise_triangle(std::int64_t rows, std::int64_t columns, std::int64_t offset, DType dtype) {
  return promise_band(Op::kLessEqual, {rows, columns}, offset, dtype, Order::kC);
}

Array generate_planes(std::span<const Array> planes, const Dims& shape, DType dtype) {
  Dims whole = shape;
  whole.insert(0, static_cast<std::int64_t>(planes.size()));
  if (!planes.empty() && worth_promising(whole, dtype)) {
    if (Array promised = promise_planes(planes, whole)) return promised;
  }
  Array made = Array::empty(whole, dtype);
  Dims strides = made.strides();
  std::int64_t step = strides[0];
  strides.erase(0);
  for (std::size_t k = 0; k < planes.size(); ++k) {
    made.view(shape, strides, static_cast<std::int64_t>(k) * step).assign(planes[k]);
  }
  return made;
}

Array generate_full(const Dims& shape, const Scalar& value, DType dtype, Order order) {
  if (!worth_promising(shape, dtype)) return Array::full(shape, value, dtype, order);
  auto expression = std::make_unique_for_overwrite<Expression>();
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
  std::int64_t limit = recording().limit() / kFractionOfRanges;
  if (!fits || !worth_promising(Dims{count}, dtype, limit)) {
    return Array::arange(start, step, count, dtype);
  }
  auto expression = std::make_unique_for_overwrite<Expression>();
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
