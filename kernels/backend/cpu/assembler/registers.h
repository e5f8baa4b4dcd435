// Registers: which values of one iteration are in registers, on the stack or still in memory.
// Registers are taken in the order of the steps; the value needed last makes room.
#pragma once

#include <vector>

#include "kernels/backend/cpu/assembler/vector_code.h"
#include "kernels/backend/loop.h"

namespace strider::nd {

// Where a loop's inputs are, as code.
class InputCode {
 public:
  virtual ~InputCode() = default;
  // Loads (or broadcasts) the input into a register.
  virtual void load_input(std::uint16_t input, int index) = 0;
};

class Registers {
 public:
  // The wanted values are used, one after the other, behind the last step.
  Registers(VectorCode& code, InputCode& inputs, const FusedLoop& loop,
            const std::vector<std::uint16_t>& wanted);

  // Forgets everything: the steps will be written once more.
  void start_again();
  // Sets the last `count` registers aside; returns the first of them.
  int set_aside(int count);
  // Has the input in a register that was set aside, whatever is loaded there.
  void fix(std::uint16_t input, int reg);
  // Keeps inputs in registers that the values never need; emits their loads.
  void pin(const std::vector<std::uint16_t>& candidates);
  // The register that holds the value, which stays there until the step ends.
  int use(std::uint16_t value);
  // A register for the result of this step.
  int define(std::uint16_t value);
  // Moves to the next step: registers of values that are never used again are free.
  void end_step();
  // Empties all registers before a call; what later steps need is saved first. Registers keep their
  // contents until the call.
  void save_for_call();
  // As define, after a call: the result is in register 0.
  void define_returned(std::uint16_t value);
  // Values are saved at the stack pointer, in slots of this many bytes.
  static constexpr int kSlot = 64;
  static constexpr int kMostSlots = 96;

 private:
  static constexpr int kNone = -1;
  struct Value {
    std::vector<int> uses;
    std::size_t next = 0;  // the first use that is not over
    int size = 0;
    int reg = kNone;
    int slot = kNone;
    bool pinned = false;
  };

  int most_alive(const std::vector<std::uint16_t>& without) const;
  void advance(Value& value);
  int next_use(const Value& value) const;
  int take_register();
  void evict(std::uint16_t value);
  void free_value(Value& value);
  Xbyak::RegExp slot_address(int slot) const;

  VectorCode& code_;
  InputCode& inputs_;
  std::size_t input_count_;
  std::vector<Value> values_;
  std::vector<int> owners_;   // the value in each register
  std::vector<bool> locked_;  // registers of this step
  std::vector<int> free_slots_;
  int slots_ = 0;
  int step_ = 0;
};

}  // namespace strider::nd
