// Calls keep no register: what later steps need is saved before, and the result comes in register
// 0.
#include "kernels/backend/cpu/assembler/call.h"

#include <strider/nd/floating_errors.h>

#include "kernels/backend/cpu/fused/program.h"

namespace strider::nd {

using namespace Xbyak;

namespace {

bool is_elementary(const Step& step) { return facts(step.op).conditions == Conditions::kDerived; }
bool is_half(const Step& step) { return step.types[0] == DType::kFloat16; }

}  // namespace

// Elementary functions, and operations so dear that a call of their kernel for every vector does
// not matter.
bool is_call(const Step& step) {
  bool operation = step.kind == Step::Kind::kOperation && facts(step.op).outputs == 1;
  if (!operation || step.types[0] == DType::kBool) return false;
  bool division = facts(step.op).group == OpGroup::kDivision && is_inexact(step.types[0]);
  return is_elementary(step) || division || step.op == Op::kGcd || step.op == Op::kLcm;
}

bool Caller::emit(const Step& step, std::uint16_t value, const int* arguments, const Reg32& flags) {
  bool by_routine = is_elementary(step) && call_routine(step, arguments, flags);
  if (!by_routine && !call_kernel(step, arguments)) return false;
  registers_.define_returned(value);
  return true;
}

bool Caller::call_routine(const Step& step, const int* arguments, const Reg32& flags) {
  DType type = is_half(step) ? DType::kFloat32 : step.types[0];
  int size = item_size(type);
  if (const void* routine = find_routine(step.op, type, target_)) {
    call_vectors(routine, step, arguments, size);
  } else if (ScalarRoutine scalar = find_scalar_routine(step.op, type)) {
    call_scalars(scalar, step, arguments, size);
  } else {
    return false;
  }
  if (step.watched) {
    bool may_vanish = step.op == Op::kExp || step.op == Op::kExp2 || step.op == Op::kPower ||
                      step.op == Op::kFloatPower;
    bool tiny = may_vanish && (step.watched & FloatingErrors::kUnderflow);
    code_.note_suspicious(code_.vec(0, size), size, tiny, flags);
  }
  if (is_half(step)) code_.vcvtps2ph(code_.vec(0, 2), code_.vec(0, 4), 0);
  return true;
}

void Caller::call_vectors(const void* routine, const Step& step, const int* arguments, int size) {
  registers_.save_for_call();
  int second = code_.value_registers();
  if (step.count > 1) move_argument(second, arguments[1], size, is_half(step));
  move_argument(0, arguments[0], size, is_half(step));
  if (step.count > 1) code_.vmovaps(full(1), full(second));
  code_.mov(code_.rax, reinterpret_cast<std::uintptr_t>(routine));
  code_.call(code_.rax);
}

Vec Caller::full(int index) const { return Vec(code_.wide() ? Operand::ZMM : Operand::YMM, index); }

// An argument of a routine, which wants whole vectors: lanes that nobody needs repeat others.
void Caller::move_argument(int to, int from, int size, bool halves) {
  if (halves) {
    code_.vcvtph2ps(code_.vec(to, 4), code_.vec(from, 2));
  } else {
    code_.copy(code_.vec(to, size), code_.vec(from, size));
  }
  int bytes = code_.lanes() * size;
  if (bytes == vector_bytes(target_)) return;
  if (code_.wide()) {
    code_.vshuff64x2(Zmm(to), Zmm(to), Zmm(to), bytes == 32 ? 0x44 : 0);
  } else if (bytes == 16) {
    code_.vinsertf128(Ymm(to), Ymm(to), Xmm(to), 1);
  } else {
    code_.vpbroadcastq(Ymm(to), Xmm(to));
  }
}

// Elements that go through the C library one by one, by way of the stack.
void Caller::call_scalars(ScalarRoutine routine, const Step& step, const int* arguments, int size) {
  registers_.save_for_call();
  for (int k = 0; k < step.count; ++k) {
    int from = arguments[k];
    if (is_half(step)) {
      from = code_.value_registers();
      code_.vcvtph2ps(code_.vec(from, 4), code_.vec(arguments[k], 2));
    }
    code_.store(from, size, code_.rsp + (kArguments + 64 * k));
  }
  code_.lea(code_.rdi, code_.ptr[code_.rsp + kArguments]);
  code_.lea(code_.rsi, code_.ptr[code_.rsp + (kArguments + 64)]);
  code_.lea(code_.rdx, code_.ptr[code_.rsp + kReturned]);
  code_.mov(code_.ecx, code_.lanes());
  code_.mov(code_.rax, reinterpret_cast<std::uintptr_t>(routine));
  code_.vzeroupper();
  code_.call(code_.rax);
  code_.load(0, size, code_.rsp + kReturned);
}

// The kernel itself, on one vector by way of the stack.
bool Caller::call_kernel(const Step& step, const int* arguments) {
  Kernel kernel = kernel_of(step);
  if (!kernel) return false;
  registers_.save_for_call();
  for (int k = 0; k < step.count; ++k) {
    code_.store(arguments[k], item_size(step.types[k]), code_.rsp + (kArguments + 64 * k));
    code_.lea(code_.rax, code_.ptr[code_.rsp + (kArguments + 64 * k)]);
    code_.mov(code_.ptr[code_.rsp + (kPointers + 8 * k)], code_.rax);
  }
  code_.lea(code_.rax, code_.ptr[code_.rsp + kReturned]);
  code_.mov(code_.ptr[code_.rsp + (kPointers + 24)], code_.rax);
  code_.lea(code_.rdi, code_.ptr[code_.rsp + kPointers]);
  code_.lea(code_.rsi, code_.ptr[code_.rsp + (kPointers + 24)]);
  code_.mov(code_.edx, code_.lanes());
  code_.mov(code_.rax, reinterpret_cast<std::uintptr_t>(kernel));
  code_.vzeroupper();
  code_.call(code_.rax);
  code_.load(0, item_size(step.result), code_.rsp + kReturned);
  return true;
}

}  // namespace strider::nd
