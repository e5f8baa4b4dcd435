// Real scalars with each other and with Python numbers of their kind come first; other mixes go
// through get_partner, everything else through the operators of arrays.
#include "interpreter/builtins/numpy/scalar/scalar_operators.h"

#include <strider/nd/quick_scalar.h>
#include <strider/nd/ufunc.h>

#include <cmath>
#include <limits>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/scalar/element_scalars.h"
#include "interpreter/builtins/numpy/scalar/recorded_operators.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
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

// Whether an integer has a value in an integer type.
bool fits(std::int64_t value, DType dtype) {
  switch (dtype) {
    case DType::kInt64:
      return true;
    case DType::kUInt64:
      return value >= 0;
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32: {
      std::int64_t end = std::int64_t{1} << (8 * nd::item_size(dtype) - 1);
      return value >= -end && value < end;
    }
    case DType::kUInt8:
    case DType::kUInt16:
    case DType::kUInt32:
      return value >= 0 && value < std::int64_t{1} << (8 * nd::item_size(dtype));
    default:
      return false;
  }
}

Scalar in_integer_type(std::int64_t value, DType dtype) {
  const std::int64_t number[2] = {value, 0};  // the first bytes are the number in a narrower type
  return Scalar(dtype, number);
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
  if (dtype == DType::kBool) dtype = DType::kInt64;
  if (!fits(value.as_int(), dtype)) return false;
  result = in_integer_type(value.as_int(), dtype);
  return true;
}

namespace {

// Another scalar, or the one that a Python number is in `dtype`, made in `made`; null where that
// takes more thought.
inline const Scalar* plain_partner(const Value& value, DType dtype, Scalar& made) {
  if (is_numpy_scalar(value)) {
    const auto* scalar = value.as<NumpyScalar>();
    return scalar->pending() ? nullptr : &scalar->settled_value();
  }
  if (value.is_int() && fits(value.as_int(), dtype)) {
    made = in_integer_type(value.as_int(), dtype);
    return &made;
  }
  if (dtype != DType::kFloat64) return nullptr;
  if (value.is_float()) {
    made = Scalar(value.as_float());
  } else if (value.is_int()) {
    made = Scalar(static_cast<double>(value.as_int()));
  } else {
    return nullptr;
  }
  return &made;
}

// What most programs do with most scalars; Empty where something may have to be told, or for
// others.
inline Value apply_to_doubles(BinaryOperator op, double x, double y) {
  double result;
  bool may_be_zero = false;
  switch (op) {
    case BinaryOperator::kAdd:
      result = x + y, may_be_zero = true;
      break;
    case BinaryOperator::kSub:
      result = x - y, may_be_zero = true;
      break;
    case BinaryOperator::kMult:
      result = x * y;
      break;
    case BinaryOperator::kDiv:
      result = x / y;
      break;
    default:
      return Value();
  }
  bool plain = std::isnormal(result) || (may_be_zero && result == 0);
  return plain ? Value(make<NumpyScalar>(Scalar(result))) : Value();
}

// Whether x stands to y as an operator says.
template <class T>
bool holds(CompareOperator op, T x, T y) {
  switch (op) {
    case CompareOperator::kEq:
      return x == y;
    case CompareOperator::kNotEq:
      return x != y;
    case CompareOperator::kLt:
      return x < y;
    case CompareOperator::kLtE:
      return x <= y;
    case CompareOperator::kGt:
      return x > y;
    default:
      return x >= y;
  }
}

// A scalar with what needs no thought beside it, where nothing is to be told of; empty for others.
inline Value apply_plain(BinaryOperator op, const Value& self, const Value& other, bool reflected) {
  if (!is_numpy_scalar(self) || self.as<NumpyScalar>()->pending()) return Value();  // np.bytes_
  const Scalar& mine = settled_scalar(self);
  Scalar made, result;
  const Scalar* partner = plain_partner(other, mine.dtype(), made);
  if (!partner) return Value();
  if (mine.dtype() == DType::kFloat64 && partner->dtype() == DType::kFloat64) {
    double x = mine.get<double>(), y = partner->get<double>();
    if (Value made = apply_to_doubles(op, reflected ? y : x, reflected ? x : y); !made.is_empty())
      return made;
  }
  std::optional<nd::Op> elementwise = elementwise_op(op);
  if (!elementwise) return Value();
  bool done = reflected ? nd::apply_quickly(*elementwise, *partner, mine, result)
                        : nd::apply_quickly(*elementwise, mine, *partner, result);
  return done ? make_scalar(result) : Value();
}

// Whether NumPy computes a pair as scalars; it makes arrays of the others and names the operations
// of arrays when it warns: truths first, an integer with a float, scalars neither of whose types
// takes the other.
bool computes_as_scalars(const Value& left, const Value& right) {
  bool left_leads = is_numpy_scalar(left);
  DType mine = settled_scalar(left_leads ? left : right).dtype();
  if (mine == DType::kBool) return false;
  const Value& other = left_leads ? right : left;
  if (!is_numpy_scalar(other)) return !other.is_float() || nd::is_inexact(mine);
  DType theirs = settled_scalar(other).dtype();
  DType common = nd::promote(mine, theirs);
  return common == mine || common == theirs;
}

bool repeats_itself(const Value& value) {
  return is_list(value) || is_tuple(value) || is_str(value) || is_bytes(value) ||
         value.has_layout(Layout::kByteArray);
}

bool is_sequence(const Value& value) {
  return repeats_itself(value) || value.has_layout(Layout::kDType) || is_boxed_dtype(value);
}

Value repeat(const Value& sequence, const Value& count) {
  auto* to_index = type_of(count)->slots.to_index;
  if (!to_index)
    raise(errors::TypeError, "can't multiply sequence by non-int of type '{}'", type_name(count));
  return binary(BinaryOperator::kMult, sequence, to_index(count));
}

inline bool either_pending(const Value& scalar, const Value& other) {
  return is_pending_scalar(scalar) || is_pending_scalar(other);
}

// A quotient of an integer scalar and an integer, which need not fit the other's type.
Value divide_as_floats(const Value& left, const Value& right) {
  auto number = [](const Value& value) {
    return Scalar(value.is_int() ? static_cast<double>(value.as_int())
                                 : settled_scalar(value).to_double());
  };
  Scalar result;
  nd::apply_scalar(nd::Op::kDivide, number(left), number(right), result);
  return make_scalar(result);
}

// A complex number of Python in a complex type; false for others, and where it is too large for
// that.
bool get_complex_partner(const Value& value, DType dtype, Scalar& result) {
  if (!nd::is_complex(dtype) || !value.has_layout(Layout::kComplex)) return false;
  if (type_of(value) != &Complex::type_object()) return false;
  const std::complex<double>& number = value.as<Complex>()->value;
  result = Scalar(number).as(dtype);
  double most = dtype == DType::kComplex64 ? std::numeric_limits<float>::max()
                                           : std::numeric_limits<double>::max();
  auto is_held = [most](double part) { return std::fabs(part) <= most || !std::isfinite(part); };
  return is_held(number.real()) && is_held(number.imag());
}

Value apply_pair(BinaryOperator op, const Value& left, const Value& right) {
  std::optional<nd::Op> elementwise = elementwise_op(op);
  bool left_is_scalar = is_numpy_scalar(left);
  const Value& mine = left_is_scalar ? left : right;
  const Value& other = left_is_scalar ? right : left;
  if (!is_numpy_scalar(mine)) return binary_arrays(op, left, right);  // np.bytes_ beside bytes
  if (op == BinaryOperator::kDiv && other.is_int() && nd::is_integer(settled_scalar(mine).dtype()))
    return divide_as_floats(left, right);
  Scalar partner, result;
  DType dtype = settled_scalar(mine).dtype();
  if (elementwise && computes_as_scalars(left, right) &&
      (get_partner(other, dtype, partner) || get_complex_partner(other, dtype, partner))) {
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
  Value plain = apply_plain(op, self, other, false);
  if (!plain.is_empty()) [[likely]]
    return plain;
  if (refuses(op, self, other)) return Value();
  if (op == BinaryOperator::kMult && is_sequence(other)) return repeat(other, self);
  if (either_pending(self, other)) [[unlikely]]
    return apply_pending(op, self, other);
  return apply_pair(op, self, other);
}

Value reflected_scalar(BinaryOperator op, const Value& self, const Value& other) {
  Value plain = apply_plain(op, self, other, true);
  if (!plain.is_empty()) [[likely]]
    return plain;
  if (refuses(op, self, other)) return Value();
  if (op == BinaryOperator::kMult && repeats_itself(other)) return Value();
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
  const Scalar* plain = plain_partner(other, mine.dtype(), partner);
  if (plain && mine.dtype() == plain->dtype() && mine.dtype() == DType::kFloat64)
    return truth_scalar(holds(op, mine.get<double>(), plain->get<double>()));
  if (plain && mine.dtype() == plain->dtype() && mine.dtype() == DType::kInt64)
    return truth_scalar(holds(op, mine.get<std::int64_t>(), plain->get<std::int64_t>()));
  if (plain && nd::apply_quickly(elementwise_op(op), mine, *plain, result))
    return make_scalar(result);
  if (get_partner(other, mine.dtype(), partner) &&
      nd::apply_scalar(elementwise_op(op), mine, partner, result))
    return make_scalar(result);
  return compare_arrays(op, self, other);
}

}  // namespace strider::lang
