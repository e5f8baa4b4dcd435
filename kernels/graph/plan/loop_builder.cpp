// Following expressions: views become coordinates, equal steps are written once, and what cannot be
// computed point by point is left for an earlier loop.
#include "kernels/graph/plan/loop_builder.h"

#include <algorithm>
#include <cstdlib>

namespace strider::nd {
namespace {

// Steps are numbered from here while the number of inputs is not known.
constexpr std::uint16_t kStepBit = 0x8000;

// Comparisons, selects and the like only pass NaN on.
bool raises(const Step& step) {
  if (step.kind == Step::Kind::kOperation) return facts(step.op).conditions != Conditions::kNone;
  return step.kind == Step::Kind::kConvert;
}

// Two inputs that step alike through one storage, how many bytes apart; 0: they are none.
std::int64_t nearness(const PlannedLoop& planned, std::size_t i, std::size_t j) {
  constexpr std::int64_t kLine = 64;
  const LoopInput &a = planned.loop.inputs[i], &b = planned.loop.inputs[j];
  const PlannedInput &x = planned.inputs[i], &y = planned.inputs[j];
  std::int64_t apart = x.offset - y.offset;
  bool near = x.storage && x.storage == y.storage && a.dtype == b.dtype && a.strides == b.strides &&
              std::abs(apart) < kLine && apart % item_size(a.dtype) == 0;
  return near ? apart : 0;
}

// Names the neighbours of inputs: that which most others are near to first, in the middle of them.
void name_neighbours(PlannedLoop& planned) {
  std::vector<LoopInput>& inputs = planned.loop.inputs;
  std::vector<bool> done(inputs.size(), false);
  for (;;) {
    std::int64_t best = 0;
    std::size_t middle = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      std::int64_t rank = 0;
      for (std::size_t j = 0; !done[i] && j < inputs.size(); ++j) {
        std::int64_t apart = done[j] ? 0 : nearness(planned, j, i);
        if (apart != 0) rank += 1024 - std::abs(apart);
      }
      if (rank > best) {
        best = rank;
        middle = i;
      }
    }
    if (best == 0) return;
    for (std::size_t j = 0; j < inputs.size(); ++j) {
      std::int64_t apart = done[j] ? 0 : nearness(planned, j, middle);
      if (apart == 0) continue;
      inputs[j].neighbour = static_cast<std::int16_t>(middle);
      inputs[j].shift = static_cast<std::int16_t>(apart / item_size(inputs[j].dtype));
      done[j] = true;
    }
    done[middle] = true;
  }
}

}  // namespace

LoopBuilder::LoopBuilder(const Dims& extents, const Required& required) : required_(required) {
  planned_.loop.extents = extents;
  points_ = planned_.loop.point_count();
}

Access LoopBuilder::dense_access(DType dtype) const {
  return {0, dense_strides(planned_.loop.extents, item_size(dtype))};
}

bool LoopBuilder::is_dense_access(const Access& access, DType dtype) const {
  return access.offset == 0 &&
         steps_alike(planned_.loop.extents, access.strides, dense_access(dtype).strides);
}

bool LoopBuilder::is_required(const Storage& storage) const {
  return std::find(required_.begin(), required_.end(), &storage) != required_.end();
}

// Why computing the promise for this loop alone, perhaps again, is worse than keeping it.
const char* LoopBuilder::refusal(const Expression& expression, const Access& access,
                                 bool apart) const {
  if (expression.kind == Expression::Kind::kProduct) return "it is a product of matrices";
  if (!expression.is_map()) return "it is a reduction";
  if (expression.is_light) return nullptr;
  const Storage* storage = expression.storage;
  bool in_place = is_dense_access(access, expression.dtype) && expression.size() == points_;
  bool again = expression.computed > 0 && storage->held;
  // In place it is written along instead (see Planner::add_relatives).
  if (again && !in_place && points_ * 2 >= expression.size()) return "it has been computed before";
  if (expression.cost <= kCheap) return nullptr;
  if (!apart && known_.count(storage)) return "it is read in two places";
  if (again) return "it has been computed before";
  if (expression.size() * 2 <= points_) return "its elements are read again and again";
  if (expression.cost >= kDear && storage->held && !in_place) return "it is dear and still held";
  return nullptr;
}

std::uint16_t LoopBuilder::compute(Expression& expression) {
  Access access = dense_access(expression.dtype);
  std::uint16_t value = *compute_at(expression, access);
  known_[expression.storage].push_back({access, expression.dtype, value});
  return value;
}

std::uint16_t LoopBuilder::read(Storage& storage, const Access& access, DType dtype, bool apart) {
  if (auto entry = known_.find(&storage); entry != known_.end()) {
    for (const Known& known : entry->second) {
      if (known.dtype == dtype && known.access == access) return known.value;
    }
  }
  std::optional<std::uint16_t> value;
  if (storage.pending() && !is_required(storage)) {
    Expression& expression = *storage.expression();
    const char* reason = expression.dtype == dtype ? refusal(expression, access, apart)
                                                   : "it is read as another type";
    if (!reason) value = inline_promise(expression, access);
    if (!value) missing_.push_back({&storage, reason ? reason : "its axes are read as others"});
  }
  if (!value) {
    LoopInput input;
    input.dtype = dtype;
    input.strides = access.strides;
    value = add_input(std::move(input), {&storage, access.offset, nullptr});
  }
  known_[&storage].push_back({access, dtype, *value});
  return *value;
}

std::optional<std::uint16_t> LoopBuilder::inline_promise(Expression& expression,
                                                         const Access& access) {
  std::optional<std::uint16_t> value = compute_at(expression, access);
  if (value && !expression.is_generated()) planned_.inlined.push_back(&expression);
  return value;
}

std::optional<std::uint16_t> LoopBuilder::compute_at(Expression& expression, const Access& access) {
  if (expression.reads_nothing()) return generate(expression, access);
  Space space = merge_axes(expression);
  std::optional<Coordinates> at =
      find_coordinates(space.shape, space.strides, item_size(expression.dtype),
                       planned_.loop.extents, access.offset, access.strides);
  if (!at) return std::nullopt;
  if (expression.kind == Expression::Kind::kShortFold)
    return combine(expression, follow(*at, space.arguments[0], expression.arguments[0].offset));
  if (expression.kind == Expression::Kind::kSelect) {
    const Reading& condition = expression.arguments[0];
    Access below;
    if (condition.storage) below = follow(*at, space.arguments[0], condition.offset);
    if (std::optional<bool> known = known_condition(condition, below)) {
      int chosen = *known ? 1 : 2;
      const Reading& reading = expression.arguments[chosen];
      if (reading.storage) below = follow(*at, space.arguments[chosen], reading.offset);
      return convert(argument(reading, below), expression.dtype, expression.watched, expression);
    }
  }
  Step step;
  step.kind = static_cast<Step::Kind>(expression.kind);
  step.op = expression.op;
  step.count = expression.count;
  step.result = expression.dtype;
  step.watched = raises(step) ? expression.watched : 0;
  for (int i = 0; i < expression.count; ++i) {
    const Reading& reading = expression.arguments[i];
    Access below;
    if (reading.storage) below = follow(*at, space.arguments[i], reading.offset);
    std::uint16_t value = argument(reading, below);
    step.types[i] = step.kind == Step::Kind::kConvert ? reading.dtype : expression.loop_types[i];
    step.arguments[i] = step.kind == Step::Kind::kConvert ? value
                                                          : convert(value, expression.loop_types[i],
                                                                    expression.watched, expression);
  }
  if (step.kind == Step::Kind::kConvert && step.types[0] == step.result) return step.arguments[0];
  return add_step(step, expression);
}

std::uint16_t LoopBuilder::add_range(LoopInput input) {
  for (std::size_t i = 0; i < planned_.loop.inputs.size(); ++i) {
    const LoopInput& known = planned_.loop.inputs[i];
    bool same = known.kind == input.kind && known.first == input.first;
    if (same && known.strides == input.strides) return static_cast<std::uint16_t>(i);
  }
  return add_input(std::move(input), {});
}

std::uint16_t LoopBuilder::add_arithmetic(Op op, std::uint16_t a, std::uint16_t b, DType type,
                                          Expression& origin, std::uint8_t watched) {
  Step step;
  step.op = op;
  step.watched = watched;
  step.count = 2;
  step.types[0] = step.types[1] = step.result = type;
  step.arguments[0] = a;
  step.arguments[1] = b;
  return add_step(step, origin);
}

std::uint16_t LoopBuilder::add_comparison(Op op, std::uint16_t a, std::uint16_t b, DType type,
                                          Expression& origin) {
  Step step;
  step.op = op;
  step.count = facts(op).inputs;
  for (int i = 0; i < step.count; ++i) {
    step.types[i] = type;
    step.arguments[i] = i == 0 ? a : b;
  }
  step.result = DType::kBool;
  return add_step(step, origin);
}

std::uint16_t LoopBuilder::add_select(std::uint16_t condition, std::uint16_t a, std::uint16_t b,
                                      DType type, Expression& origin) {
  Step step;
  step.kind = Step::Kind::kSelect;
  step.count = 3;
  step.types[0] = DType::kBool;
  step.types[1] = step.types[2] = step.result = type;
  step.arguments[0] = condition;
  step.arguments[1] = a;
  step.arguments[2] = b;
  return add_step(step, origin);
}

std::uint16_t LoopBuilder::argument(const Reading& reading, const Access& access, bool apart) {
  if (!reading.storage) return add_scalar(reading.scalar);
  return read(*reading.storage, access, reading.dtype, apart);
}

std::uint16_t LoopBuilder::convert(std::uint16_t value, DType wanted, std::uint8_t watched,
                                   Expression& origin) {
  std::size_t index = value & ~kStepBit;
  DType type =
      value & kStepBit ? planned_.loop.steps[index].result : planned_.loop.inputs[index].dtype;
  if (type == wanted) return value;
  Step step;
  step.kind = Step::Kind::kConvert;
  step.count = 1;
  step.types[0] = type;
  step.arguments[0] = value;
  step.result = wanted;
  step.watched = watched;
  return add_step(step, origin);
}

std::uint16_t LoopBuilder::add_input(LoopInput input, PlannedInput planned) {
  planned_.loop.inputs.push_back(std::move(input));
  planned_.inputs.push_back(planned);
  return static_cast<std::uint16_t>(planned_.loop.inputs.size() - 1);
}

std::uint16_t LoopBuilder::add_scalar(const Scalar& scalar) {
  for (std::size_t i = 0; i < planned_.loop.inputs.size(); ++i) {
    const Scalar* known = planned_.inputs[i].scalar;
    if (known && known->is_same_as(scalar)) {
      return static_cast<std::uint16_t>(i);
    }
  }
  LoopInput input;
  input.kind = LoopInput::Kind::kScalar;
  input.dtype = scalar.dtype();
  input.strides = Dims(planned_.loop.extents.size());
  return add_input(std::move(input), {nullptr, 0, &scalar});
}

std::uint16_t LoopBuilder::add_step(const Step& step, Expression& origin) {
  std::vector<Step>& steps = planned_.loop.steps;
  auto same = std::find(steps.begin(), steps.end(), step);
  if (same == steps.end()) same = steps.insert(steps.end(), step);
  auto index = static_cast<std::uint16_t>(same - steps.begin());
  planned_.origins.push_back({index, &origin});
  return static_cast<std::uint16_t>(kStepBit | index);
}

const std::uint16_t* LoopBuilder::find(const Expression& expression) const {
  auto entry = known_.find(expression.storage);
  if (entry == known_.end() || expression.size() != points_) return nullptr;
  for (const Known& known : entry->second) {
    if (is_dense_access(known.access, expression.dtype)) return &known.value;
  }
  return nullptr;
}

void LoopBuilder::write(Expression& expression, std::uint16_t value) {
  planned_.loop.outputs.push_back(
      {value, expression.dtype, dense_access(expression.dtype).strides});
  planned_.outputs.push_back({&expression});
}

bool LoopBuilder::write_places(Expression& expression, const LeftOutAxis& axis) {
  for (std::int64_t place = 0; place < axis.places; ++place) {
    Access access{place * axis.step, axis.strides};
    std::optional<std::uint16_t> value = compute_at(expression, access);
    if (!value) return false;
    planned_.loop.outputs.push_back({*value, expression.dtype, axis.strides});
    planned_.outputs.push_back({&expression, access.offset});
  }
  return true;
}

void LoopBuilder::fold(Expression& expression) {
  const Reading& reading = expression.arguments[0];
  std::uint16_t value = read(*reading.storage, {reading.offset, reading.strides}, reading.dtype);
  LoopFold fold = expression.fold;
  fold.value = convert(value, fold.type, 0, expression);
  planned_.loop.folds.push_back(fold);
  planned_.folded = &expression;
}

PlannedLoop LoopBuilder::take() {
  FusedLoop& loop = planned_.loop;
  auto inputs = static_cast<std::uint16_t>(loop.inputs.size());
  auto number = [&](std::uint16_t& value) {
    if (value & kStepBit) value = static_cast<std::uint16_t>((value & ~kStepBit) + inputs);
  };
  for (Step& step : loop.steps) {
    for (int i = 0; i < step.count; ++i) number(step.arguments[i]);
  }
  for (LoopOutput& output : loop.outputs) number(output.value);
  for (LoopFold& fold : loop.folds) number(fold.value);
  name_neighbours(planned_);
  return std::move(planned_);
}

}  // namespace strider::nd
