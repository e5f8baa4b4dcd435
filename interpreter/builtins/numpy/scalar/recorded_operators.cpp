// What scalars do otherwise than arrays is left to run at once: they warn of integers that
// overflow, and complex ones are multiplied and ordered in their own ways. Integers are recorded
// where they are known to be too small for an overflow.
#include "interpreter/builtins/numpy/scalar/recorded_operators.h"

#include <strider/nd/eval.h>
#include <strider/nd/ufunc.h>

#include <cmath>

#include "interpreter/builtins/numpy/scalar/pending_scalar.h"
#include "interpreter/builtins/numpy/scalar/scalar_operators.h"

namespace strider::lang {
namespace {

using nd::Category;
using nd::DType;
using nd::Op;

// An operand: a pending scalar's array, or a number.
struct Side {
  nd::Array array;
  nd::Scalar number;
  double bound = 0;

  DType dtype() const { return array ? array.dtype() : number.dtype(); }
  nd::Operand operand() const { return array ? nd::Operand(array) : nd::Operand(number); }
};

// False for what is no number.
bool get_side(const Value& value, DType beside, Side& side) {
  if (is_pending_scalar(value)) {
    side.array = pending_array(value);
    side.bound = pending_bound(value);
    return true;
  }
  if (!get_partner(value, beside, side.number)) return false;
  side.bound = std::abs(side.number.to_double());
  return true;
}

// What an integer result does not go beyond; infinite for operations that are not recorded.
double result_bound(Op op, const Side& a, const Side& b, DType dtype) {
  bool is_signed = nd::category(dtype) == Category::kSigned;
  switch (op) {
    case Op::kAdd:
      return a.bound + b.bound;
    case Op::kSubtract:
      return is_signed ? a.bound + b.bound : HUGE_VAL;
    case Op::kMultiply:
      return a.bound * b.bound;
    case Op::kNegative:
      return is_signed ? a.bound : HUGE_VAL;
    case Op::kAbsolute:
      return a.bound;
    case Op::kPower:
      return HUGE_VAL;
    default:
      return 0;
  }
}

// The first number that does not fit.
double end_of(DType dtype) {
  int bits = 8 * nd::item_size(dtype) - (nd::category(dtype) == Category::kSigned);
  return std::ldexp(1.0, bits);
}

bool is_recorded_of_complex(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kDivide:
    case Op::kNegative:
    case Op::kPositive:
    case Op::kEqual:
    case Op::kNotEqual:
      return true;
    default:
      return false;
  }
}

// Whether it is the same for scalars as for arrays.
bool may_record(Op op, DType dtype, double bound) {
  if (!nd::recording().on()) return false;
  if (nd::is_complex(dtype)) return is_recorded_of_complex(op);
  return !nd::is_integer(dtype) || bound < end_of(dtype);
}

// While one lives, warnings name operators of scalars.
class ForScalars {
 public:
  ForScalars() { nd::recording().for_scalars = true; }
  ~ForScalars() { nd::recording().for_scalars = false; }
  ForScalars(const ForScalars&) = delete;
  ForScalars& operator=(const ForScalars&) = delete;
};

nd::Array apply_to_scalars(Op op, std::span<const nd::Operand> operands) {
  ForScalars naming;
  return nd::apply(op, operands);
}

Value record(Op op, std::span<const nd::Operand> operands, DType dtype, double bound) {
  if (!may_record(op, dtype, bound)) return Value();
  nd::Array result = apply_to_scalars(op, operands);
  bool known = bound > 0 && nd::is_away(result) && nd::is_integer(result.dtype());
  return known ? make_pending(std::move(result), bound) : wrap_result(std::move(result));
}

}  // namespace

Value record_binary(Op op, const Value& left, const Value& right) {
  DType beside = pending_array(is_pending_scalar(left) ? left : right).dtype();
  Side a, b;
  if (!get_side(left, beside, a) || !get_side(right, beside, b)) return Value();
  DType common = nd::promote(a.dtype(), b.dtype());
  nd::Operand operands[] = {a.operand(), b.operand()};
  return record(op, operands, common, result_bound(op, a, b, common));
}

Value record_unary(Op op, const Value& operand) {
  Side side;
  get_side(operand, DType::kBool, side);
  nd::Operand operands[] = {side.operand()};
  return record(op, operands, side.dtype(), result_bound(op, side, side, side.dtype()));
}

}  // namespace strider::lang
