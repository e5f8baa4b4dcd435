// float64 with float64 or float runs in a few instructions; other mixes go through apply_scalar,
// everything else through the operators of arrays.
#include "interpreter/builtins/numpy/scalar/scalar_operators.h"

#include <strider/nd/ufunc.h>

#include <cmath>
#include <limits>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/scalar/recorded_operators.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

using nd::DType;
using nd::Scalar;

namespace {

// The number in an inexact type; false where it is too large for that, which operands tell of.
bool narrow(Scalar& number, DType dtype) {
  if (dtype == DType::kFloat64 || number.dtype() == dtype) {
    number = number.as(dtype);
    return true;
  }
  double before = number.to_double();
  number = number.as(dtype);
  return std::isfinite(number.to_double()) || !std::isfinite(before);
}

}  // namespace

bool get_partner(const Value& value, DType dtype, Scalar& result) {
  if (is_numpy_scalar(value)) {
    result = scalar_of(value);
    return true;
  }
  if (value.is_bool()) {
    result = Scalar(value.as_bool());
    return true;
  }
  if (value.is_float()) {
    result = Scalar(value.as_float());
    return !nd::is_inexact(dtype) || narrow(result, nd::real_of(dtype));
  }
  if (dtype == DType::kUInt64 && value.has_layout(Layout::kBigInt)) {
    Integer integer = to_integer(value);
    if (integer < 0 || integer > std::numeric_limits<std::uint64_t>::max()) return false;
    result = Scalar(static_cast<std::uint64_t>(integer));
    return true;
  }
  if (!value.is_int()) return false;
  if (nd::is_inexact(dtype)) {
    result = Scalar(value.as_int());
    return narrow(result, nd::real_of(dtype));
  }
  if (dtype != DType::kInt64 && dtype != DType::kBool) {
    Scalar there = Scalar(value.as_int()).as(dtype);
    if (value.as_int() < 0 && nd::category(dtype) == nd::Category::kUnsigned) return false;
    if (there.as(DType::kInt64).get<std::int64_t>() != value.as_int()) return false;
    result = there;
    return true;
  }
  result = Scalar(value.as_int());
  return true;
}

namespace {

// A float or settled float64 as double.
bool get_double(const Value& value, double& result) {
  if (value.is_float()) {
    result = value.as_float();
    return true;
  }
  if (!is_numpy_scalar(value) || settled_scalar(value).dtype() != DType::kFloat64) return false;
  result = settled_scalar(value).get<double>();
  return true;
}

// False when the operation is not one of the four or raises a floating-point condition.
bool quick_arithmetic(BinaryOperator op, double a, double b, double& result) {
  switch (op) {
    case BinaryOperator::kAdd:
      result = a + b;
      break;
    case BinaryOperator::kSub:
      result = a - b;
      break;
    case BinaryOperator::kMult:
      result = a * b;
      break;
    case BinaryOperator::kDiv:
      result = a / b;
      break;
    default:
      return false;
  }
  // Zero may have underflowed, a non-finite value overflowed.
  return std::isnormal(result);
}

bool is_sequence(const Value& value) {
  return is_list(value) || is_tuple(value) || is_str(value) || is_bytes(value);
}

Value repeat(const Value& sequence, const Value& count) {
  auto* to_index = type_of(count)->slots.to_index;
  if (!to_index)
    raise(errors::TypeError, "can't multiply sequence by non-int of type '{}'", type_name(count));
  return binary(BinaryOperator::kMult, sequence, to_index(count));
}

inline bool either_pending(const Value& scalar, const Value& other) {
  return scalar.as<NumpyScalar>()->pending() || is_pending_scalar(other);
}

Value apply_pair(BinaryOperator op, const Value& left, const Value& right) {
  double a, b, quick;
  if (get_double(left, a) && get_double(right, b) && quick_arithmetic(op, a, b, quick))
    return make_scalar(Scalar(quick));
  std::optional<nd::Op> elementwise = elementwise_op(op);
  bool left_is_scalar = is_numpy_scalar(left);
  const Value& mine = left_is_scalar ? left : right;
  const Value& other = left_is_scalar ? right : left;
  Scalar partner, result;
  if (elementwise && get_partner(other, settled_scalar(mine).dtype(), partner)) {
    const Scalar& first = left_is_scalar ? settled_scalar(mine) : partner;
    const Scalar& second = left_is_scalar ? partner : settled_scalar(mine);
    if (nd::apply_scalar(*elementwise, first, second, result)) return make_scalar(result);
  }
  return binary_arrays(op, left, right);
}

// Whether an operator takes both as numbers; then what was pending is settled.
bool settle_numbers(const Value& left, const Value& right) {
  const Value& mine = is_pending_scalar(left) ? left : right;
  Scalar partner;
  if (!get_partner(&mine == &left ? right : left, scalar_dtype(mine), partner)) return false;
  scalar_of(mine);
  return true;
}

// Where at least one is pending.
Value apply_pending(BinaryOperator op, const Value& left, const Value& right) {
  if (std::optional<nd::Op> elementwise = elementwise_op(op)) {
    Value recorded = record_binary(*elementwise, left, right);
    if (!recorded.is_empty()) return recorded;
    if (settle_numbers(left, right)) return apply_pair(op, left, right);
  }
  return binary_arrays(op, left, right);
}

Value compare_pending(CompareOperator op, const Value& left, const Value& right) {
  Value recorded = record_binary(elementwise_op(op), left, right);
  if (!recorded.is_empty()) return recorded;
  if (settle_numbers(left, right)) return compare_scalar(op, left, right);
  return compare_arrays(op, left, right);
}

bool is_complex_number(const Value& value) {
  return value.has_layout(Layout::kComplex) ||
         (is_numpy_scalar(value) && nd::is_complex(scalar_dtype(value)));
}

}  // namespace

bool refuses(BinaryOperator op, const Value& self, const Value& other) {
  bool number = is_numpy_scalar(other) || other.is_int() || other.is_float() || other.is_bool() ||
                other.has_layout(Layout::kComplex);
  if (op == BinaryOperator::kMatMult) return number || is_sequence(other);
  bool divides = op == BinaryOperator::kFloorDiv || op == BinaryOperator::kMod;
  bool complex_scalar = is_numpy_scalar(other) && is_complex_number(other);
  return divides && number && (is_complex_number(self) || complex_scalar);
}

Value binary_scalar(BinaryOperator op, const Value& self, const Value& other) {
  if (refuses(op, self, other)) return Value();
  if (op == BinaryOperator::kMult && is_sequence(other)) return repeat(other, self);
  if (either_pending(self, other)) [[unlikely]]
    return apply_pending(op, self, other);
  return apply_pair(op, self, other);
}

Value reflected_scalar(BinaryOperator op, const Value& self, const Value& other) {
  if (refuses(op, self, other)) return Value();
  if (op == BinaryOperator::kMult && is_sequence(other)) return repeat(other, self);
  if (op == BinaryOperator::kAdd && is_str(other)) return Value();
  if (either_pending(self, other)) [[unlikely]]
    return apply_pending(op, other, self);
  return apply_pair(op, other, self);
}

Value unary_scalar(UnaryOperator op, const Value& self) {
  nd::Op operation = op == UnaryOperator::kUSub   ? nd::Op::kNegative
                     : op == UnaryOperator::kUAdd ? nd::Op::kPositive
                                                  : nd::Op::kInvert;
  if (is_pending_scalar(self)) [[unlikely]] {
    Value recorded = record_unary(operation, self);
    if (!recorded.is_empty()) return recorded;
  }
  Scalar result;
  if (nd::apply_scalar(operation, scalar_of(self), result)) return make_scalar(result);
  return wrap_result(nd::apply(operation, nd::Operand(scalar_of(self))));
}

Value compare_scalar(CompareOperator op, const Value& self, const Value& other) {
  if (either_pending(self, other)) [[unlikely]]
    return compare_pending(op, self, other);
  Scalar partner, result;
  const Scalar& mine = settled_scalar(self);
  if (get_partner(other, mine.dtype(), partner) &&
      nd::apply_scalar(elementwise_op(op), mine, partner, result))
    return make_scalar(result);
  return compare_arrays(op, self, other);
}

}  // namespace strider::lang
