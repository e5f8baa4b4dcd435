// Caller: steps that call a function on one vector: the routines of elementary.def, the C library,
// or the step's own kernel.
#pragma once

#include "kernels/backend/cpu/assembler/registers.h"
#include "kernels/backend/cpu/assembler/routines.h"

namespace strider::nd {

// Whether a step is computed by a call: no vector register outlives it.
bool is_call(const Step& step);

class Caller {
 public:
  Caller(VectorCode& code, Registers& registers, Target target)
      : code_(code), registers_(registers), target_(target) {}

  // The code of a step that is a call; false when it has none. Adds lanes whose conditions may
  // matter to `flags`.
  bool emit(const Step& step, std::uint16_t value, const int* arguments, const Xbyak::Reg32& flags);

  // The frame below the stack pointer: saved values, then operands of what is called.
  static constexpr int kArguments = Registers::kMostSlots * Registers::kSlot;
  static constexpr int kReturned = kArguments + 3 * 64;
  static constexpr int kPointers = kReturned + 64;
  static constexpr int kHead = kPointers + 32;  // not a call's
  static constexpr int kFrame = kPointers + 64;

 private:
  bool call_routine(const Step& step, const int* arguments, const Xbyak::Reg32& flags);
  void call_vectors(const void* routine, const Step& step, const int* arguments, int size);
  void call_scalars(ScalarRoutine routine, const Step& step, const int* arguments, int size);
  bool call_kernel(const Step& step, const int* arguments);
  void move_argument(int to, int from, int size, bool halves);
  Vec full(int index) const;

  VectorCode& code_;
  Registers& registers_;
  Target target_;
};

}  // namespace strider::nd
