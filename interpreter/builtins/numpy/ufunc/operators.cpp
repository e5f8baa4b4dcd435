// Operators on arrays. The common cases (two arrays, an array and a number) go first.
#include "interpreter/builtins/numpy/ufunc/operators.h"

#include <strider/nd/eval.h>
#include <strider/nd/linalg.h>
#include <strider/nd/ufunc.h>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/dates/time_operators.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/ufunc/general_ufunc.h"
#include "interpreter/builtins/numpy/ufunc/result_class.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

std::optional<nd::Op> elementwise_op(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kAdd:
      return nd::Op::kAdd;
    case BinaryOperator::kSub:
      return nd::Op::kSubtract;
    case BinaryOperator::kMult:
      return nd::Op::kMultiply;
    case BinaryOperator::kDiv:
      return nd::Op::kDivide;
    case BinaryOperator::kFloorDiv:
      return nd::Op::kFloorDivide;
    case BinaryOperator::kMod:
      return nd::Op::kRemainder;
    case BinaryOperator::kPow:
      return nd::Op::kPower;
    case BinaryOperator::kLShift:
      return nd::Op::kLeftShift;
    case BinaryOperator::kRShift:
      return nd::Op::kRightShift;
    case BinaryOperator::kBitOr:
      return nd::Op::kBitwiseOr;
    case BinaryOperator::kBitXor:
      return nd::Op::kBitwiseXor;
    case BinaryOperator::kBitAnd:
      return nd::Op::kBitwiseAnd;
    default:
      return std::nullopt;
  }
}

nd::Op elementwise_op(CompareOperator op) {
  switch (op) {
    case CompareOperator::kEq:
      return nd::Op::kEqual;
    case CompareOperator::kNotEq:
      return nd::Op::kNotEqual;
    case CompareOperator::kLt:
      return nd::Op::kLess;
    case CompareOperator::kLtE:
      return nd::Op::kLessEqual;
    case CompareOperator::kGt:
      return nd::Op::kGreater;
    default:
      return nd::Op::kGreaterEqual;
  }
}

namespace {

bool is_plain_array(const Value& value) { return is_array(value) && !is_subclass_array(value); }

bool is_native_operand(const Value& value) {
  if (!value.is_object()) return !value.is_none();
  switch (value.object()->layout()) {
    case Layout::kArray:
    case Layout::kNumpyScalar:
    case Layout::kList:
    case Layout::kTuple:
    case Layout::kComplex:
    case Layout::kBigInt:
    case Layout::kIntBox:
    case Layout::kFloatBox:
    case Layout::kRange:
      return true;
    default:
      return false;
  }
}

// Something an array can be made of, though it is no number or list.
bool becomes_array(const Value& value) {
  const Slots& slots = type_of(value)->slots;
  if (!find_special(value, names().array).is_empty()) return true;
  return slots.length && slots.get_item && !is_str(value) && !value.has_layout(Layout::kDict);
}

bool is_operand(const Value& value) { return is_native_operand(value) || becomes_array(value); }

// A result of two operands, of which at least one is no plain array.
Value wrap_pair(nd::Op op, const Value& left, const Value& right, nd::Array result) {
  if (!may_decide_class(left) && !may_decide_class(right)) return wrap_result(std::move(result));
  Value pair[] = {left, right};
  return wrap_by_model(std::move(result), class_model(pair), op, pair);
}

Value matrix_product(const Value& left, const Value& right) {
  nd::Array result = nd::matmul(to_array(left), to_array(right));
  if (!may_decide_class(left) && !may_decide_class(right)) return wrap_result(std::move(result));
  Value pair[] = {left, right};
  return wrap_by_model(std::move(result), class_model(pair), find_general_ufunc("matmul"), pair);
}

// What array @ object raises: a single object has no dimensions.
[[noreturn]] void refuse_product(int operand) {
  raise(errors::ValueError,
        "matmul: Input operand {} does not have enough dimensions (has 0, gufunc core with "
        "signature (n?,k),(k,m?)->(n?,m?) requires 1)",
        operand);
}

// An array of one truth value in the shape of whichever operand is an array.
Value constant_truth(const Value& left, const Value& right, bool truth) {
  const Value& array = is_array(left) ? left : right;
  if (!is_array(array)) return make_scalar(nd::Scalar(truth));
  return wrap_result(nd::Array::full(array_of(array).shape(), nd::Scalar(truth), nd::DType::kBool));
}

// The values of one operand are objects: an operation of every element with them. The other
// operand of a single number is the number itself.
Value with_objects(nd::Op op, const Value& left, const Value& right) {
  Value pair[] = {left, right};
  return call_ufunc_in_npx(make_ufunc(op), Arguments(pair, 2));
}

Value plain_number(const Value& value) {
  return is_numpy_scalar(value) ? to_python(to_array(value).item()) : value;
}

// What array op= objects raises: their results are objects, which the array does not hold.
[[noreturn]] void refuse_objects(nd::Op op, const Value& array, const Value& right) {
  if (is_str(right)) with_objects(op, array, right);
  std::string message = fmt::format(
      "Cannot cast ufunc '{}' output from dtype('O') to dtype('{}') with casting rule 'same_kind'",
      nd::facts(op).name, nd::name(array_of(array).dtype()));
  raise_message(ufunc_type_error(message), message);
}

// The simpler function that NumPy takes for array ** number: square, sqrt, reciprocal; else none.
// Of complex numbers squares and reciprocals are rounded otherwise than powers, which 2.0 and -1.0
// are.
std::optional<nd::Op> simple_power(const Value& base, const Value& power) {
  bool number = power.is_float() || power.is_int();
  if (!number || !is_array(base) || array_of(base).rank() == 0) return std::nullopt;
  double exponent = power.is_float() ? power.as_float() : static_cast<double>(power.as_int());
  nd::DType dtype = array_of(base).dtype();
  if (!nd::is_inexact(dtype)) {
    if (!power.is_int() || exponent != 2) return std::nullopt;
    return nd::Op::kSquare;
  }
  if (nd::is_complex(dtype) && power.is_float() && exponent != 0.5) return std::nullopt;
  nd::Op op = exponent == 2     ? nd::Op::kSquare
              : exponent == 0.5 ? nd::Op::kSqrt
              : exponent == 1   ? nd::Op::kPositive
              : exponent == -1  ? nd::Op::kReciprocal
                                : nd::Op::kPower;
  return op == nd::Op::kPower ? std::nullopt : std::optional(op);
}

// What a class that overrides ufuncs makes of array op= right.
Value inplace_override(std::optional<nd::Op> elementwise, const Value& self, const Value& right) {
  Value pair[] = {self, right};
  KeywordArgument out{intern("out"), make_tuple({self})};
  Arguments arguments(pair, 2);
  arguments.keywords = &out;
  arguments.keyword_count = 1;
  return call(elementwise ? make_ufunc(*elementwise) : find_general_ufunc("matmul"), arguments);
}

// array op= a promise that nobody else sees: let go of before the result is stored, so that it need
// not be stored beside it. False where that is not the case.
bool take_promise(nd::Op op, const nd::Array& array, const Value& right) {
  if (!is_plain_array(right) || right.object()->references() != 1) return false;
  nd::Array& promise = right.as<ArrayObject>()->array;
  bool alike = nd::is_pending(promise) && promise.dtype() == array.dtype() &&
               promise.shape() == array.shape();
  if (!alike) return false;
  nd::Array result = nd::apply(op, array, promise);
  if (result.dtype() != array.dtype()) return false;
  promise = nd::Array();
  array.assign(result);
  return true;
}

}  // namespace

bool defers_to(const Value& other) {
  if (!other.is_object() || !type_of(other)->has(Type::kUserDefined)) return false;
  Value hook = find_special(other, names().array_ufunc);
  if (!hook.is_empty()) return hook.is_none();
  if (is_array(other) || is_numpy_scalar(other)) return false;
  Value priority = find_special(other, names().array_priority);
  return !priority.is_empty() && to_double(priority) > 0;
}

Value binary_arrays(BinaryOperator op, const Value& left, const Value& right) {
  std::optional<nd::Op> elementwise = elementwise_op(op);
  if (is_plain_array(left) && is_plain_array(right) && elementwise)
    return wrap_result(nd::apply(*elementwise, array_of(left), array_of(right)));
  const Value& other = is_array(left) || is_numpy_scalar(left) ? right : left;
  if (other.is_object() && defers_to(other)) return Value();
  if (has_override(left) || has_override(right)) {
    std::optional<nd::Op> simple =
        op == BinaryOperator::kPow ? simple_power(left, right) : std::nullopt;
    if (simple) return call(make_ufunc(*simple), left);
    Value pair[] = {left, right};
    return call(elementwise ? make_ufunc(*elementwise) : find_general_ufunc("matmul"),
                Arguments(pair, 2));
  }
  if (!is_operand(other)) {
    if (!elementwise && !is_str(other) && (is_array(left) || is_array(right)))
      refuse_product(is_array(left) ? 1 : 0);
    if (!elementwise) return Value();
    if (is_array(left) || is_array(right) || is_str(other))
      return with_objects(*elementwise, left, right);
    return binary(op, plain_number(left), plain_number(right));
  }
  if (!elementwise) return matrix_product(left, right);
  if (op == BinaryOperator::kPow)
    if (std::optional<nd::Op> simple = simple_power(left, right))
      return wrap_by_model(nd::apply(*simple, array_of(left)), class_model({&left, 1}), *simple,
                           {&left, 1});
  try {
    OperandKeeper keep_left, keep_right;
    return wrap_pair(
        *elementwise, left, right,
        nd::apply(*elementwise, to_operand(left, keep_left), to_operand(right, keep_right)));
  } catch (const UnsupportedElements&) {
  }
  return with_objects(*elementwise, left, right);
}

Value compare_arrays(CompareOperator op, const Value& left, const Value& right) {
  if (is_plain_array(left) && is_plain_array(right))
    return wrap_result(nd::apply(elementwise_op(op), array_of(left), array_of(right)));
  const Value& other = is_array(left) || is_numpy_scalar(left) ? right : left;
  if (other.is_object() && defers_to(other)) return Value();
  if (is_numpy_scalar(left) && is_subclass_array(right)) return Value();
  bool equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  // Elements of other kinds know what they are equal to.
  if (equality && (is_plain_array(left) || is_numpy_scalar(left)) &&
      (is_boxed_array(right) || counts_time(right)))
    return Value();
  if (equality && other.has_layout(Layout::kBytes))
    return constant_truth(left, right, op == CompareOperator::kNotEq);
  if (has_override(left) || has_override(right)) {
    Value pair[] = {left, right};
    return call(make_ufunc(elementwise_op(op)), Arguments(pair, 2));
  }
  if (!is_operand(other)) {
    if (equality && is_str(other))
      return constant_truth(left, right, op == CompareOperator::kNotEq);
    if (!is_array(left) && !is_array(right) && !is_str(other))
      return compare(op, plain_number(left), plain_number(right));
    if (equality && !other.has_layout(Layout::kInstance))
      return constant_truth(left, right, op == CompareOperator::kNotEq);
    return with_objects(elementwise_op(op), left, right);
  }
  OperandKeeper keep_left, keep_right;
  nd::Op elementwise = elementwise_op(op);
  return wrap_pair(
      elementwise, left, right,
      nd::apply(elementwise, to_operand(left, keep_left), to_operand(right, keep_right)));
}

Value unary_array(UnaryOperator op, const Value& operand) {
  nd::Op operation = op == UnaryOperator::kUSub   ? nd::Op::kNegative
                     : op == UnaryOperator::kUAdd ? nd::Op::kPositive
                                                  : nd::Op::kInvert;
  if (has_override(operand)) return call(make_ufunc(operation), operand);
  return wrap_by_model(nd::apply(operation, array_of(operand)), class_model({&operand, 1}),
                       operation, {&operand, 1});
}

Value inplace_array(BinaryOperator op, const Value& self, const Value& right) {
  if (right.is_object() && defers_to(right)) return Value();
  std::optional<nd::Op> elementwise = elementwise_op(op);
  if (has_override(self) || has_override(right)) return inplace_override(elementwise, self, right);
  if (!is_operand(right)) {
    if (!elementwise) return Value();
    refuse_objects(*elementwise, self, right);
  }
  const nd::Array& array = array_of(self);
  if (!array.writeable()) raise(errors::ValueError, "output array is read-only");
  if (!elementwise) {
    nd::Array factor = to_array(right);
    if (array.rank() < 1 || factor.rank() < 2)
      raise(errors::ValueError,
            "inplace matrix multiplication requires the first operand to have at least one and the "
            "second at least two dimensions.");
    nd::matmul(array, factor, &array);
    return self;
  }
  if (take_promise(*elementwise, array, right)) return self;
  nd::UfuncOptions options;
  options.out[0] = &array;
  if (op == BinaryOperator::kPow) {
    if (std::optional<nd::Op> simple = simple_power(self, right)) {
      nd::apply(*simple, array, options);
      return self;
    }
  }
  try {
    OperandKeeper keeper;
    nd::apply(*elementwise, array, to_operand(right, keeper), options);
    return self;
  } catch (const UnsupportedElements&) {
  }
  refuse_objects(*elementwise, self, right);
}

}  // namespace strider::lang
