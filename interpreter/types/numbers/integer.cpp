// Integers as data: the two representations, conversions and comparisons.
#include "interpreter/types/numbers/integer.h"

#include <bit>
#include <cmath>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang {

namespace mp = boost::multiprecision;

BigInt::BigInt(Integer&& value) : Object(Layout::kBigInt, &int_type()), value(std::move(value)) {}

IntBox::IntBox(const Value& value, Type* type) : Object(Layout::kIntBox, type), value(value) {}

bool is_integer(const Value& value) {
  return value.is_int() || value.is_bool() || value.has_layout(Layout::kBigInt) ||
         value.has_layout(Layout::kIntBox);
}

Value exact_int(const Value& value) {
  if (value.is_bool()) return Value::integer(value.as_int());
  if (value.has_layout(Layout::kIntBox)) return value.as<IntBox>()->value;
  return value;
}

Integer to_integer(const Value& value) {
  if (value.is_int() || value.is_bool()) return Integer(value.as_int());
  if (value.has_layout(Layout::kBigInt)) return value.as<BigInt>()->value;
  if (value.has_layout(Layout::kIntBox)) return to_integer(value.as<IntBox>()->value);
  raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(value));
}

Value from_integer(Integer value) {
  constexpr std::uint64_t kHigh = std::numeric_limits<std::int64_t>::max();
  const auto& backend = value.backend();
  if (backend.size() == 1) {
    std::uint64_t magnitude = *backend.limbs();
    bool negative = backend.sign();
    if (magnitude <= kHigh + negative)
      return Value::integer(static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude));
  }
  return make<BigInt>(std::move(value));
}

Value from_uint64(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    return Value::integer(static_cast<std::int64_t>(value));
  return make<BigInt>(Integer(value));
}

Value integer_from_double(double value) {
  if (std::isinf(value)) raise(errors::OverflowError, "cannot convert float infinity to integer");
  if (std::isnan(value)) raise(errors::ValueError, "cannot convert float NaN to integer");
  if (value >= -9223372036854775808.0 && value < 9223372036854775808.0)
    return Value::integer(static_cast<std::int64_t>(value));
  int exponent;
  double fraction = std::frexp(value, &exponent);
  Integer result = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  return from_integer(result << (exponent - 53));
}

int compare_integers(const Value& left, const Value& right) {
  if (left.is_int() && right.is_int())
    return left.as_int() < right.as_int() ? -1 : left.as_int() > right.as_int();
  // What has many limbs is beyond all that has none.
  if (right.is_int() && left.has_layout(Layout::kBigInt)) return left.as<BigInt>()->value.sign();
  if (left.is_int() && right.has_layout(Layout::kBigInt)) return -right.as<BigInt>()->value.sign();
  return (*IntegerView(left)).compare(*IntegerView(right));
}

int compare_integer_double(const Value& left, double right) {
  if (std::isinf(right)) return right > 0 ? -1 : 1;
  double whole = std::floor(right);
  int order = compare_integers(left, integer_from_double(whole));
  return order == 0 && whole < right ? -1 : order;
}

bool integer_is_negative(const Value& integer) {
  if (integer.is_int()) return integer.as_int() < 0;
  return (*IntegerView(integer)).sign() < 0;
}

std::int64_t bit_length(const Value& integer) {
  IntegerView view(integer);
  const auto& backend = (*view).backend();
  std::uint64_t top = backend.limbs()[backend.size() - 1];
  return 64 * static_cast<std::int64_t>(backend.size() - 1) + std::bit_width(top);
}

double integer_to_double(const Value& integer) {
  if (integer.is_int() || integer.is_bool()) return static_cast<double>(integer.as_int());
  Integer value = to_integer(integer);
  Integer magnitude = mp::abs(value);
  if (magnitude == 0) return 0;
  auto bits = static_cast<std::int64_t>(mp::msb(magnitude)) + 1;
  std::int64_t shift = bits > 64 ? bits - 64 : 0;
  Integer top = magnitude >> shift;
  auto leading = static_cast<std::uint64_t>(top);
  if (shift > 0 && static_cast<std::int64_t>(mp::lsb(magnitude)) < shift) leading |= 1;
  double result =
      shift > 1000 ? HUGE_VAL : std::ldexp(static_cast<double>(leading), static_cast<int>(shift));
  if (std::isinf(result)) raise(errors::OverflowError, "int too large to convert to float");
  return value < 0 ? -result : result;
}

namespace {

constexpr std::uint64_t kHashModulus = (std::uint64_t{1} << 61) - 1;

std::int64_t signed_hash(std::uint64_t magnitude, bool negative) {
  auto result = static_cast<std::int64_t>(magnitude);
  if (negative) result = -result;
  return result == -1 ? -2 : result;
}

}  // namespace

std::int64_t hash_integer(const Value& integer) {
  if (integer.is_int() || integer.is_bool()) {
    std::int64_t value = integer.as_int();
    std::uint64_t magnitude =
        value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    if (magnitude >= kHashModulus) magnitude %= kHashModulus;
    return signed_hash(magnitude, value < 0);
  }
  // 2**64 is 8 modulo 2**61 - 1.
  __extension__ using Twice = unsigned __int128;
  IntegerView view(integer);
  const auto& backend = (*view).backend();
  std::uint64_t rest = 0;
  for (std::size_t i = backend.size(); i-- > 0;) {
    Twice sum = static_cast<Twice>(rest) * 8 + backend.limbs()[i];
    rest = static_cast<std::uint64_t>(sum % kHashModulus);
  }
  return signed_hash(rest, backend.sign());
}

// Equal numbers hash alike, whatever their type: the value modulo 2**61 - 1.
std::int64_t hash_double(double value) {
  if (std::isinf(value)) return value > 0 ? 314159 : -314159;
  if (std::isnan(value)) return 0;
  int exponent;
  double fraction = std::fabs(std::frexp(value, &exponent));
  auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
  int rotation = ((exponent - 53) % 61 + 61) % 61;
  std::uint64_t result = ((mantissa << rotation) & kHashModulus) | mantissa >> (61 - rotation);
  return signed_hash(result % kHashModulus, value < 0);
}

}  // namespace strider::lang
