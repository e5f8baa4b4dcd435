// Arithmetic of integers: 64 bits as long as the results fit, any size beyond.
#include <bit>
#include <cmath>
#include <limits>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/integer_limbs.h"
#include "interpreter/types/numbers/number.h"

namespace strider::lang {

namespace mp = boost::multiprecision;

namespace {

constexpr std::int64_t kMostBits = std::int64_t{1} << 33;
constexpr std::int64_t kExactDouble = std::int64_t{1} << 53;

[[noreturn]] void raise_zero_division(BinaryOperator op) {
  raise_message(errors::ZeroDivisionError(), zero_division_message(op, true));
}

void check_bits(std::int64_t bits) {
  if (bits > kMostBits) raise_message(errors::MemoryError(), "");
}

struct Division {
  Integer quotient, remainder;
};

Division floor_divide(const Integer& left, const Integer& right) {
  Division result;
  divide_magnitudes(left, right, result.quotient, result.remainder);
  bool opposite = (left.sign() < 0) != (right.sign() < 0);
  if (left.sign() < 0) result.remainder.backend().negate();
  if (opposite) result.quotient.backend().negate();
  if (opposite && !result.remainder.is_zero()) {
    result.remainder += right;
    --result.quotient;
  }
  return result;
}

// number**exponent by squaring; stops when the user asks for it.
Integer raised(Integer number, std::int64_t exponent) {
  Integer result = 1;
  while (true) {
    if (exponent & 1) result *= number;
    exponent >>= 1;
    if (exponent == 0) return result;
    number *= number;
    if (Interpreter::exists()) poll_interrupt(Interpreter::current());
  }
}

Value power(const Value& base, const Value& exponent) {
  if (integer_is_negative(exponent))
    return float_power(integer_to_double(base), integer_to_double(exponent));
  Integer number = to_integer(base);
  if (number == 0 || number == 1)
    return exponent.is_int() && exponent.as_int() == 0 ? Value::integer(1) : base;
  if (number == -1) return Value::integer(mp::bit_test(mp::abs(to_integer(exponent)), 0) ? -1 : 1);
  if (!exponent.is_int() || exponent.as_int() > kMostBits) raise_message(errors::MemoryError(), "");
  check_bits((bit_length(base) - 1) * exponent.as_int());
  return from_integer(raised(number, exponent.as_int()));
}

// base**exponent while it fits 64 bits; false otherwise.
bool small_power(std::int64_t base, std::int64_t exponent, std::int64_t& result) {
  result = 1;
  while (true) {
    if (exponent & 1 && __builtin_mul_overflow(result, base, &result)) return false;
    exponent >>= 1;
    if (exponent == 0) return true;
    if (__builtin_mul_overflow(base, base, &base)) return false;
  }
}

Value shift_left(const Value& left, const Value& right) {
  if (left.is_int() && left.as_int() == 0) return left;
  if (!right.is_int()) raise(errors::OverflowError, "too many digits in integer");
  check_bits(right.as_int());
  return from_integer(shifted_left(*IntegerView(left), static_cast<std::size_t>(right.as_int())));
}

Value shift_right(const Value& left, const Value& right) {
  bool negative = integer_is_negative(left);
  if (!right.is_int() || right.as_int() >= bit_length(left))
    return Value::integer(negative ? -1 : 0);
  IntegerView view(left);
  if (!negative) return from_integer(*view >> right.as_int());
  Integer rounded = -((-*view - 1) >> right.as_int()) - 1;
  return from_integer(std::move(rounded));
}

Value shift(BinaryOperator op, const Value& left, const Value& right) {
  if (integer_is_negative(right)) raise(errors::ValueError, "negative shift count");
  return op == BinaryOperator::kLShift ? shift_left(left, right) : shift_right(left, right);
}

// The remainder by floor of a division by what is not zero, limb by limb.
Value small_remainder(const Integer& number, std::int64_t divisor) {
  std::uint64_t magnitude =
      divisor < 0 ? 0 - static_cast<std::uint64_t>(divisor) : static_cast<std::uint64_t>(divisor);
  const auto& backend = number.backend();
  std::uint64_t left = 0;
  if (std::has_single_bit(magnitude)) {
    left = backend.limbs()[0] & (magnitude - 1);
  } else {
    for (std::size_t i = backend.size(); i-- > 0;)
      left = static_cast<std::uint64_t>(
          (static_cast<unsigned __int128>(left) << 64 | backend.limbs()[i]) % magnitude);
  }
  // Its sign is the divisor's.
  if (left != 0 && backend.sign() != (divisor < 0)) left = magnitude - left;
  auto result = static_cast<std::int64_t>(left);
  return Value::integer(divisor < 0 ? -result : result);
}

// What needs no second number of many limbs; Empty for others.
Value binary_with_small(BinaryOperator op, const Integer& left, std::int64_t right) {
  using enum BinaryOperator;
  if (op == kMod && right != 0) return small_remainder(left, right);
  if (op == kBitAnd && right >= 0 && left.sign() > 0)
    return Value::integer(static_cast<std::int64_t>(left.backend().limbs()[0]) & right);
  if (op != kAdd && op != kSub) return Value();
  Integer result(left);
  op == kAdd ? result += right : result -= right;
  return from_integer(std::move(result));
}

Value big_binary(BinaryOperator op, const Value& left, const Value& right) {
  using enum BinaryOperator;
  if (right.is_int() && left.has_layout(Layout::kBigInt)) {
    Value result = binary_with_small(op, left.as<BigInt>()->value, right.as_int());
    if (!result.is_empty()) return result;
  } else if (left.is_int() && (op == kAdd || op == kBitAnd) && right.has_layout(Layout::kBigInt)) {
    Value result = binary_with_small(op, right.as<BigInt>()->value, left.as_int());
    if (!result.is_empty()) return result;
  }
  if (op == kPow) return power(left, right);
  if (op == kLShift || op == kRShift) return shift(op, left, right);
  if (op == kDiv) return Value::real(divide_integers(left, right));
  IntegerView left_view(left), right_view(right);
  const Integer &a = *left_view, &b = *right_view;
  switch (op) {
    case kAdd:
      return from_integer(a + b);
    case kSub:
      return from_integer(subtract_integers(a, b));
    case kMult:
      return from_integer(a * b);
    case kFloorDiv:
      if (b.is_zero()) raise_zero_division(op);
      return from_integer(floor_divide(a, b).quotient);
    case kMod:
      if (b.is_zero()) raise_zero_division(op);
      return from_integer(floor_divide(a, b).remainder);
    case kBitAnd:
      return from_integer(a & b);
    case kBitOr:
      return from_integer(a | b);
    case kBitXor:
      return from_integer(a ^ b);
    default:
      return Value();
  }
}

// Empty where 64 bits do not do.
Value small_divide(BinaryOperator op, std::int64_t a, std::int64_t b) {
  if (b == 0) raise_zero_division(op);
  if (b == -1) {
    if (op == BinaryOperator::kMod) return Value::integer(0);
    if (a == std::numeric_limits<std::int64_t>::min()) return Value();
    return Value::integer(-a);
  }
  std::int64_t quotient = a / b, remainder = a % b;
  if (remainder != 0 && (remainder < 0) != (b < 0)) {
    remainder += b;
    --quotient;
  }
  return Value::integer(op == BinaryOperator::kMod ? remainder : quotient);
}

Value small_shift(BinaryOperator op, std::int64_t a, std::int64_t b) {
  if (b < 0) raise(errors::ValueError, "negative shift count");
  if (op == BinaryOperator::kRShift) return Value::integer(b > 63 ? (a < 0 ? -1 : 0) : a >> b);
  if (b < 62 && a < (std::int64_t{1} << (62 - b)) && a > -(std::int64_t{1} << (62 - b)))
    return Value::integer(a * (std::int64_t{1} << b));
  return Value();
}

Value small_binary(BinaryOperator op, std::int64_t a, std::int64_t b) {
  using enum BinaryOperator;
  std::int64_t result;
  bool overflow = true;
  switch (op) {
    case kAdd:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case kSub:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case kMult:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case kFloorDiv:
    case kMod:
      return small_divide(op, a, b);
    case kDiv:
      if (b == 0) raise_zero_division(op);
      if (a > kExactDouble || a < -kExactDouble || b > kExactDouble || b < -kExactDouble)
        return Value();
      return Value::real(static_cast<double>(a) / static_cast<double>(b));
    case kPow:
      overflow = b < 0 || !small_power(a, b, result);
      break;
    case kLShift:
    case kRShift:
      return small_shift(op, a, b);
    case kBitAnd:
      return Value::integer(a & b);
    case kBitOr:
      return Value::integer(a | b);
    case kBitXor:
      return Value::integer(a ^ b);
    case kMatMult:
      return Value();
  }
  return overflow ? Value() : Value::integer(result);
}

}  // namespace

const char* zero_division_message(BinaryOperator op, bool integers) {
  switch (op) {
    case BinaryOperator::kMod:
      return integers ? "integer modulo by zero" : "float modulo";
    case BinaryOperator::kFloorDiv:
      return integers ? "integer division or modulo by zero" : "float floor division by zero";
    default:
      return integers ? "division by zero" : "float division by zero";
  }
}

Value integer_binary(BinaryOperator op, const Value& left, const Value& right) {
  if (left.is_int() && right.is_int()) {
    Value result = small_binary(op, left.as_int(), right.as_int());
    if (!result.is_empty()) return result;
  }
  auto is_exact = [](const Value& v) { return v.is_int() || v.has_layout(Layout::kBigInt); };
  if (is_exact(left) && is_exact(right)) return big_binary(op, left, right);
  if (!is_integer(left) || !is_integer(right)) return Value();
  Value a = exact_int(left), b = exact_int(right);
  if (!left.is_int() || !right.is_int()) {
    if (a.is_int() && b.is_int()) return integer_binary(op, a, b);
  }
  return big_binary(op, a, b);
}

std::pair<Value, Value> integer_divmod(const Value& left, const Value& right) {
  Value a = exact_int(left), b = exact_int(right);
  if (a.is_int() && b.is_int()) {
    Value quotient = small_binary(BinaryOperator::kFloorDiv, a.as_int(), b.as_int());
    if (!quotient.is_empty())
      return {quotient, small_binary(BinaryOperator::kMod, a.as_int(), b.as_int())};
  }
  IntegerView dividend(a), divisor(b);
  if ((*divisor).is_zero()) raise_zero_division(BinaryOperator::kFloorDiv);
  Division division = floor_divide(*dividend, *divisor);
  return {from_integer(std::move(division.quotient)), from_integer(std::move(division.remainder))};
}

// The quotient is taken with at least two bits more than a double holds, the last one telling
// whether anything was cut off; converting it then rounds once and correctly.
double divide_integers(const Value& left, const Value& right) {
  Integer a = to_integer(left), b = to_integer(right);
  if (b == 0) raise_zero_division(BinaryOperator::kDiv);
  if (a == 0) return b < 0 ? -0.0 : 0.0;
  bool negative = (a < 0) != (b < 0);
  a = mp::abs(a);
  b = mp::abs(b);
  std::int64_t bits = static_cast<std::int64_t>(mp::msb(a)) - static_cast<std::int64_t>(mp::msb(b));
  if (bits > 1025) raise(errors::OverflowError, "integer division result too large for a float");
  if (bits < -1100) return negative ? -0.0 : 0.0;
  std::int64_t shift = std::max<std::int64_t>(bits - 56, -1076);
  if (shift < 0)
    a <<= -shift;
  else
    b <<= shift;
  Integer quotient, remainder;
  divide_magnitudes(a, b, quotient, remainder);
  auto leading = static_cast<std::uint64_t>(quotient);
  if (remainder != 0) leading |= 1;
  double result = std::ldexp(static_cast<double>(leading), static_cast<int>(shift));
  if (std::isinf(result))
    raise(errors::OverflowError, "integer division result too large for a float");
  return negative ? -result : result;
}

namespace {

Integer inverse_modulo(const Integer& value, const Integer& modulus) {
  Integer a = floor_divide(value, modulus).remainder, b = modulus, x = 1, y = 0;
  while (b != 0) {
    Division division = floor_divide(a, b);
    a = b;
    b = division.remainder;
    Integer next = x - division.quotient * y;
    x = y;
    y = next;
  }
  if (a != 1) raise(errors::ValueError, "base is not invertible for the given modulus");
  return floor_divide(x, modulus).remainder;
}

// By squaring; stops when the user asks for it.
Integer power_modulo(const Integer& number, const Integer& exponent, const Integer& modulus) {
  Integer result = modulus == 1 ? 0 : 1, product, quotient;
  auto reduce = [&] { divide_magnitudes(product, modulus, quotient, result); };
  for (std::size_t bit = exponent.is_zero() ? 0 : mp::msb(exponent) + 1; bit-- > 0;) {
    mp::multiply(product, result, result);
    reduce();
    if (mp::bit_test(exponent, static_cast<unsigned>(bit))) {
      mp::multiply(product, result, number);
      reduce();
    }
    if (Interpreter::exists()) poll_interrupt(Interpreter::current());
  }
  return result;
}

}  // namespace

// The same of numbers of 64 bits and an exponent that is not negative.
static std::int64_t small_power_modulo(std::int64_t base, std::int64_t exponent,
                                       std::int64_t modulus) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t limit = modulus < 0 ? -static_cast<std::uint64_t>(modulus)
                                    : static_cast<std::uint64_t>(modulus);
  std::uint64_t distance = base < 0 ? -static_cast<std::uint64_t>(base)
                                    : static_cast<std::uint64_t>(base);
  std::uint64_t square = distance % limit, result = 1 % limit;
  if (base < 0 && square) square = limit - square;
  for (auto left = static_cast<std::uint64_t>(exponent); left; left >>= 1) {
    if (left & 1) result = static_cast<std::uint64_t>(Wide{result} * square % limit);
    square = static_cast<std::uint64_t>(Wide{square} * square % limit);
  }
  bool below = modulus < 0 && result;
  return static_cast<std::int64_t>(below ? result - limit : result);
}

Value integer_power_modulo(const Value& base, const Value& exponent, const Value& modulus) {
  bool small = base.is_int() && exponent.is_int() && modulus.is_int();
  if (small && exponent.as_int() >= 0 && modulus.as_int() != 0)
    return Value::integer(small_power_modulo(base.as_int(), exponent.as_int(), modulus.as_int()));
  Integer number = to_integer(base), power = to_integer(exponent), limit = to_integer(modulus);
  if (limit == 0) raise(errors::ValueError, "pow() 3rd argument cannot be 0");
  Integer magnitude = mp::abs(limit);
  if (power < 0) {
    number = inverse_modulo(number, magnitude);
    power = -power;
  }
  number = floor_divide(number, magnitude).remainder;
  Integer result = power_modulo(number, power, magnitude);
  return from_integer(floor_divide(result, limit).remainder);
}

Value round_integer(const Value& integer, std::int64_t digits) {
  if (digits >= 0) return integer;
  if (-digits > bit_length(integer)) return Value::integer(0);
  Integer unit = mp::pow(Integer(10), static_cast<unsigned>(-digits));
  Division division = floor_divide(to_integer(integer), unit);
  Integer twice = division.remainder * 2;
  bool odd = mp::bit_test(mp::abs(division.quotient), 0);
  if (twice > unit || (twice == unit && odd)) ++division.quotient;
  return from_integer(division.quotient * unit);
}

}  // namespace strider::lang
