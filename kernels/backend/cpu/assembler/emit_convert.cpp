// Conversions with the results of convert<To>: directly where the processor has an instruction,
// else by way of a type in between that loses nothing that the direct way would keep.
#include "kernels/backend/cpu/assembler/emitter.h"

namespace strider::nd {

namespace {

bool is_real(DType dtype) { return dtype == DType::kFloat32 || dtype == DType::kFloat64; }
bool is_whole(DType dtype) { return category(dtype) < Category::kFloating; }
DType part_of(DType dtype) {
  return dtype == DType::kComplex64 ? DType::kFloat32 : DType::kFloat64;
}

}  // namespace

bool Emitter::convert(DType from, DType to, int result, int argument) {
  VectorCode::Scope scope(code_);
  int from_size = item_size(from), to_size = item_size(to);
  Vec target = code_.vec(result, to_size), source = code_.vec(argument, from_size);
  if (from == to) {
    code_.copy(target, source);
    return true;
  }
  if (is_complex(from) || is_complex(to)) return convert_complex(from, to, result, argument);
  if (from == DType::kFloat16) {
    if (to == DType::kBool) {
      Vec magnitude = code_.temp(2), zero = code_.temp(2);
      code_.zero(zero);
      code_.bits_and(magnitude, source, code_.literal(std::uint64_t{0x7fff}, 2));
      code_.to_bools(target, code_.compare(magnitude, zero, Relation::kNotEqual, 2, false));
      return true;
    }
    if (to != DType::kFloat32) return convert_by(from, DType::kFloat32, to, result, argument);
    code_.vcvtph2ps(target, source);
    return true;
  }
  if (to == DType::kFloat16) {
    if (from == DType::kFloat64) {
      if (!code_.wide()) return false;
      double_to_half(result, argument);
      return true;
    }
    if (from != DType::kFloat32) return convert_by(from, DType::kFloat32, to, result, argument);
    code_.vcvtps2ph(target, source, 0);
    return true;
  }
  if (to == DType::kBool) {
    to_bool(from, result, argument);
    return true;
  }
  if (is_real(from) && is_real(to)) {
    from_size == 4 ? code_.vcvtps2pd(target, source) : code_.vcvtpd2ps(target, source);
    return true;
  }
  if (is_real(to)) return integer_to_real(from, to, result, argument);
  if (is_real(from)) return real_to_integer(from, to, result, argument);
  if (from_size == to_size) {
    code_.copy(target, source);
    return true;
  }
  return from_size < to_size ? widen_integer(from, to_size, result, argument)
                             : narrow_integer(from_size, to_size, result, argument);
}

bool Emitter::convert_by(DType from, DType between, DType to, int result, int argument) {
  int middle = code_.temp(item_size(between)).getIdx();
  return convert(from, between, middle, argument) && convert(between, to, result, middle);
}

bool Emitter::widen_integer(DType from, int to_size, int result, int argument) {
  Vec to = code_.vec(result, to_size), source = code_.vec(argument, item_size(from));
  bool sign = is_signed_integer(from);
  switch (item_size(from) * 16 + to_size) {
    case 0x12:
      sign ? code_.vpmovsxbw(to, source) : code_.vpmovzxbw(to, source);
      return true;
    case 0x14:
      sign ? code_.vpmovsxbd(to, source) : code_.vpmovzxbd(to, source);
      return true;
    case 0x18:
      sign ? code_.vpmovsxbq(to, source) : code_.vpmovzxbq(to, source);
      return true;
    case 0x24:
      sign ? code_.vpmovsxwd(to, source) : code_.vpmovzxwd(to, source);
      return true;
    case 0x28:
      sign ? code_.vpmovsxwq(to, source) : code_.vpmovzxwq(to, source);
      return true;
    default:
      sign ? code_.vpmovsxdq(to, source) : code_.vpmovzxdq(to, source);
      return true;
  }
}

// The low bits.
bool Emitter::narrow_integer(int from_size, int to_size, int result, int argument) {
  Vec to = code_.vec(result, to_size), source = code_.vec(argument, from_size);
  if (code_.wide()) {
    switch (from_size * 16 + to_size) {
      case 0x21:
        code_.vpmovwb(to, source);
        return true;
      case 0x41:
        code_.vpmovdb(to, source);
        return true;
      case 0x42:
        code_.vpmovdw(to, source);
        return true;
      case 0x81:
        code_.vpmovqb(to, source);
        return true;
      case 0x82:
        code_.vpmovqw(to, source);
        return true;
      default:
        code_.vpmovqd(to, source);
        return true;
    }
  }
  // Halve the elements until they are small enough; the values fit after the masks.
  Xbyak::Xmm low(argument), out(result);
  int bytes = code_.lanes() * from_size;
  for (int size = from_size; size > to_size; size /= 2, bytes /= 2) {
    VectorCode::Scope scope(code_);
    Xbyak::Xmm high(code_.temp(size).getIdx()), first(code_.temp(size).getIdx());
    if (size == 8) {
      code_.copy(high, low);
      if (bytes > 16) code_.vextracti128(high, Xbyak::Ymm(low.getIdx()), 1);
      code_.vshufps(out, low, high, 0x88);
    } else {
      Xbyak::Address mask = size == 4 ? code_.literal(std::uint64_t{0xffff}, 4)
                                      : code_.literal(std::uint64_t{0xff}, 2);
      if (bytes > 16) {
        code_.vextracti128(high, Xbyak::Ymm(low.getIdx()), 1);
        code_.vpand(high, high, mask);
        code_.vpand(first, low, mask);
      } else {
        code_.vpand(first, low, mask);
        code_.vmovaps(high, first);
      }
      size == 4 ? code_.vpackusdw(out, first, high) : code_.vpackuswb(out, first, high);
    }
    low = out;
  }
  return true;
}

bool Emitter::integer_to_real(DType from, DType to, int result, int argument) {
  bool is_double = to == DType::kFloat64;
  int size = item_size(from);
  if (size < 4) return convert_by(from, DType::kInt32, to, result, argument);
  Vec target = code_.vec(result, item_size(to)), source = code_.vec(argument, size);
  bool sign = is_signed_integer(from);
  if (size == 4 && sign) {
    is_double ? code_.vcvtdq2pd(target, source) : code_.vcvtdq2ps(target, source);
    return true;
  }
  if (!code_.wide()) {
    if (!is_double) return false;
    if (size == 4) return convert_by(from, DType::kUInt64, to, result, argument);
    integer64_to_double(sign, target, source);
    return true;
  }
  if (size == 4) {
    is_double ? code_.vcvtudq2pd(target, source) : code_.vcvtudq2ps(target, source);
  } else if (sign) {
    is_double ? code_.vcvtqq2pd(target, source) : code_.vcvtqq2ps(target, source);
  } else {
    is_double ? code_.vcvtuqq2pd(target, source) : code_.vcvtuqq2ps(target, source);
  }
  return true;
}

// AVX2: the upper and the lower bits become doubles by themselves, as the low bits of large powers
// of two; their sum rounds once.
void Emitter::integer64_to_double(bool is_signed, const Vec& to, const Vec& source) {
  constexpr double kTwo52 = 4503599627370496.0, kTwo84 = 19342813113834066795298816.0;
  constexpr double kThreeTwo67 = 442721857769029238784.0;
  Vec low = code_.temp(8), magic = code_.temp(8);
  code_.vmovups(magic, code_.literal(kTwo52, 8));
  if (is_signed) {
    code_.vpblendw(low, source, magic, 0x88);  // 48 bits
    code_.vpsrad(to, source, 16);
    code_.zero(magic);
    code_.vpblendw(to, to, magic, 0x33);
    code_.vpaddq(to, to, code_.literal(kThreeTwo67, 8));
    code_.vsubpd(to, to, code_.literal(kThreeTwo67 + kTwo52, 8));
  } else {
    code_.vpblendw(low, source, magic, 0xcc);  // 32 bits
    code_.vpsrlq(to, source, 32);
    code_.vpor(to, to, code_.literal(kTwo84, 8));
    code_.vsubpd(to, to, code_.literal(kTwo84 + kTwo52, 8));
  }
  code_.vaddpd(to, to, low);
}

// What does not fit becomes the smallest integer; narrow types take the low bits of 32.
bool Emitter::real_to_integer(DType from, DType to, int result, int argument) {
  bool is_double = from == DType::kFloat64;
  int size = item_size(to);
  if (size < 4) return convert_by(from, DType::kInt32, to, result, argument);
  Vec target = code_.vec(result, size), source = code_.vec(argument, item_size(from));
  if (to == DType::kInt32) {
    is_double ? code_.vcvttpd2dq(target, source) : code_.vcvttps2dq(target, source);
    return true;
  }
  if (!code_.wide()) return false;
  if (to == DType::kUInt32) return convert_by(from, DType::kInt64, to, result, argument);
  if (to == DType::kInt64) {
    is_double ? code_.vcvttpd2qq(target, source) : code_.vcvttps2qq(target, source);
    return true;
  }
  real_to_unsigned64(from, result, argument);
  return true;
}

// From 2^63 on: the rest above it, with the highest bit.
void Emitter::real_to_unsigned64(DType from, int result, int argument) {
  int size = item_size(from);
  Vec source = code_.vec(argument, size), above = code_.temp(size), upper = code_.temp(8);
  Vec to = code_.vec(result, 8);
  Xbyak::Address limit = code_.literal(9223372036854775808.0, size);
  code_.vmovups(above, limit);
  Mask large = code_.compare(above, source, Ordering::kLessEqual, size);
  if (size == 8) {
    code_.vsubpd(above, source, limit);
    code_.vcvttpd2qq(upper, above);
    code_.vcvttpd2qq(to, source);
  } else {
    code_.vsubps(above, source, limit);
    code_.vcvttps2qq(upper, above);
    code_.vcvttps2qq(to, source);
  }
  code_.bits_xor(upper, upper, code_.literal(std::uint64_t{1} << 63, 8));
  code_.blend(to, large, upper, to, 8);
}

void Emitter::to_bool(DType from, int result, int argument) {
  int size = item_size(from);
  Vec source = code_.vec(argument, size), zero = code_.temp(size);
  code_.zero(zero);
  Mask mask = is_whole(from) ? code_.compare(source, zero, Relation::kNotEqual, size, false)
                             : code_.compare(source, zero, Ordering::kNotEqual, size);
  code_.to_bools(code_.vec(result, 1), mask);
}

// Through float with a sticky last bit, so that the second rounding is the only one.
void Emitter::double_to_half(int result, int argument) {
  Vec source = code_.vec(argument, 8), back = code_.temp(8), magnitude = code_.temp(8);
  Vec narrow = code_.temp(4), sticky = code_.temp(4);
  std::uint64_t all = ~(std::uint64_t{1} << 63);
  code_.vcvtpd2ps(narrow, source);
  code_.vcvtps2pd(back, narrow);
  Mask inexact = code_.compare(back, source, Ordering::kNotEqual, 8);
  inexact = code_.both(inexact, code_.compare(source, source, Ordering::kEqual, 8));
  code_.bits_and(magnitude, source, code_.literal(all, 8));
  code_.bits_and(back, back, code_.literal(all, 8));
  Mask past = code_.compare(magnitude, back, Ordering::kLess, 8);
  Xbyak::Address one = code_.literal(std::uint64_t{1}, 4);
  code_.vmovups(sticky, narrow);
  code_.vpsubd(sticky | Xbyak::Opmask(past.index), narrow, one);
  code_.bits_or(sticky, sticky, one);
  code_.blend(narrow, inexact, sticky, narrow, 4);
  code_.vcvtps2ph(code_.vec(result, 2), narrow, 0);
}

bool Emitter::convert_complex(DType from, DType to, int result, int argument) {
  int from_size = item_size(from), to_size = item_size(to);
  Vec target = code_.vec(result, to_size), source = code_.vec(argument, from_size);
  if (is_complex(from) && is_complex(to)) {
    from_size == 8 ? code_.vcvtps2pd(target, source) : code_.vcvtpd2ps(target, source);
    return true;
  }
  if (is_complex(from)) return false;
  DType part = part_of(to);
  if (from != part) return convert_by(from, part, to, result, argument);
  if (to == DType::kComplex64) {  // a float and a zero are a double word
    code_.vpmovzxdq(target, source);
  } else if (code_.wide()) {
    Xbyak::Opmask every_second(7);
    code_.mov(code_.eax, 0x55);
    code_.kmovd(every_second, code_.eax);
    code_.vexpandpd(target | every_second | code_.T_z, code_.vec(argument, to_size));
  } else {
    code_.vpermpd(Xbyak::Ymm(result), Xbyak::Ymm(argument), 0x50);
    code_.vandpd(target, target, code_.pair_literal(~std::uint64_t{0}, 0));
  }
  return true;
}

}  // namespace strider::nd
