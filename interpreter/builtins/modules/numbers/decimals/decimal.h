// The class decimal.Decimal: numbers as they are in memory. What is common is done here; the rest
// stands in stdlib/decimal, whose functions are given to the class.
#pragma once

#include <cstdint>
#include <optional>

#include "interpreter/builtins/modules/numbers/decimals/coefficient.h"
#include "interpreter/runtime/type/type.h"

namespace strider::lang::decimals {

enum class Kind : std::uint8_t { kFinite, kInfinite, kNan, kSignalling };

// A number, which never changes: its sign, coefficient * 10**exponent; or what is none. The
// coefficient is an int from 0 on; that of a NaN is what it tells.
class Decimal : public Object {
 public:
  Decimal(bool is_negative, const Value& digits, std::int64_t power, Kind of_kind,
          Type* type = &type_object())
      : Object(Layout::kOther, type),
        coefficient(digits),
        exponent(power),
        kind(of_kind),
        negative(is_negative) {}
  static Type& type_object();
  bool is_zero() const { return coefficient.is_int() && coefficient.as_int() == 0; }

  const Value coefficient;
  const std::int64_t exponent;
  const Kind kind;
  const bool negative;
};

// A finite number among the operands: a Decimal, or an int.
struct Operand {
  bool negative;
  Value coefficient;
  std::int64_t exponent;
  bool is_zero() const { return coefficient.is_int() && coefficient.as_int() == 0; }
};
std::optional<Operand> operand_of(const Value& value);

// What gives the current context, which is kept until contextvars enters another one; what signals
// rounding and inexactness.
void set_contexts(const Value& current, const Value& rounded, const Value& inexact);
// Another context has become the current one.
void forget_context();

// left OP right of finite numbers in the current context; Empty where that is not common: the
// library knows then.
Value add(const Operand& left, const Operand& right);
Value multiply(const Operand& left, const Operand& right);
Value divide(const Operand& left, const Operand& right);
Value floor_divide(const Operand& left, const Operand& right);
Value remainder(const Operand& left, const Operand& right);
Value raise_to(const Operand& base, const Operand& power);
// The number with an exponent, rounded as the context says, or by the name of another way; Empty
// where that is not common.
Value quantized(const Operand& number, std::int64_t exponent, const Value& rounding);
// The number with so many digits behind the point, rounded as the context says, which hears
// nothing.
std::optional<Operand> with_places(const Operand& number, std::int64_t places);
// The number rounded to the current context, without an operation. Not for 0.
Value rounded_to_context(const Operand& number);
// Negative, zero or positive as left is less than, equal to or greater than right.
int order(const Operand& left, const Operand& right);
// Equal to the hash of an int or Fraction of the same value.
std::int64_t hash_of(const Operand& number);

// The text of a finite number; Empty where it needs an exponent.
Value text_of_number(const Operand& number);
// The number that a text is: digits, a point, an exponent; nothing where it is written otherwise.
std::optional<Operand> read_number(std::string_view text);

}  // namespace strider::lang::decimals
