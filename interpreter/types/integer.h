// Integers of any size: 64 bits live in the Value itself, larger ones in a BigInt.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/runtime/slots.h"
#include "interpreter/runtime/value.h"

namespace strider::lang {

using Integer = boost::multiprecision::cpp_int;

// An int outside the 64-bit range. (Always normalised: a BigInt never fits 64 bits.)
class BigInt final : public Object {
 public:
  explicit BigInt(Integer value);
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
Value from_integer(Integer value);  // normalises
Value from_uint64(std::uint64_t value);

// Arithmetic on exact ints of any size; Empty if an operand is not an integer.
Value integer_binary(BinaryOperator op, const Value& left, const Value& right);
// int(text, base) with underscores and prefixes; ValueError "invalid literal for int() with base
// 10: 'x'".
Value parse_int(std::string_view text, int base);
std::string integer_text(const Value& integer, int base = 10);
// The nearest double; OverflowError "int too large to convert to float".
double integer_to_double(const Value& integer);
std::int64_t hash_double(double value);
std::int64_t hash_integer(const Value& integer);

}  // namespace strider::lang
