// Complex numbers as pairs of lanes. What has no simple form on pairs has no code.
#include "kernels/backend/cpu/assembler/emitter.h"

namespace strider::nd {

bool Emitter::emit_complex(Op op, int size, const Operands& at) {
  bool is_double = size == 8;
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
      return emit_real(op, size, at);
    case Op::kNegative:
    case Op::kPositive:
      return at.to.getBit() == at.a.getBit() && emit_real(op, size, at);
    case Op::kConjugate:  // the sign of every second part
      code_.bits_xor(at.to, at.a,
                     is_double ? code_.pair_literal(0, std::uint64_t{1} << 63)
                               : code_.literal(std::uint64_t{1} << 63, 8));
      return true;
    case Op::kMultiply:
    case Op::kSquare: {
      const Vec& b = op == Op::kSquare ? at.a : at.b;
      Vec cross = code_.temp(2 * size), swapped = code_.temp(2 * size);
      if (is_double) {
        auto swap = std::uint8_t{0x55};
        code_.vpermilpd(cross, at.a, 0xff);
        code_.vpermilpd(swapped, b, swap);
        code_.vmulpd(cross, cross, swapped);
        code_.vmovddup(at.to, at.a);
        code_.vfmaddsub213pd(at.to, b, cross);
      } else {
        code_.vmovshdup(cross, at.a);
        code_.vpermilps(swapped, b, 0xb1);
        code_.vmulps(cross, cross, swapped);
        code_.vmovsldup(at.to, at.a);
        code_.vfmaddsub213ps(at.to, b, cross);
      }
      return true;
    }
    default:
      return false;
  }
}

}  // namespace strider::nd
