// Arithmetic on float and double. Every step rounds by itself: nothing is contracted.
#include "kernels/backend/cpu/assembler/emitter.h"

namespace strider::nd {

// The instruction for double or float.
#define BY_SIZE(name, ...) (size == 8 ? code_.name##pd(__VA_ARGS__) : code_.name##ps(__VA_ARGS__))

namespace {

constexpr double kPi = 3.14159265358979323846;

std::uint64_t sign_bits(int size) { return std::uint64_t{1} << (8 * size - 1); }
std::uint64_t magnitude_bits(int size) { return sign_bits(size) - 1; }

// Rounded in the type of the elements.
double quotient(double a, double b, int size) {
  return size == 4 ? static_cast<float>(a) / static_cast<float>(b) : a / b;
}

}  // namespace

bool Emitter::emit_real(Op op, int size, const Operands& at) {
  switch (op) {
    case Op::kAdd:
      BY_SIZE(vadd, at.to, at.a, at.b);
      return true;
    case Op::kSubtract:
      BY_SIZE(vsub, at.to, at.a, at.b);
      return true;
    case Op::kMultiply:
      BY_SIZE(vmul, at.to, at.a, at.b);
      return true;
    case Op::kSquare:
      BY_SIZE(vmul, at.to, at.a, at.a);
      return true;
    case Op::kDivide:
      BY_SIZE(vdiv, at.to, at.a, at.b);
      return true;
    case Op::kReciprocal:
      code_.vmovaps(at.to, code_.literal(1.0, size));
      BY_SIZE(vdiv, at.to, at.to, at.a);
      return true;
    case Op::kSqrt:
      BY_SIZE(vsqrt, at.to, at.a);
      return true;
    case Op::kNegative:
      code_.bits_xor(at.to, at.a, code_.literal(sign_bits(size), size));
      return true;
    case Op::kPositive:
    case Op::kConjugate:
      code_.copy(at.to, at.a);
      return true;
    case Op::kAbsolute:
    case Op::kFabs:
      code_.bits_and(at.to, at.a, code_.literal(magnitude_bits(size), size));
      return true;
    case Op::kDegrees:
    case Op::kRad2deg:
      BY_SIZE(vmul, at.to, at.a, code_.literal(quotient(180.0, kPi, size), size));
      return true;
    case Op::kRadians:
    case Op::kDeg2rad:
      BY_SIZE(vmul, at.to, at.a, code_.literal(quotient(kPi, 180.0, size), size));
      return true;
    case Op::kRint:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc: {
      auto mode = static_cast<std::uint8_t>(op == Op::kRint    ? 8
                                            : op == Op::kFloor ? 9
                                            : op == Op::kCeil  ? 10
                                                               : 11);
      code_.wide() ? BY_SIZE(vrndscale, at.to, at.a, mode) : BY_SIZE(vround, at.to, at.a, mode);
      return true;
    }
    case Op::kMaximum:
    case Op::kMinimum:
    case Op::kFmax:
    case Op::kFmin:
      real_extreme(op, size, at.to, at.a, at.b, op == Op::kFmax || op == Op::kFmin);
      return true;
    case Op::kClip: {
      Vec above = code_.temp(size);
      real_extreme(Op::kMaximum, size, above, at.a, at.b, true);
      real_extreme(Op::kMinimum, size, at.to, above, at.c, true);
      return true;
    }
    case Op::kSign:
      real_sign(size, at.to, at.a);
      return true;
    case Op::kHeaviside:
      real_step(size, at);
      return true;
    case Op::kCopysign: {
      Vec sign = code_.temp(size);
      code_.bits_and(sign, at.b, code_.literal(sign_bits(size), size));
      code_.bits_and(at.to, at.a, code_.literal(magnitude_bits(size), size));
      code_.bits_or(at.to, at.to, sign);
      return true;
    }
    default:
      return false;
  }
}

// The first argument where it is more extreme, as extreme and `ties_first`, or the NaN that counts.
void Emitter::real_extreme(Op op, int size, const Vec& to, const Vec& a, const Vec& b,
                           bool ties_first) {
  VectorCode::Scope scope(code_);
  bool largest = op == Op::kMaximum || op == Op::kFmax;
  bool nan_wins = op == Op::kMaximum || op == Op::kMinimum;
  Ordering before = ties_first ? Ordering::kLessEqual : Ordering::kLess;
  Mask first = code_.compare(largest ? b : a, largest ? a : b, before, size);
  const Vec& tested = nan_wins ? a : b;
  first = code_.either(first, code_.compare(tested, tested, Ordering::kUnordered, size));
  code_.blend(to, first, a, b, size);
}

void Emitter::real_sign(int size, const Vec& to, const Vec& a) {
  VectorCode::Scope scope(code_);
  Vec zero = code_.temp(size), choice = code_.temp(size);
  code_.zero(zero);
  code_.vmovaps(choice, code_.literal(1.0, size));
  code_.blend(to, code_.compare(a, zero, Ordering::kGreater, size), choice, a, size);
  code_.vmovaps(choice, code_.literal(-1.0, size));
  code_.blend(to, code_.compare(a, zero, Ordering::kLess, size), choice, to, size);
  code_.blend(to, code_.compare(a, zero, Ordering::kEqual, size), zero, to, size);
}

// 0 below zero, 1 above, the second argument at zero, NaN where the first is.
void Emitter::real_step(int size, const Operands& at) {
  VectorCode::Scope scope(code_);
  Vec zero = code_.temp(size), one = code_.temp(size);
  code_.zero(zero);
  code_.vmovaps(one, code_.literal(1.0, size));
  code_.blend(at.to, code_.compare(at.a, zero, Ordering::kEqual, size), at.b, at.a, size);
  code_.blend(at.to, code_.compare(at.a, zero, Ordering::kLess, size), zero, at.to, size);
  code_.blend(at.to, code_.compare(at.a, zero, Ordering::kGreater, size), one, at.to, size);
}

bool Emitter::compare_reals(Op op, int size, const Operands& at) {
  auto compare = [&](const Vec& a, const Vec& b, Ordering ordering) {
    code_.to_bools(at.to, code_.compare(a, b, ordering, size));
    return true;
  };
  Vec zero;
  auto truth = [&](const Vec& a) { return code_.compare(a, zero, Ordering::kNotEqual, size); };
  bool logical = op == Op::kLogicalAnd || op == Op::kLogicalOr || op == Op::kLogicalXor ||
                 op == Op::kLogicalNot;
  if (logical) {
    zero = code_.temp(size);
    code_.zero(zero);
  }
  switch (op) {
    case Op::kEqual:
      return compare(at.a, at.b, Ordering::kEqual);
    case Op::kNotEqual:
      return compare(at.a, at.b, Ordering::kNotEqual);
    case Op::kLess:
      return compare(at.a, at.b, Ordering::kLess);
    case Op::kLessEqual:
      return compare(at.a, at.b, Ordering::kLessEqual);
    case Op::kGreater:
      return compare(at.b, at.a, Ordering::kLess);
    case Op::kGreaterEqual:
      return compare(at.b, at.a, Ordering::kLessEqual);
    case Op::kIsNan:
      return compare(at.a, at.a, Ordering::kUnordered);
    case Op::kLogicalNot:
      return compare(at.a, zero, Ordering::kEqual);
    case Op::kLogicalAnd:
      code_.to_bools(at.to, code_.both(truth(at.a), truth(at.b)));
      return true;
    case Op::kLogicalOr:
      code_.to_bools(at.to, code_.either(truth(at.a), truth(at.b)));
      return true;
    case Op::kLogicalXor: {
      Vec other = code_.temp(1);
      code_.to_bools(at.to, truth(at.a));
      code_.to_bools(other, truth(at.b));
      code_.bits_xor(at.to, at.to, other);
      return true;
    }
    case Op::kIsInf:
    case Op::kIsFinite: {
      Vec magnitude = code_.temp(size);
      code_.bits_and(magnitude, at.a, code_.literal(magnitude_bits(size), size));
      std::uint64_t infinity = size == 8 ? 0x7ff0000000000000 : 0x7f800000;
      Ordering ordering = op == Op::kIsInf ? Ordering::kEqual : Ordering::kLess;
      code_.to_bools(at.to,
                     code_.compare(magnitude, code_.literal(infinity, size), ordering, size));
      return true;
    }
    case Op::kSignbit: {
      Vec none = code_.temp(size);
      code_.zero(none);
      code_.to_bools(at.to, code_.compare(at.a, none, Relation::kLess, size, true));
      return true;
    }
    default:
      return false;
  }
}

}  // namespace strider::nd
