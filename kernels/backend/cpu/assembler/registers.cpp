// Belady's rule on straight-line code: the value whose next use is furthest away leaves first, one
// that can be read again before one that must be saved.
#include "kernels/backend/cpu/assembler/registers.h"

#include <algorithm>
#include <limits>

namespace strider::nd {

namespace {
constexpr int kNever = std::numeric_limits<int>::max();
}  // namespace

Registers::Registers(VectorCode& code, InputCode& inputs, const FusedLoop& loop,
                     const std::vector<std::uint16_t>& wanted)
    : code_(code),
      inputs_(inputs),
      input_count_(loop.inputs.size()),
      values_(loop.inputs.size() + loop.steps.size()),
      owners_(static_cast<std::size_t>(code.value_registers()), kNone),
      locked_(owners_.size(), false) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].size = item_size(loop.type_of(static_cast<std::uint16_t>(i)));
  }
  for (std::size_t i = 0; i < loop.steps.size(); ++i) {
    const Step& step = loop.steps[i];
    for (int k = 0; k < step.count; ++k) {
      std::vector<int>& uses = values_[step.arguments[k]].uses;
      if (uses.empty() || uses.back() != static_cast<int>(i)) uses.push_back(static_cast<int>(i));
    }
  }
  int end = static_cast<int>(loop.steps.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    values_[wanted[i]].uses.push_back(end + static_cast<int>(i));
  }
}

// The most values that are alive at once, inputs from their first use on.
int Registers::most_alive(const std::vector<std::uint16_t>& without) const {
  int last = 0;
  for (const Value& value : values_) {
    if (!value.uses.empty()) last = std::max(last, value.uses.back());
  }
  std::vector<int> change(static_cast<std::size_t>(last) + 2, 0);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Value& value = values_[i];
    bool left_out = std::find(without.begin(), without.end(), i) != without.end();
    if (value.uses.empty() || left_out) continue;
    std::size_t from = i - input_count_;
    if (i < input_count_) from = static_cast<std::size_t>(value.uses.front());
    ++change[from];
    --change[static_cast<std::size_t>(value.uses.back()) + 1];
  }
  int alive = 0, most = 0;
  for (int each : change) most = std::max(most, alive += each);
  return most;
}

void Registers::start_again() {
  owners_.assign(static_cast<std::size_t>(code_.value_registers()), kNone);
  locked_.assign(owners_.size(), false);
  for (Value& value : values_) {
    value.next = 0;
    value.reg = value.slot = kNone;
    value.pinned = false;
  }
  free_slots_.clear();
  slots_ = step_ = 0;
}

int Registers::set_aside(int count) {
  auto all = static_cast<int>(owners_.size());
  if (count > all) throw OutOfRoom();
  owners_.resize(static_cast<std::size_t>(all - count));
  return all - count;
}

void Registers::fix(std::uint16_t input, int reg) {
  values_[input].reg = reg;
  values_[input].pinned = true;
}

void Registers::pin(const std::vector<std::uint16_t>& candidates) {
  auto all = static_cast<int>(owners_.size());
  int room = all - most_alive(candidates);
  auto count = static_cast<int>(candidates.size());
  if (count > room) count = std::max(0, room - 2);  // the others pass through two registers
  for (int i = 0; i < count; ++i) {
    std::uint16_t input = candidates[static_cast<std::size_t>(i)];
    int reg = all - 1 - i;
    inputs_.load_input(input, reg);
    values_[input].reg = reg;
    values_[input].pinned = true;
    owners_[static_cast<std::size_t>(reg)] = input;
  }
}

int Registers::next_use(const Value& value) const {
  return value.next < value.uses.size() ? value.uses[value.next] : kNever;
}

Xbyak::RegExp Registers::slot_address(int slot) const { return code_.rsp + slot * kSlot; }

void Registers::evict(std::uint16_t index) {
  Value& value = values_[index];
  bool saved = index < input_count_ || value.slot != kNone || next_use(value) == kNever;
  if (!saved) {
    if (free_slots_.empty()) {
      if (slots_ >= kMostSlots) throw OutOfRoom();
      free_slots_.push_back(slots_++);
    }
    value.slot = free_slots_.back();
    free_slots_.pop_back();
    code_.vmovups(code_.ptr[slot_address(value.slot)], code_.vec(value.reg, value.size));
  }
  owners_[static_cast<std::size_t>(value.reg)] = kNone;
  value.reg = kNone;
}

int Registers::take_register() {
  int best = kNone;
  long best_rank = -1;
  for (std::size_t reg = 0; reg < owners_.size(); ++reg) {
    if (locked_[reg]) continue;
    int owner = owners_[reg];
    if (owner == kNone) return static_cast<int>(reg);
    const Value& value = values_[static_cast<std::size_t>(owner)];
    if (value.pinned) continue;
    bool is_saved = static_cast<std::size_t>(owner) < input_count_ || value.slot != kNone;
    long rank = 2L * next_use(value) + is_saved;
    if (rank > best_rank) {
      best_rank = rank;
      best = static_cast<int>(reg);
    }
  }
  if (best == kNone) throw OutOfRoom();
  evict(static_cast<std::uint16_t>(owners_[static_cast<std::size_t>(best)]));
  return best;
}

int Registers::use(std::uint16_t index) {
  Value& value = values_[index];
  if (value.reg == kNone) {
    int reg = take_register();
    if (value.slot != kNone) {
      code_.vmovups(code_.vec(reg, value.size), code_.ptr[slot_address(value.slot)]);
    } else {
      inputs_.load_input(index, reg);
    }
    value.reg = reg;
    owners_[static_cast<std::size_t>(reg)] = index;
  }
  locked_[static_cast<std::size_t>(value.reg)] = true;
  return value.reg;
}

int Registers::define(std::uint16_t index) {
  int reg = take_register();
  values_[index].reg = reg;
  owners_[static_cast<std::size_t>(reg)] = index;
  locked_[static_cast<std::size_t>(reg)] = true;
  return reg;
}

void Registers::free_value(Value& value) {
  if (value.pinned) return;
  if (value.reg != kNone) owners_[static_cast<std::size_t>(value.reg)] = kNone;
  if (value.slot != kNone) free_slots_.push_back(value.slot);
  value.reg = value.slot = kNone;
}

// Forgets the uses up to this step.
void Registers::advance(Value& value) {
  while (value.next < value.uses.size() && value.uses[value.next] <= step_) ++value.next;
}

void Registers::end_step() {
  std::fill(locked_.begin(), locked_.end(), false);
  for (int owner : owners_) {
    if (owner == kNone) continue;
    Value& value = values_[static_cast<std::size_t>(owner)];
    advance(value);
    if (next_use(value) == kNever) free_value(value);
  }
  ++step_;
}

void Registers::save_for_call() {
  std::fill(locked_.begin(), locked_.end(), false);
  for (int owner : owners_) {
    if (owner == kNone) continue;
    Value& value = values_[static_cast<std::size_t>(owner)];
    advance(value);
    evict(static_cast<std::uint16_t>(owner));
    if (next_use(value) == kNever) free_value(value);
  }
}

void Registers::define_returned(std::uint16_t index) {
  values_[index].reg = 0;
  owners_[0] = index;
  locked_[0] = true;
}

}  // namespace strider::nd
