// Floats: arithmetic and conversions, as IEEE 754 and CPython define them.
#include <charconv>
#include <cmath>

#include "interpreter/runtime/error/error.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

FloatBox::FloatBox(double value, Type* type) : Object(Layout::kFloatBox, type), value(value) {}

[[noreturn]] static void raise_zero_division(BinaryOperator op) {
  raise_message(errors::ZeroDivisionError(), zero_division_message(op, false));
}

double float_modulo(double left, double right) {
  if (right == 0) raise_zero_division(BinaryOperator::kMod);
  double remainder = std::fmod(left, right);
  if (remainder == 0) return std::copysign(0.0, right);
  return (remainder < 0) != (right < 0) ? remainder + right : remainder;
}

double float_floor_divide(double left, double right) {
  if (right == 0) raise_zero_division(BinaryOperator::kFloorDiv);
  double remainder = std::fmod(left, right);
  double quotient = (left - remainder) / right;
  if (remainder != 0 && (right < 0) != (remainder < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(0.0, left / right);
  double whole = std::floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

namespace {

[[noreturn]] void raise_range_error() {
  Ref<Tuple> args =
      make_tuple({Value::integer(34), Value(make_str("Numerical result out of range"))});
  raise_exception(make<Exception>(&errors::OverflowError(), args));
}

}  // namespace

Value float_power(double base, double exponent) {
  if (base == 0 && exponent < 0 && std::isfinite(exponent))
    raise(errors::ZeroDivisionError, "0.0 cannot be raised to a negative power");
  if (base < 0 && std::isfinite(base) && std::isfinite(exponent) &&
      exponent != std::floor(exponent))
    return complex_binary(BinaryOperator::kPow, base, exponent);
  double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent)) raise_range_error();
  return Value::real(result);
}

Value float_binary(BinaryOperator op, double left, double right) {
  using enum BinaryOperator;
  switch (op) {
    case kAdd:
      return Value::real(left + right);
    case kSub:
      return Value::real(left - right);
    case kMult:
      return Value::real(left * right);
    case kDiv:
      if (right == 0) raise_zero_division(BinaryOperator::kDiv);
      return Value::real(left / right);
    case kFloorDiv:
      return Value::real(float_floor_divide(left, right));
    case kMod:
      return Value::real(float_modulo(left, right));
    case kPow:
      return float_power(left, right);
    default:
      return Value();
  }
}

namespace {

double round_to_tens(double value, std::int64_t digits) {
  Value whole = integer_from_double(value);
  Integer number = to_integer(whole);
  bool negative = number < 0;
  if (negative) number = -number;
  Integer unit = boost::multiprecision::pow(Integer(10), static_cast<unsigned>(-digits));
  Integer quotient = number / unit, remainder = number % unit;
  Integer twice = remainder * 2;
  bool odd = boost::multiprecision::bit_test(quotient, 0);
  bool beyond_half = twice == unit && std::trunc(value) != value;
  if (twice > unit || beyond_half || (twice == unit && odd)) ++quotient;
  double result = integer_to_double(from_integer(quotient * unit));
  return std::copysign(result, value);
}

}  // namespace

double round_float(double value, std::int64_t digits) {
  if (!std::isfinite(value) || value == 0 || digits > 323) return value;
  if (digits < -308) return std::copysign(0.0, value);
  if (digits < 0) return round_to_tens(value, digits);
  char buffer[700];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed,
                           static_cast<int>(digits));
  double result = value;
  auto parsed = std::from_chars(buffer, end.ptr, result);
  if (parsed.ec != std::errc() && std::fabs(value) > 1)
    raise(errors::OverflowError, "rounded value too large to represent");
  return result;
}

}  // namespace strider::lang
