// Arithmetic, comparisons and bits of integers, which wrap, and of bools, which are bytes 0 and 1.
#include "kernels/backend/cpu/assembler/emitter.h"

namespace strider::nd {

// Calls the member of VectorCode for elements of 1, 2, 4 or 8 bytes.
#define BY_SIZE(size, one, two, four, eight, ...) \
  switch (size) {                                 \
    case 1:                                       \
      code_.one(__VA_ARGS__);                     \
      break;                                      \
    case 2:                                       \
      code_.two(__VA_ARGS__);                     \
      break;                                      \
    case 4:                                       \
      code_.four(__VA_ARGS__);                    \
      break;                                      \
    default:                                      \
      code_.eight(__VA_ARGS__);                   \
      break;                                      \
  }

void Emitter::add_integers(int size, const Vec& to, const Vec& a, const Vec& b) {
  BY_SIZE(size, vpaddb, vpaddw, vpaddd, vpaddq, to, a, b);
}
void Emitter::subtract_integers(int size, const Vec& to, const Vec& a, const Vec& b) {
  BY_SIZE(size, vpsubb, vpsubw, vpsubd, vpsubq, to, a, b);
}

bool Emitter::emit_integer(Op op, DType dtype, const Operands& at) {
  int size = item_size(dtype);
  bool is_signed = is_signed_integer(dtype);
  switch (op) {
    case Op::kAdd:
      add_integers(size, at.to, at.a, at.b);
      return true;
    case Op::kSubtract:
      subtract_integers(size, at.to, at.a, at.b);
      return true;
    case Op::kMultiply:
      integer_product(size, at.to, at.a, at.b);
      return true;
    case Op::kSquare:
      integer_product(size, at.to, at.a, at.a);
      return true;
    case Op::kNegative:
      code_.zero(at.to);
      subtract_integers(size, at.to, at.to, at.a);
      return true;
    case Op::kAbsolute:
      is_signed ? integer_magnitude(size, at.to, at.a) : code_.copy(at.to, at.a);
      return true;
    case Op::kPositive:
    case Op::kConjugate:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc:
      code_.copy(at.to, at.a);
      return true;
    case Op::kMaximum:
    case Op::kFmax:
      return integer_extreme(true, size, is_signed, at.to, at.a, at.b);
    case Op::kMinimum:
    case Op::kFmin:
      return integer_extreme(false, size, is_signed, at.to, at.a, at.b);
    case Op::kClip: {
      Vec above = code_.temp(size);
      return integer_extreme(true, size, is_signed, above, at.a, at.b) &&
             integer_extreme(false, size, is_signed, at.to, above, at.c);
    }
    case Op::kSign:
      integer_sign(size, is_signed, at.to, at.a);
      return true;
    case Op::kBitwiseAnd:
      code_.bits_and(at.to, at.a, at.b);
      return true;
    case Op::kBitwiseOr:
      code_.bits_or(at.to, at.a, at.b);
      return true;
    case Op::kBitwiseXor:
      code_.bits_xor(at.to, at.a, at.b);
      return true;
    case Op::kInvert:
      code_.bits_not(at.to, at.a);
      return true;
    case Op::kLeftShift:
    case Op::kRightShift:
      return shift(op == Op::kLeftShift, size, is_signed, at.to, at.a, at.b);
    default:
      return false;
  }
}

void Emitter::integer_product(int size, const Vec& to, const Vec& a, const Vec& b) {
  VectorCode::Scope scope(code_);
  if (size == 2) return code_.vpmullw(to, a, b);
  if (size == 4) return code_.vpmulld(to, a, b);
  if (size == 8 && code_.wide()) return code_.vpmullq(to, a, b);
  Vec x = code_.temp(size), y = code_.temp(size);
  if (size == 1) {  // odd and even bytes by themselves
    code_.vpsrlw(x, a, 8);
    code_.vpsrlw(y, b, 8);
    code_.vpmullw(x, x, y);
    code_.vpsllw(x, x, 8);
    code_.vpmullw(to, a, b);
    code_.bits_and(to, to, code_.literal(std::uint64_t{0x00ff}, 2));
    return code_.bits_or(to, to, x);
  }
  // low·low + (high·low + low·high) · 2³²
  code_.vpsrlq(x, a, 32);
  code_.vpmuludq(x, x, b);
  code_.vpsrlq(y, b, 32);
  code_.vpmuludq(y, y, a);
  code_.vpaddq(x, x, y);
  code_.vpsllq(x, x, 32);
  code_.vpmuludq(to, a, b);
  code_.vpaddq(to, to, x);
}

void Emitter::integer_magnitude(int size, const Vec& to, const Vec& a) {
  if (size < 8 || code_.wide()) {
    BY_SIZE(size, vpabsb, vpabsw, vpabsd, vpabsq, to, a);
    return;
  }
  VectorCode::Scope scope(code_);
  Vec below = code_.temp(size);  // -1 where negative: (a ^ below) - below
  code_.zero(below);
  code_.vpcmpgtq(below, below, a);
  code_.bits_xor(to, a, below);
  code_.vpsubq(to, to, below);
}

bool Emitter::integer_extreme(bool largest, int size, bool is_signed, const Vec& to, const Vec& a,
                              const Vec& b) {
  if (size == 8 && !code_.wide()) {
    VectorCode::Scope scope(code_);
    Mask below = code_.compare(a, b, Relation::kLess, size, is_signed);
    code_.blend(to, below, largest ? b : a, largest ? a : b, size);
    return true;
  }
  if (largest && is_signed) {
    BY_SIZE(size, vpmaxsb, vpmaxsw, vpmaxsd, vpmaxsq, to, a, b);
  } else if (largest) {
    BY_SIZE(size, vpmaxub, vpmaxuw, vpmaxud, vpmaxuq, to, a, b);
  } else if (is_signed) {
    BY_SIZE(size, vpminsb, vpminsw, vpminsd, vpminsq, to, a, b);
  } else {
    BY_SIZE(size, vpminub, vpminuw, vpminud, vpminuq, to, a, b);
  }
  return true;
}

void Emitter::integer_sign(int size, bool is_signed, const Vec& to, const Vec& a) {
  VectorCode::Scope scope(code_);
  Vec zero = code_.temp(size), one = code_.temp(size);
  code_.zero(zero);
  code_.vmovups(one, code_.literal(std::uint64_t{1}, size));
  Mask none = code_.compare(a, zero, Relation::kEqual, size, is_signed);
  code_.blend(to, none, zero, one, size);
  if (!is_signed) return;
  subtract_integers(size, one, zero, one);
  Mask below = code_.compare(a, zero, Relation::kLess, size, true);
  code_.blend(to, below, one, to, size);
}

// The processor's shifts push every bit out, too, when the count is large.
bool Emitter::shift(bool left, int size, bool is_signed, const Vec& to, const Vec& a,
                    const Vec& b) {
  if (size == 1 || (size == 2 && !code_.wide())) return false;
  if (size == 2) {
    left ? code_.vpsllvw(to, a, b) : is_signed ? code_.vpsravw(to, a, b) : code_.vpsrlvw(to, a, b);
    return true;
  }
  if (size == 4) {
    left ? code_.vpsllvd(to, a, b) : is_signed ? code_.vpsravd(to, a, b) : code_.vpsrlvd(to, a, b);
    return true;
  }
  if (left || !is_signed) {
    left ? code_.vpsllvq(to, a, b) : code_.vpsrlvq(to, a, b);
    return true;
  }
  if (code_.wide()) {
    code_.vpsravq(to, a, b);
    return true;
  }
  VectorCode::Scope scope(code_);
  Vec below = code_.temp(size);  // -1 where negative: shift the magnitude's complement
  code_.zero(below);
  code_.vpcmpgtq(below, below, a);
  code_.bits_xor(to, a, below);
  code_.vpsrlvq(to, to, b);
  code_.bits_xor(to, to, below);
  return true;
}

bool Emitter::compare_integers(Op op, DType dtype, const Operands& at) {
  int size = item_size(dtype);
  bool is_signed = is_signed_integer(dtype);
  auto compare = [&](const Vec& a, const Vec& b, Relation relation) {
    code_.to_bools(at.to, code_.compare(a, b, relation, size, is_signed));
    return true;
  };
  Vec zero;
  auto truth = [&](const Vec& a, Vec to) {
    code_.to_bools(to, code_.compare(a, zero, Relation::kNotEqual, size, is_signed));
  };
  switch (op) {
    case Op::kEqual:
      return compare(at.a, at.b, Relation::kEqual);
    case Op::kNotEqual:
      return compare(at.a, at.b, Relation::kNotEqual);
    case Op::kLess:
      return compare(at.a, at.b, Relation::kLess);
    case Op::kLessEqual:
      return compare(at.a, at.b, Relation::kLessEqual);
    case Op::kGreater:
      return compare(at.b, at.a, Relation::kLess);
    case Op::kGreaterEqual:
      return compare(at.b, at.a, Relation::kLessEqual);
    case Op::kIsNan:
    case Op::kIsInf:
      code_.zero(at.to);
      return true;
    case Op::kIsFinite:
      code_.vmovups(at.to, code_.literal(std::uint64_t{1}, 1));
      return true;
    case Op::kLogicalNot:
      zero = code_.temp(size);
      code_.zero(zero);
      return compare(at.a, zero, Relation::kEqual);
    case Op::kLogicalAnd:
    case Op::kLogicalOr:
    case Op::kLogicalXor: {
      zero = code_.temp(size);
      code_.zero(zero);
      Vec other = code_.temp(1);
      truth(at.a, at.to);
      truth(at.b, other);
      op == Op::kLogicalAnd  ? code_.bits_and(at.to, at.to, other)
      : op == Op::kLogicalOr ? code_.bits_or(at.to, at.to, other)
                             : code_.bits_xor(at.to, at.to, other);
      return true;
    }
    default:
      return false;
  }
}

bool Emitter::emit_bool(Op op, const Operands& at) {
  switch (op) {
    case Op::kAdd:
    case Op::kMaximum:
    case Op::kFmax:
    case Op::kBitwiseOr:
      code_.bits_or(at.to, at.a, at.b);
      return true;
    case Op::kMultiply:
    case Op::kMinimum:
    case Op::kFmin:
    case Op::kBitwiseAnd:
      code_.bits_and(at.to, at.a, at.b);
      return true;
    case Op::kBitwiseXor:
      code_.bits_xor(at.to, at.a, at.b);
      return true;
    case Op::kInvert:
      code_.bits_xor(at.to, at.a, code_.literal(std::uint64_t{1}, 1));
      return true;
    case Op::kClip:
      code_.bits_or(at.to, at.a, at.b);
      code_.bits_and(at.to, at.to, at.c);
      return true;
    case Op::kAbsolute:
    case Op::kFloor:
    case Op::kCeil:
    case Op::kTrunc:
      code_.copy(at.to, at.a);
      return true;
    default:
      return compare_integers(op, DType::kBool, at);
  }
}

}  // namespace strider::nd
