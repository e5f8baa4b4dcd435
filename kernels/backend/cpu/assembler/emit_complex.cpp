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
    case Op::kAbsolute:
      complex_length(size, at.to, at.a);
      return true;
    default:
      return false;
  }
}

// As length() does: the larger part times sqrt(1 + ratio²), in both lanes of a pair, of which one
// is kept.
void Emitter::complex_length(int size, const Vec& to, const Vec& a) {
  bool is_double = size == 8;
  std::uint64_t infinity_bits = is_double ? 0x7ff0000000000000 : 0x7f800000;
  auto pairs = [&] { return code_.temp(2 * size); };
  Vec x = pairs(), y = pairs(), high = pairs(), low = pairs();
  std::uint64_t magnitude = (std::uint64_t{1} << (8 * size - 1)) - 1;
  code_.bits_and(x, a, code_.literal(magnitude, size));
  is_double ? code_.vpermilpd(y, x, 0x55) : code_.vpermilps(y, x, 0xb1);
  is_double ? code_.vmaxpd(high, x, y) : code_.vmaxps(high, x, y);
  is_double ? code_.vminpd(low, y, x) : code_.vminps(low, y, x);
  {
    VectorCode::Scope scope(code_);
    Vec divisor = pairs();  // 1 for 0
    code_.zero(divisor);
    Mask none = code_.compare(high, divisor, Ordering::kEqual, size);
    code_.vmovups(divisor, code_.literal(1.0, size));
    code_.blend(divisor, none, divisor, high, size);
    is_double ? code_.vdivpd(low, low, divisor) : code_.vdivps(low, low, divisor);
  }
  Xbyak::Address one = code_.literal(1.0, size);
  is_double ? code_.vfmadd213pd(low, low, one) : code_.vfmadd213ps(low, low, one);
  is_double ? code_.vsqrtpd(low, low) : code_.vsqrtps(low, low);
  is_double ? code_.vmulpd(low, high, low) : code_.vmulps(low, high, low);
  // Infinity if a part is infinite, else NaN if a part is NaN.
  is_double ? code_.vaddpd(high, x, y) : code_.vaddps(high, x, y);
  {
    VectorCode::Scope scope(code_);
    code_.blend(low, code_.compare(high, high, Ordering::kUnordered, size), high, low, size);
  }
  is_double ? code_.vmovupd(high, code_.literal(infinity_bits, size))
            : code_.vmovups(high, code_.literal(infinity_bits, size));
  {
    VectorCode::Scope scope(code_);
    code_.blend(low, code_.compare(x, high, Ordering::kEqual, size), high, low, size);
    code_.blend(low, code_.compare(y, high, Ordering::kEqual, size), high, low, size);
  }
  keep_first_parts(size, to, low);
}

void Emitter::keep_first_parts(int size, const Vec& to, const Vec& pairs) {
  if (size == 4) {
    narrow_integer(8, 4, to.getIdx(), pairs.getIdx());
  } else if (code_.wide()) {
    Xbyak::Opmask every_second(7);
    code_.mov(code_.eax, 0x55);
    code_.kmovd(every_second, code_.eax);
    code_.vcompresspd(Vec(Xbyak::Operand::ZMM, to.getIdx()) | every_second | code_.T_z, pairs);
  } else {
    code_.vpermpd(Xbyak::Ymm(to.getIdx()), Xbyak::Ymm(pairs.getIdx()), 0x08);
  }
}

}  // namespace strider::nd
