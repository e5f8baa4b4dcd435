// What loops count instead of reading: ranges, and bands, whose sums over coordinates compare with
// 0.
#include <algorithm>

#include "kernels/graph/plan/loop_builder.h"

namespace strider::nd {
namespace {

// Whether a band's comparison holds for this sum.
bool holds(const Expression& band, std::int64_t sum) {
  return band.op == Op::kEqual ? sum == 0 : sum <= 0;
}

bool stands_still(const Access& access) {
  return std::all_of(access.strides.begin(), access.strides.end(),
                     [](std::int64_t stride) { return stride == 0; });
}

}  // namespace

// The elements of a promise that reads nothing. Their steps raise no conditions: numpy.arange tells
// of none.
std::optional<std::uint16_t> LoopBuilder::generate(Expression& expression, const Access& access) {
  if (expression.kind == Expression::Kind::kBand) return band(expression, access);
  if (expression.is_constant()) return add_scalar(expression.arguments[0].scalar);
  std::uint16_t value = count(expression, access);
  if (is_inexact(expression.dtype)) {
    DType type = expression.start.dtype();
    value = convert(value, type, 0, expression);
    value = add_arithmetic(Op::kMultiply, value, add_scalar(expression.step), type, expression);
    value = add_arithmetic(Op::kAdd, add_scalar(expression.start), value, type, expression);
  }
  return convert(value, expression.dtype, 0, expression);
}

// The positions of a range of floats, or the elements of one of integers before they are converted.
std::uint16_t LoopBuilder::count(const Expression& range, const Access& access) {
  bool floats = is_inexact(range.dtype);
  std::int64_t step = floats ? 1 : range.step.get<std::int64_t>();
  int item = item_size(range.dtype);
  LoopInput input;
  input.kind = LoopInput::Kind::kRange;
  input.dtype = DType::kInt64;
  input.first = (floats ? 0 : range.start.get<std::int64_t>()) + access.offset / item * step;
  input.strides = access.strides;
  for (std::int64_t& stride : input.strides) stride = stride / item * step;
  return add_range(std::move(input));
}

std::optional<Access> LoopBuilder::sums(const Expression& band, const Access& access) const {
  Space space = merge_axes(band);
  std::optional<Coordinates> at =
      find_coordinates(space.shape, space.strides, item_size(band.dtype), planned_.loop.extents,
                       access.offset, access.strides);
  if (!at) return std::nullopt;
  return follow(*at, space.arguments[0], band.start.get<std::int64_t>());
}

std::optional<bool> LoopBuilder::known_condition(const Reading& reading,
                                                 const Access& access) const {
  if (!reading.storage || !reading.storage->pending()) return std::nullopt;
  const Expression& band = *reading.storage->expression();
  if (band.kind != Expression::Kind::kBand || band.dtype != DType::kBool) return std::nullopt;
  std::optional<Access> sum = sums(band, access);
  if (!sum || !stands_still(*sum)) return std::nullopt;
  return holds(band, sum->offset);
}

// Where a band's sum is the same at all points of the loop, so are its elements.
std::optional<std::uint16_t> LoopBuilder::band(Expression& expression, const Access& access) {
  std::optional<Access> sum = sums(expression, access);
  if (!sum) return std::nullopt;
  auto value = [&](int i) { return add_scalar(expression.arguments[i].scalar); };
  if (stands_still(*sum)) return value(holds(expression, sum->offset) ? 1 : 2);
  LoopInput input;
  input.kind = LoopInput::Kind::kRange;
  input.dtype = DType::kInt64;
  input.first = sum->offset;
  input.strides = sum->strides;
  std::uint16_t sums = add_range(std::move(input));
  std::uint16_t condition =
      add_comparison(expression.op, sums, value(0), DType::kInt64, expression);
  if (expression.dtype == DType::kBool) return condition;
  std::uint16_t there = value(1), elsewhere = value(2);
  return add_select(condition, there, elsewhere, expression.dtype, expression);
}

}  // namespace strider::nd
