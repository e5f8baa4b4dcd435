// Values go to dense temporaries, which are used again when nobody needs them any more, or straight
// into outputs. What replaces elements that others read is written last.
#include "kernels/backend/unfused.h"

#include <algorithm>

#include "kernels/core/node.h"

namespace strider::nd {
namespace {

using Operand = SingleLoop::Place;

int alignment_of(DType dtype) { return item_size(dtype) / (is_complex(dtype) ? 2 : 1); }

std::uintptr_t number_of(const std::byte* address) {
  return reinterpret_cast<std::uintptr_t>(address);
}

class Unfusing {
 public:
  Unfusing(const FusedLoop& loop, const LoopMemory& memory)
      : loop_(loop), memory_(memory), points_(loop.point_count()) {}

  std::optional<UnfusedLoop> unfuse() {
    if (!can_be_taken_apart()) return std::nullopt;
    count_uses();
    place_inputs();
    for (std::size_t i = 0; i < loop_.steps.size(); ++i) add_step(i);
    for (std::size_t i = 0; i < loop_.outputs.size(); ++i) {
      if (!is_last(i)) add_output(i);
    }
    for (const LoopFold& fold : loop_.folds) add_fold(fold);
    for (std::size_t i = 0; i < loop_.outputs.size(); ++i) {
      if (is_last(i)) add_output(i);
    }
    return std::move(result_);
  }

 private:
  // A value: where it is, or, while it lies anyhow, where its copy comes from.
  struct Value {
    enum class State { kMissing, kScalar, kDense, kElsewhere };
    State state = State::kMissing;
    Operand place;
    int uses = 0;  // that are still to come
  };

  std::size_t input_count() const { return loop_.inputs.size(); }
  DType type_of(std::size_t value) const {
    return loop_.type_of(static_cast<std::uint16_t>(value));
  }

  bool can_be_taken_apart() const {
    if (points_ == 0 || memory_.delay > 0 || loop_.folds.size() > 1) return false;
    for (const Step& step : loop_.steps) {
      if (step.watched & ~kUsuallyWatched) return false;
    }
    for (std::size_t i = 0; i < input_count(); ++i) {
      const LoopInput& input = loop_.inputs[i];
      bool lies = input.kind == LoopInput::Kind::kMemory;
      if (lies && !is_aligned(memory_.inputs[i], input.strides, input.dtype)) return false;
    }
    for (std::size_t i = 0; i < loop_.outputs.size(); ++i) {
      const LoopOutput& output = loop_.outputs[i];
      if (!is_aligned(memory_.outputs[i], output.strides, output.dtype)) return false;
    }
    return true;
  }

  bool is_aligned(const std::byte* address, const Dims& strides, DType dtype) const {
    std::uint64_t bits = number_of(address);
    for (int axis = 0; axis < strides.size(); ++axis) {
      if (loop_.extents[axis] != 1) bits |= static_cast<std::uint64_t>(strides[axis]);
    }
    return bits % static_cast<std::uint64_t>(alignment_of(dtype)) == 0;
  }

  // Whether elements lie in the loop's order, and two of them can be moved at once.
  bool is_dense(const std::byte* address, const Dims& strides, DType dtype) const {
    std::int64_t step = item_size(dtype);
    if (number_of(address) % static_cast<std::uintptr_t>(2 * step) != 0) return false;
    for (int axis = loop_.extents.size() - 1; axis >= 0; --axis) {
      if (loop_.extents[axis] != 1 && strides[axis] != step) return false;
      step *= loop_.extents[axis];
    }
    return true;
  }
  bool is_dense_output(std::size_t output) const {
    const LoopOutput& it = loop_.outputs[output];
    return is_dense(memory_.outputs[output], it.strides, it.dtype);
  }
  // Whether it replaces elements that loops before it read.
  bool is_last(std::size_t output) const { return output == 0 && memory_.delay == 0; }

  void count_uses() {
    values_.resize(input_count() + loop_.steps.size());
    for (const Step& step : loop_.steps) {
      for (int i = 0; i < step.count; ++i) ++values_[step.arguments[i]].uses;
    }
    for (const LoopOutput& output : loop_.outputs) ++values_[output.value].uses;
    for (const LoopFold& fold : loop_.folds) ++values_[fold.value].uses;
  }

  void place_inputs() {
    for (std::size_t i = 0; i < input_count(); ++i) {
      const LoopInput& input = loop_.inputs[i];
      Value& value = values_[i];
      value.place = {Operand::Kind::kInput, i};
      bool dense = input.kind == LoopInput::Kind::kMemory &&
                   is_dense(memory_.inputs[i], input.strides, input.dtype);
      value.state = input.kind == LoopInput::Kind::kScalar ? Value::State::kScalar
                    : dense                                ? Value::State::kDense
                                                           : Value::State::kElsewhere;
    }
  }

  Operand take_temporary(DType dtype) {
    std::size_t bytes =
        static_cast<std::size_t>(points_) * static_cast<std::size_t>(item_size(dtype));
    auto& sizes = result_.temporaries;
    auto fits = std::find_if(unused_.begin(), unused_.end(),
                             [&](std::size_t each) { return sizes[each] >= bytes; });
    if (fits == unused_.end()) {
      sizes.push_back(bytes);
      return {Operand::Kind::kTemporary, sizes.size() - 1};
    }
    std::size_t index = *fits;
    unused_.erase(fits);
    return {Operand::Kind::kTemporary, index};
  }

  void use(std::size_t value) {
    Value& it = values_[value];
    bool temporary = it.state == Value::State::kDense && it.place.kind == Operand::Kind::kTemporary;
    if (--it.uses == 0 && temporary) unused_.push_back(it.place.index);
  }

  LoopInput dense_input(DType dtype) const {
    LoopInput input;
    input.dtype = dtype;
    input.strides = {item_size(dtype)};
    return input;
  }
  LoopInput scalar_input(DType dtype) const {
    LoopInput input;
    input.kind = LoopInput::Kind::kScalar;
    input.dtype = dtype;
    return input;
  }
  LoopInput input_for(std::size_t value, DType dtype) const {
    bool scalar = values_[value].state == Value::State::kScalar;
    return scalar ? scalar_input(dtype) : dense_input(dtype);
  }
  static LoopOutput dense_output(std::uint16_t value, DType dtype) {
    return {value, dtype, Dims{item_size(dtype)}};
  }

  // A loop from one place to another that computes nothing.
  SingleLoop& add_move(LoopInput input, Operand from, LoopOutput output, Operand to) {
    SingleLoop single;
    single.loop.extents = {points_};
    single.loop.inputs.push_back(std::move(input));
    single.loop.outputs.push_back(std::move(output));
    single.inputs.push_back(from);
    single.output = to;
    result_.loops.push_back(std::move(single));
    return result_.loops.back();
  }

  // What elements of an input are moved as.
  LoopInput carried_input(std::size_t index) const {
    LoopInput input = loop_.inputs[index];
    if (input.kind == LoopInput::Kind::kMemory) input.dtype = carrier_of(input.dtype);
    input.neighbour = -1;
    input.shift = 0;
    return input;
  }
  Dims all_strides(DType dtype) const { return dense_strides(loop_.extents, item_size(dtype)); }

  // Makes a value dense that is not.
  void pack(std::size_t value) {
    Value& it = values_[value];
    if (it.state == Value::State::kDense) return;
    Operand to = take_temporary(type_of(value));
    if (it.state == Value::State::kScalar) {
      DType dtype = type_of(value);
      add_move(scalar_input(dtype), it.place, dense_output(0, dtype), to);
    } else {
      LoopInput input = carried_input(value);
      LoopOutput output{0, input.dtype, all_strides(input.dtype)};
      arrange(add_move(std::move(input), it.place, std::move(output), to));
    }
    it.place = to;
    it.state = Value::State::kDense;
  }

  // Gives a copy the whole loop's axes.
  void arrange(SingleLoop& copy) const {
    copy.arranges = true;
    copy.loop.extents = loop_.extents;
  }

  // The output that a step may write into at once.
  std::optional<std::size_t> direct_output(std::size_t value) const {
    for (std::size_t i = 0; i < loop_.outputs.size(); ++i) {
      if (loop_.outputs[i].value != value || !is_dense_output(i)) continue;
      bool last_of_all =
          value + 1 == values_.size() && loop_.outputs.size() == 1 && loop_.folds.empty();
      if (!is_last(i) || last_of_all) return i;
    }
    return std::nullopt;
  }

  void add_step(std::size_t index) {
    const Step& step = loop_.steps[index];
    bool any_dense = false;
    for (int i = 0; i < step.count; ++i) {
      std::size_t argument = step.arguments[i];
      if (values_[argument].state == Value::State::kElsewhere) pack(argument);
      any_dense |= values_[argument].state == Value::State::kDense;
    }
    if (!any_dense || step.count == 3) pack(step.arguments[0]);
    SingleLoop single;
    single.loop.extents = {points_};
    Step own = step;
    own.watched = may_raise(step) ? kUsuallyWatched : 0;
    for (int i = 0; i < step.count; ++i) {
      std::size_t argument = step.arguments[i];
      single.loop.inputs.push_back(input_for(argument, step.types[i]));
      single.inputs.push_back(values_[argument].place);
      own.arguments[i] = static_cast<std::uint16_t>(i);
    }
    single.loop.steps.push_back(own);
    single.loop.outputs.push_back(dense_output(step.count, step.result));
    single.word = static_cast<int>(index);
    std::size_t value = input_count() + index;
    std::optional<std::size_t> output = direct_output(value);
    Value& made = values_[value];
    made.place = output ? Operand{Operand::Kind::kOutput, *output} : take_temporary(step.result);
    made.state = Value::State::kDense;
    single.output = made.place;
    result_.loops.push_back(std::move(single));
    for (int i = 0; i < step.count; ++i) use(step.arguments[i]);
  }

  void add_output(std::size_t index) {
    const LoopOutput& output = loop_.outputs[index];
    std::size_t value = output.value;
    Operand from = values_[value].place, to{Operand::Kind::kOutput, index};
    if (from.kind == to.kind && from.index == index) return use(value);
    bool elsewhere = values_[value].state == Value::State::kElsewhere;
    if (!elsewhere && is_dense_output(index)) {
      add_move(input_for(value, output.dtype), from, dense_output(0, output.dtype), to);
      return use(value);
    }
    LoopInput input;
    if (elsewhere) {
      input = carried_input(value);
    } else {
      pack(value);
      input = dense_input(carrier_of(output.dtype));
      input.strides = all_strides(input.dtype);
    }
    LoopOutput written{0, input.dtype, output.strides};
    arrange(add_move(std::move(input), values_[value].place, std::move(written), to));
    use(value);
  }

  void add_fold(const LoopFold& fold) {
    pack(fold.value);
    SingleLoop single;
    single.loop.extents = loop_.extents;
    LoopInput input = dense_input(fold.type);
    input.strides = all_strides(fold.type);
    single.loop.inputs.push_back(std::move(input));
    single.loop.folds.push_back(fold);
    single.loop.folds[0].value = 0;
    single.inputs.push_back(values_[fold.value].place);
    single.output = {Operand::Kind::kOutput, loop_.outputs.size()};
    single.word = static_cast<int>(loop_.steps.size());
    result_.loops.push_back(std::move(single));
    use(fold.value);
  }

  const FusedLoop& loop_;
  const LoopMemory& memory_;
  std::int64_t points_;
  std::vector<Value> values_;
  std::vector<std::size_t> unused_;  // temporaries
  UnfusedLoop result_;
};

}  // namespace

bool may_raise(const Step& step) {
  if (step.kind == Step::Kind::kOperation) return facts(step.op).conditions != Conditions::kNone;
  return step.kind == Step::Kind::kConvert;
}

DType carrier_of(DType dtype) {
  if (is_complex(dtype)) return dtype;
  constexpr DType kBySize[] = {DType::kUInt8, DType::kUInt16, DType::kUInt32, DType::kUInt64};
  int size = item_size(dtype);
  return kBySize[size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3];
}

std::size_t UnfusedLoop::bytes() const {
  std::size_t all = 0;
  for (std::size_t each : temporaries) all += each;
  return all;
}

std::optional<UnfusedLoop> unfuse(const FusedLoop& loop, const LoopMemory& memory) {
  return Unfusing(loop, memory).unfuse();
}

LoopMemory memory_of(const SingleLoop& single, const LoopMemory& whole,
                     std::span<std::byte* const> temporaries) {
  auto writable = [&](const Operand& place) {
    return place.kind == Operand::Kind::kOutput ? whole.outputs[place.index]
                                              : temporaries[place.index];
  };
  LoopMemory memory;
  for (const Operand& place : single.inputs) {
    bool input = place.kind == Operand::Kind::kInput;
    memory.inputs.push_back(input ? whole.inputs[place.index] : writable(place));
  }
  memory.outputs.push_back(writable(single.output));
  for (const std::byte* input : memory.inputs) {
    if (input == memory.outputs[0]) memory.delay = 0;
  }
  return memory;
}

bool DeviceTemporaries::take() {
  addresses_.reserve(sizes_.size());
  for (std::size_t size : sizes_) {
    std::byte* address = device_.take(size);
    if (!address) break;
    addresses_.push_back(address);
  }
  if (addresses_.size() == sizes_.size()) return true;
  free();
  return false;
}

DeviceTemporaries::~DeviceTemporaries() { free(); }

void DeviceTemporaries::free() noexcept {
  for (std::size_t i = 0; i < addresses_.size(); ++i) device_.free(addresses_[i], sizes_[i]);
  addresses_.clear();
}

}  // namespace strider::nd
