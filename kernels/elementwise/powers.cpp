// Signs of exponents, and powers that are squares.
#include "kernels/elementwise/powers.h"

#include <strider/nd/error.h>

#include <algorithm>

namespace strider::nd {
namespace {

template <class T>
bool has_sign(const Array& array) {
  const T* elements = array.as<T>();
  T bits = 0;
  for (std::int64_t i = 0; i < array.size(); ++i) bits |= elements[i];
  return bits < 0;
}

bool any_true(const Array& flags) {
  Array lined = flags.contiguous(DType::kBool);
  const bool* found = lined.as<bool>();
  return std::find(found, found + lined.size(), true) != found + lined.size();
}

bool any_negative(const Array& array) {
  if (array.is_c_contiguous()) {
    switch (array.dtype()) {
      case DType::kInt8:
        return has_sign<std::int8_t>(array);
      case DType::kInt16:
        return has_sign<std::int16_t>(array);
      case DType::kInt32:
        return has_sign<std::int32_t>(array);
      default:
        return has_sign<std::int64_t>(array);
    }
  }
  return any_true(apply(Op::kLess, Operand(array), Operand::weak_int(0)));
}

bool any_negative_where(const Array& array, const Array& where) {
  Array below = apply(Op::kLess, Operand(array), Operand::weak_int(0));
  return any_true(apply(Op::kLogicalAnd, Operand(below), Operand(where)));
}

}  // namespace

void refuse_negative_powers(std::span<const Operand> operands, DType loop, const Array* where) {
  if (category(loop) != Category::kSigned) return;
  const Operand& power = operands[1];
  bool negative = false;
  if (power.kind() != Operand::Kind::kArray)
    negative = power.dtype() != DType::kUInt64 &&
               power.scalar().as(DType::kInt64).get<std::int64_t>() < 0 &&
               (!where || any_true(*where));
  else if (category(power.dtype()) == Category::kSigned)
    negative = where ? any_negative_where(power.array(), *where) : any_negative(power.array());
  if (negative)
    throw Error(ErrorKind::kValue, "Integers to negative integer powers are not allowed.");
}

void refuse_negative_powers_along(Op op, const Array& array, int axis, bool from_first,
                                  const Array* where) {
  if (op != Op::kPower || category(array.dtype()) != Category::kSigned) return;
  Array powers = array;
  if (from_first) {
    Dims shape = array.shape();
    if (shape[axis] < 2) return;
    --shape[axis];
    powers = array.view(shape, array.strides(), array.strides()[axis]);
  }
  if (powers.size() == 0) return;
  Operand operands[2] = {powers, powers};
  refuse_negative_powers(operands, powers.dtype(), where);
}

bool is_square(Op op, const Operand& a, const Operand& b) {
  if (op != Op::kPower || a.kind() != Operand::Kind::kArray || a.dtype() == DType::kBool ||
      is_complex(a.dtype()))
    return false;
  if (b.kind() != Operand::Kind::kWeakInteger && b.kind() != Operand::Kind::kWeakFloat)
    return false;
  if (!is_inexact(a.dtype()) && b.kind() != Operand::Kind::kWeakInteger) return false;
  return b.scalar().to_double() == 2.0;
}

}  // namespace strider::nd
