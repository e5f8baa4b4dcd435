// Moves, literals and logic on vectors, and masks in the two targets' forms.
#include "kernels/backend/cpu/assembler/vector_code.h"

#include <algorithm>
#include <bit>

namespace strider::nd {

using namespace Xbyak;

Vec VectorCode::vec(int index, int size) const {
  int bytes = lanes_ * size;
  Operand::Kind kind = bytes > 32 ? Operand::ZMM : bytes > 16 ? Operand::YMM : Operand::XMM;
  return Vec(kind, index);
}

Vec VectorCode::temp(int size) {
  int first = value_registers(), last = wide_ ? 32 : 16;
  if (first + temps_ >= last) throw OutOfRoom();
  return vec(first + temps_++, size);
}

void VectorCode::load(int index, int size, const RegExp& address) {
  Vec to = vec(index, size);
  switch (lanes_ * size) {
    case 8:
      return vmovq(to, ptr[address]);
    case 4:
      return vmovd(to, ptr[address]);
    case 2:
      vpxor(Xmm(value_registers()), Xmm(value_registers()), Xmm(value_registers()));
      return vpinsrw(to, Xmm(value_registers()), ptr[address], 0);
    default:
      return vmovups(to, ptr[address]);
  }
}

void VectorCode::store(int index, int size, const RegExp& address) {
  Vec from = vec(index, size);
  switch (lanes_ * size) {
    case 8:
      return vmovq(ptr[address], from);
    case 4:
      return vmovd(ptr[address], from);
    case 2:
      return vpextrw(ptr[address], from, 0);
    default:
      return vmovups(ptr[address], from);
  }
}

void VectorCode::stream(int index, const RegExp& address) {
  vmovntps(ptr[address], Vec(wide_ ? Operand::ZMM : Operand::YMM, index));
}

void VectorCode::broadcast(int index, int size, const RegExp& address) {
  Vec to = vec(index, size);
  switch (size) {
    case 1:
      return vpbroadcastb(to, ptr[address]);
    case 2:
      return vpbroadcastw(to, ptr[address]);
    case 4:
      return vpbroadcastd(to, ptr[address]);
    case 8:
      return vpbroadcastq(to, ptr[address]);
    default:
      if (to.isZMM()) return vbroadcastf64x2(Zmm(index), ptr[address]);
      return vbroadcastf128(Ymm(index), ptr[address]);
  }
}

void VectorCode::copy(const Vec& to, const Vec& from) {
  if (to.getIdx() != from.getIdx()) vmovaps(to, from);
}

Address VectorCode::find_literal(std::uint64_t pattern, std::uint64_t high, int size) {
  for (Literal& each : literals_) {
    bool same = each.pattern == pattern && each.high == high && each.size == size;
    if (same) return ptr[rip + each.label];
  }
  literals_.push_back({pattern, high, size, Label()});
  return ptr[rip + literals_.back().label];
}

Address VectorCode::literal(std::uint64_t pattern, int size) {
  return find_literal(pattern, 0, size);
}

Address VectorCode::pair_literal(std::uint64_t low, std::uint64_t high) {
  return find_literal(low, high, 16);
}

Address VectorCode::literal(double value, int size) {
  std::uint64_t pattern = size == 8 ? std::bit_cast<std::uint64_t>(value)
                                    : std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return literal(pattern, size);
}

void VectorCode::place_literals() {
  if (literals_.empty()) return;
  align(64);
  for (Literal& each : literals_) {
    L(each.label);
    int width = wide_ ? 64 : 32;
    for (int i = 0; i < width; i += each.size) {
      db(each.pattern, static_cast<std::size_t>(std::min(each.size, 8)));
      if (each.size == 16) db(each.high, 8);
    }
  }
}

void VectorCode::bits_and(const Vec& to, const Vec& a, const Operand& b) {
  wide_ ? vpandd(to, a, b) : vpand(to, a, b);
}
void VectorCode::bits_or(const Vec& to, const Vec& a, const Operand& b) {
  wide_ ? vpord(to, a, b) : vpor(to, a, b);
}
void VectorCode::bits_xor(const Vec& to, const Vec& a, const Operand& b) {
  wide_ ? vpxord(to, a, b) : vpxor(to, a, b);
}
void VectorCode::bits_not(const Vec& to, const Vec& a) {
  bits_xor(to, a, literal(~std::uint64_t{0}, 8));
}
void VectorCode::zero(const Vec& to) { bits_xor(to, to, to); }

Mask VectorCode::new_mask(int size) {
  if (!wide_) return {temp(size).getIdx(), size};
  if (masks_ >= 7) throw OutOfRoom();
  return {++masks_, size};
}

Mask VectorCode::compare(const Vec& a, const Operand& b, Ordering ordering, int size) {
  Mask mask = new_mask(size);
  auto immediate = static_cast<std::uint8_t>(ordering);
  if (wide_) {
    size == 8 ? vcmppd(Opmask(mask.index), a, b, immediate)
              : vcmpps(Opmask(mask.index), a, b, immediate);
  } else {
    Vec to = a.copyAndSetIdx(mask.index);
    size == 8 ? vcmppd(to, a, b, immediate) : vcmpps(to, a, b, immediate);
  }
  return mask;
}

// AVX2 only: to = a > b.
void VectorCode::compare_greater(const Vec& to, const Vec& a, const Vec& b, int size,
                                 bool is_signed) {
  Scope scope(*this);
  Vec x = a, y = b;
  if (!is_signed) {
    x = temp(size);
    y = temp(size);
    Address signs = literal(std::uint64_t{1} << (8 * size - 1), size);
    vpxor(x, a, signs);
    vpxor(y, b, signs);
  }
  switch (size) {
    case 1:
      return vpcmpgtb(to, x, y);
    case 2:
      return vpcmpgtw(to, x, y);
    case 4:
      return vpcmpgtd(to, x, y);
    default:
      return vpcmpgtq(to, x, y);
  }
}

Mask VectorCode::compare(const Vec& a, const Vec& b, Relation relation, int size, bool is_signed) {
  Mask mask = new_mask(size);
  if (wide_) {
    Opmask k(mask.index);
    auto immediate = static_cast<std::uint8_t>(relation);
    switch (size) {
      case 1:
        is_signed ? vpcmpb(k, a, b, immediate) : vpcmpub(k, a, b, immediate);
        break;
      case 2:
        is_signed ? vpcmpw(k, a, b, immediate) : vpcmpuw(k, a, b, immediate);
        break;
      case 4:
        is_signed ? vpcmpd(k, a, b, immediate) : vpcmpud(k, a, b, immediate);
        break;
      default:
        is_signed ? vpcmpq(k, a, b, immediate) : vpcmpuq(k, a, b, immediate);
        break;
    }
    return mask;
  }
  Vec to = mask_vector(mask);
  bool is_equality = relation == Relation::kEqual || relation == Relation::kNotEqual;
  if (!is_equality) {
    bool below = relation == Relation::kLess;
    compare_greater(to, below ? b : a, below ? a : b, size, is_signed);
    if (!below) bits_not(to, to);
    return mask;
  }
  switch (size) {
    case 1:
      vpcmpeqb(to, a, b);
      break;
    case 2:
      vpcmpeqw(to, a, b);
      break;
    case 4:
      vpcmpeqd(to, a, b);
      break;
    default:
      vpcmpeqq(to, a, b);
      break;
  }
  if (relation == Relation::kNotEqual) bits_not(to, to);
  return mask;
}

Mask VectorCode::either(Mask a, Mask b) {
  wide_ ? korq(Opmask(a.index), Opmask(a.index), Opmask(b.index))
        : vpor(mask_vector(a), mask_vector(a), mask_vector(b));
  return a;
}
Mask VectorCode::both(Mask a, Mask b) {
  wide_ ? kandq(Opmask(a.index), Opmask(a.index), Opmask(b.index))
        : vpand(mask_vector(a), mask_vector(a), mask_vector(b));
  return a;
}
Mask VectorCode::opposite(Mask mask) {
  wide_ ? knotq(Opmask(mask.index), Opmask(mask.index))
        : bits_not(mask_vector(mask), mask_vector(mask));
  return mask;
}

void VectorCode::to_bools(const Vec& to, Mask mask) {
  Address ones = literal(std::uint64_t{1}, 1);
  if (wide_) return vmovdqu8(to | Opmask(mask.index) | T_z, ones);
  Xmm low(mask.index), result(to.getIdx());
  int bytes = lanes_ * mask.size;
  for (int size = mask.size; size > 1; size /= 2, bytes /= 2) {
    Scope scope(*this);
    Xmm high(low);
    if (bytes > 16) {
      high = Xmm(temp(size).getIdx());
      vextracti128(high, Ymm(low.getIdx()), 1);
    }
    size == 8   ? vshufps(result, low, high, 0x88)
    : size == 4 ? vpackssdw(result, low, high)
                : vpacksswb(result, low, high);
    low = result;
  }
  vpand(to, vec(low.getIdx(), 1), ones);
}

Mask VectorCode::from_bools(const Vec& bools, int size) {
  if (wide_) {
    Mask mask = new_mask(size);
    vptestmb(Opmask(mask.index), bools, bools);
    return mask;
  }
  Mask mask = new_mask(size);
  Vec bytes = vec(mask.index, 1), to = mask_vector(mask);
  zero(bytes);
  vpcmpeqb(bytes, bytes, bools);
  bits_not(bytes, bytes);
  Xmm narrow(mask.index);
  if (size == 2) vpmovsxbw(to, narrow);
  if (size == 4) vpmovsxbd(to, narrow);
  if (size == 8) vpmovsxbq(to, narrow);
  return mask;
}

void VectorCode::blend(const Vec& to, Mask mask, const Vec& a, const Vec& b, int size) {
  if (!wide_) return vpblendvb(to, b, a, to.copyAndSetIdx(mask.index));
  Vec masked = to | Opmask(mask.index);
  switch (size) {
    case 1:
      return vpblendmb(masked, b, a);
    case 2:
      return vpblendmw(masked, b, a);
    case 4:
      return vpblendmd(masked, b, a);
    default:
      return vpblendmq(masked, b, a);
  }
}

void VectorCode::note_suspicious(const Vec& value, int size, bool tiny, const Reg32& flags) {
  Scope scope(*this);
  if (wide_) {
    constexpr std::uint8_t kNotFinite = 0x99, kTiny = 0x26;
    Mask mask = new_mask(size);
    auto classes = static_cast<std::uint8_t>(tiny ? kNotFinite | kTiny : kNotFinite);
    size == 8 ? vfpclasspd(Opmask(mask.index), value, classes)
              : vfpclassps(Opmask(mask.index), value, classes);
    kmovd(eax, Opmask(mask.index));
    return or_(flags, eax);
  }
  Vec magnitude = temp(size);
  std::uint64_t all = size == 8 ? 0x7fffffffffffffff : 0x7fffffff;
  vpand(magnitude, value, literal(all, size));
  std::uint64_t largest = size == 8 ? 0x7fefffffffffffff : 0x7f7fffff;
  Mask mask = compare(magnitude, literal(largest, size), Ordering::kNotLessEqual, size);
  if (tiny) {
    std::uint64_t smallest = size == 8 ? 0x0010000000000000 : 0x00800000;
    either(mask, compare(magnitude, literal(smallest, size), Ordering::kLess, size));
  }
  vmovmskps(eax, mask_vector(mask));
  or_(flags, eax);
}

}  // namespace strider::nd
