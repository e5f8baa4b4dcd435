// Places values: a value's buffer is free again after its last use, so that few stay in the cache.
#include "kernels/backend/cpu/fused/program.h"

#include <strider/nd/floating_errors.h>

#include <algorithm>
#include <bit>

namespace strider::nd {
namespace {

// Hands out buffers of one tile by the size of an element.
class Buffers {
 public:
  std::uint32_t take(int size) {
    auto& free = free_[std::countr_zero(static_cast<unsigned>(size))];
    if (!free.empty()) {
      std::uint32_t offset = free.back();
      free.pop_back();
      return offset;
    }
    std::uint32_t offset = used_;
    used_ += static_cast<std::uint32_t>(kTile * std::max(size, 4));
    return offset;
  }
  void give(std::uint32_t offset, int size) {
    free_[std::countr_zero(static_cast<unsigned>(size))].push_back(offset);
  }
  std::uint32_t used() const { return used_; }

 private:
  std::vector<std::uint32_t> free_[5];
  std::uint32_t used_ = 0;
};

// The last step that uses each value.
std::vector<std::size_t> last_uses(const FusedLoop& loop) {
  std::vector<std::size_t> last(loop.inputs.size() + loop.steps.size(), 0);
  for (std::size_t i = 0; i < loop.steps.size(); ++i) {
    const Step& step = loop.steps[i];
    for (int k = 0; k < step.count; ++k) last[step.arguments[k]] = i;
  }
  return last;
}

}  // namespace

Kernel kernel_of(const Step& step) {
  if (step.kind == Step::Kind::kSelect) {
    return kernels().select[std::countr_zero(static_cast<unsigned>(item_size(step.result)))];
  }
  bool mixed = step.count == 2 && step.types[0] != step.types[1] && step.op != Op::kLdexp;
  if (!mixed) return find_kernel(step.op, step.types[0]);
  int row = static_cast<int>(step.op) - static_cast<int>(Op::kEqual);
  return kernels().compare_mixed[step.types[0] == DType::kUInt64][row];
}

TileProgram::TileProgram(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted) {
  place_values(loop, wanted);
  std::size_t inputs = loop.inputs.size();
  for (std::size_t i = 0; i < loop.steps.size(); ++i) {
    const Step& step = loop.steps[i];
    Call call;
    call.count = step.count;
    call.step = static_cast<std::uint16_t>(i);
    call.result = places_[inputs + i];
    for (int k = 0; k < step.count; ++k) call.arguments[k] = places_[step.arguments[k]];
    if (step.kind == Step::Kind::kConvert) {
      call.cast = kernels().casts[static_cast<int>(step.types[0])][static_cast<int>(step.result)];
      call.sizes[0] = static_cast<std::uint8_t>(item_size(step.types[0]));
      call.sizes[1] = static_cast<std::uint8_t>(item_size(step.result));
    } else {
      call.kernel = kernel_of(step);
    }
    watched_ |= step.watched;
    watches_.push_back(step.watched);
    calls_.push_back(call);
  }
  copy_inputs(loop, wanted);
}

void TileProgram::place_values(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted) {
  std::size_t inputs = loop.inputs.size();
  places_.resize(inputs + loop.steps.size());
  for (std::size_t i = 0; i < inputs; ++i) {
    places_[i] = {Place::Kind::kInput, static_cast<std::uint32_t>(i)};
  }
  std::vector<bool> given(places_.size(), false);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < inputs || given[wanted[i]]) continue;
    places_[wanted[i]] = {Place::Kind::kOutput, static_cast<std::uint32_t>(i)};
    given[wanted[i]] = true;
  }
  std::vector<std::size_t> last = last_uses(loop);
  Buffers buffers;
  for (std::size_t i = 0; i < loop.steps.size(); ++i) {
    const Step& step = loop.steps[i];
    std::uint16_t value = static_cast<std::uint16_t>(inputs + i);
    if (!given[value])
      places_[value] = {Place::Kind::kScratch, buffers.take(item_size(step.result))};
    for (int k = 0; k < step.count; ++k) {
      std::uint16_t argument = step.arguments[k];
      bool again = std::find(step.arguments, step.arguments + k, argument) != step.arguments + k;
      if (again || last[argument] != i || places_[argument].kind != Place::Kind::kScratch) continue;
      buffers.give(places_[argument].index, item_size(loop.type_of(argument)));
    }
  }
  scratch_bytes_ = buffers.used();
}

// Values wanted twice, and inputs that are wanted as they are.
void TileProgram::copy_inputs(const FusedLoop& loop, const std::vector<std::uint16_t>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Place& place = places_[wanted[i]];
    Place target{Place::Kind::kOutput, static_cast<std::uint32_t>(i)};
    if (place.kind == target.kind && place.index == target.index) continue;
    Call copy;
    DType type = loop.type_of(wanted[i]);
    copy.cast = kernels().casts[static_cast<int>(type)][static_cast<int>(type)];
    copy.count = 1;
    copy.sizes[0] = copy.sizes[1] = static_cast<std::uint8_t>(item_size(type));
    copy.arguments[0] = place;
    copy.result = target;
    copy.step = static_cast<std::uint16_t>(loop.steps.size());
    calls_.push_back(copy);
  }
  watches_.push_back(0);
}

void TileProgram::call(const Call& call, const std::byte* const* inputs, std::byte* const* outputs,
                       std::int64_t count, std::byte* scratch) const {
  const std::byte* from[3] = {};
  for (int k = 0; k < call.count; ++k) {
    const Place& place = call.arguments[k];
    switch (place.kind) {
      case Place::Kind::kInput:
        from[k] = inputs[place.index];
        break;
      case Place::Kind::kOutput:
        from[k] = outputs[place.index];
        break;
      case Place::Kind::kScratch:
        from[k] = scratch + place.index;
        break;
    }
  }
  bool stays = call.result.kind == Place::Kind::kScratch;
  std::byte* to[1] = {stays ? scratch + call.result.index : outputs[call.result.index]};
  if (call.cast)
    call.cast(from[0], call.sizes[0], to[0], call.sizes[1], count);
  else
    call.kernel(from, to, count);
}

void TileProgram::run(const std::byte* const* inputs, std::byte* const* outputs, std::int64_t count,
                      std::byte* scratch, StepConditions* conditions) const {
  for (const Call& each : calls_) call(each, inputs, outputs, count, scratch);
  if (!conditions || !(take_floating_errors().flags & watched_)) return;
  attribute(inputs, outputs, count, scratch, *conditions);
}

// Runs the tile again, one step at a time, to learn which step raised what.
void TileProgram::attribute(const std::byte* const* inputs, std::byte* const* outputs,
                            std::int64_t count, std::byte* scratch,
                            StepConditions& conditions) const {
  for (const Call& each : calls_) {
    call(each, inputs, outputs, count, scratch);
    conditions[each.step] |= take_floating_errors().flags & watches_[each.step];
  }
}

}  // namespace strider::nd
