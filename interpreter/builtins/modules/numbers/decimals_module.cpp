// The module _decimals: the class Decimal, and coefficients counted and rounded. decimal is on it.
#include <algorithm>

#include "interpreter/builtins/modules/numbers/decimals/decimal.h"
#include "interpreter/builtins/modules/numbers/math_support.h"
#include "interpreter/builtins/registry.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using decimals::Decimal;

constexpr std::int64_t kMostExponent = std::int64_t{1} << 61;  // beyond any context

Value digits(const Parameters& p) {
  return Value::integer(decimals::count_digits(exact_int(p[0])));
}

Value round_coefficient(const Parameters& p) {
  Value coefficient = exact_int(p[1]);
  decimals::Rounded rounded;
  bool zero = coefficient.is_int() && coefficient.as_int() == 0;
  if (zero || !decimals::round_coefficient(
                  truth(p[0]), coefficient, to_int64(p[2]), to_int64(p[3]), to_int64(p[4]),
                  static_cast<decimals::Rounding>(to_int64(p[5])), rounded))
    return Value::none();
  return make_tuple(
      {rounded.coefficient, Value::integer(rounded.exponent), Value::boolean(rounded.inexact)});
}

Value divide(const Parameters& p) {
  decimals::Quotient found =
      decimals::divide_coefficients(exact_int(p[0]), exact_int(p[1]), to_int64(p[2]));
  return make_tuple({found.coefficient, Value::integer(found.shift), Value::boolean(found.rest)});
}

Value make_decimal(const Parameters& p) {
  std::int64_t exponent = std::clamp(to_clamped_index(p[2]), -kMostExponent, kMostExponent);
  auto kind = static_cast<decimals::Kind>(to_int64(p[3]));
  Type* cls = p.has(4) ? p[4].as<Type>() : &Decimal::type_object();
  return make_instance<Decimal>(cls, truth(p[0]), exact_int(p[1]), exponent, kind);
}

// Functions of the library become methods of the class.
Value give(const Parameters& p) {
  Decimal::type_object().set_own(intern(to_text(p[0], "name")), p[1]);
  return Value::none();
}

Value use_contexts(const Parameters& p) {
  decimals::set_contexts(p[0], p[1], p[2]);
  return Value::none();
}

Value forget_context(const Parameters&) {
  decimals::forget_context();
  return Value::none();
}

const NativeRow kFunctions[] = {
    {"digits(number, /)", digits, "How many digits a number has; 1 for 0."},
    {"round(negative, coefficient, exponent, precision, least, rounding, /)", round_coefficient,
     "A coefficient with fewer digits, its exponent, and whether that is inexact; or None."},
    {"divide(top, bottom, precision, /)", divide,
     "A quotient with enough digits, its shift, and whether there is a rest."},
    {"make(sign, coefficient, exponent, kind=0, cls=<none>, /)", make_decimal,
     "The Decimal of its parts; kind: 0 finite, 1 infinite, 2 not a number, 3 a signalling one."},
    {"give(name, method, /)", give, "Makes a function a method of Decimal."},
    {"use_contexts(current, rounded, inexact, /)", use_contexts,
     "Says what gives the current context, and what signals rounding."},
    {"forget_context()", forget_context, "Another context has become the current one."},
};

const ConstantRow kTypes[] = {{"Decimal", [] { return Value(&Decimal::type_object()); }}};

}  // namespace

const NativeModule kDecimalsModule = {"_decimals", "Decimal numbers.", kFunctions, kTypes};

}  // namespace strider::lang
