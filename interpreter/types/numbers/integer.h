// Integers of any size: 64 bits live in the Value itself, larger ones in a BigInt.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "interpreter/runtime/type/slots.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// Limbs lie in the pool as long as they are few.
using IntegerBackend =
    boost::multiprecision::cpp_int_backend<0, 0, boost::multiprecision::signed_magnitude,
                                           boost::multiprecision::unchecked,
                                           pool::Allocator<boost::multiprecision::limb_type>>;
using Integer = boost::multiprecision::number<IntegerBackend>;

// An int outside the 64-bit range. (Always normalised: a BigInt never fits 64 bits.)
class BigInt final : public Object {
 public:
  explicit BigInt(Integer&& value);
  const Integer value;
};

// An instance of a subclass of int (IntEnum members, user classes).
class IntBox : public Object {
 public:
  IntBox(const Value& value, Type* type);
  const Value value;  // an exact int
};

Type& int_type();
Type& bool_type();

// True for int, bool and instances of subclasses of int.
bool is_integer(const Value& value);
// The exact int (Value int or BigInt) behind anything is_integer() accepts.
Value exact_int(const Value& value);
Integer to_integer(const Value& value);
// The same, borrowed from the value where it has one; it must outlive this.
class IntegerView {
 public:
  explicit IntegerView(const Value& value) {
    if (value.has_layout(Layout::kBigInt)) {
      integer_ = &value.as<BigInt>()->value;
    } else {
      made_ = to_integer(value);
      integer_ = &made_;
    }
  }
  IntegerView(const IntegerView&) = delete;
  const Integer& operator*() const { return *integer_; }

 private:
  Integer made_;
  const Integer* integer_;
};
Value from_integer(Integer value);  // normalises
Value from_uint64(std::uint64_t value);

// The integer part of a float; OverflowError for infinities, ValueError for NaN.
Value integer_from_double(double value);
// Negative, zero or positive as left is less than, equal to or greater than right (exact ints).
int compare_integers(const Value& left, const Value& right);
// The same between an exact int and a float that is not NaN.
int compare_integer_double(const Value& left, double right);
bool integer_is_negative(const Value& integer);
// Number of bits of the absolute value.
std::int64_t bit_length(const Value& integer);
// Correctly rounded left / right; ZeroDivisionError, OverflowError.
double divide_integers(const Value& left, const Value& right);
// pow(base, exponent, modulus); ValueError when there is no inverse or the modulus is 0.
Value integer_power_modulo(const Value& base, const Value& exponent, const Value& modulus);
// round(integer, digits): half to even at 10**-digits.
Value round_integer(const Value& integer, std::int64_t digits);

// Floor division and remainder in one; ZeroDivisionError. For anything is_integer() accepts.
std::pair<Value, Value> integer_divmod(const Value& left, const Value& right);
// Arithmetic on exact ints of any size; Empty if an operand is not an integer.
Value integer_binary(BinaryOperator op, const Value& left, const Value& right);
// int(text, base) with underscores and prefixes; ValueError "invalid literal for int() with base
// 10: 'x'".
Value parse_int(std::string_view text, int base);
// Empty where that fails (see error.h); the digits of bytes are ASCII.
Value attempt_int(std::string_view text, int base, bool of_bytes = false);
// The message of dividing plain numbers by zero with / // %.
const char* zero_division_message(BinaryOperator op, bool integers);
std::string integer_text(const Value& integer, int base = 10);
// The nearest double; OverflowError "int too large to convert to float".
double integer_to_double(const Value& integer);
std::int64_t hash_double(double value);
std::int64_t hash_integer(const Value& integer);

}  // namespace strider::lang
