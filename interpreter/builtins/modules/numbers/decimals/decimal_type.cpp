// decimal.Decimal: the type. Each slot does what is common, and asks a method of the library's,
// whose name begins with an underscore, for the rest.
#include "interpreter/builtins/modules/functional/native_rows.h"
#include "interpreter/builtins/modules/numbers/decimals/decimal.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang::decimals {
namespace {

const Decimal& decimal_of(const Value& value) { return *value.as<Decimal>(); }

bool is_decimal(const Value& value) {
  return value.is_object() && is_instance(value, Decimal::type_object());
}

// A Value of a method that may give NotImplemented.
Value operator_result(const Value& result) {
  return identical(result, not_implemented()) ? Value() : result;
}

Name method_of(BinaryOperator op) {
  static const Name add = intern("_add"), subtract = intern("_subtract"),
                    multiply = intern("_multiply"), divide = intern("_divide"),
                    floor = intern("_floor_divide"), remainder = intern("_remainder"),
                    power = intern("_raise");
  switch (op) {
    case BinaryOperator::kAdd:
      return add;
    case BinaryOperator::kSub:
      return subtract;
    case BinaryOperator::kMult:
      return multiply;
    case BinaryOperator::kDiv:
      return divide;
    case BinaryOperator::kFloorDiv:
      return floor;
    case BinaryOperator::kMod:
      return remainder;
    case BinaryOperator::kPow:
      return power;
    default:
      return nullptr;
  }
}

Value common_result(BinaryOperator op, const Operand& left, const Operand& right) {
  switch (op) {
    case BinaryOperator::kAdd:
      return add(left, right);
    case BinaryOperator::kSub:
      return add(left, {!right.negative, right.coefficient, right.exponent});
    case BinaryOperator::kMult:
      return multiply(left, right);
    case BinaryOperator::kDiv:
      return divide(left, right);
    case BinaryOperator::kFloorDiv:
      return floor_divide(left, right);
    case BinaryOperator::kMod:
      return remainder(left, right);
    case BinaryOperator::kPow:
      return raise_to(left, right);
    default:
      return Value();
  }
}

Value decimal_binary(BinaryOperator op, const Value& self, const Value& other) {
  std::optional<Operand> left = operand_of(self), right = operand_of(other);
  if (left && right) {
    Value result = common_result(op, *left, *right);
    if (!result.is_empty()) return result;
  }
  Name method = method_of(op);
  if (!method || !(is_decimal(other) || is_integer(other))) return Value();
  return operator_result(call_method(self, method, other));
}

Value decimal_from_int(const Value& integer) {
  bool negative = integer_is_negative(exact_int(integer));
  Value size = negative
                   ? integer_binary(BinaryOperator::kSub, Value::integer(0), exact_int(integer))
                   : exact_int(integer);
  return make<Decimal>(negative, size, 0, Kind::kFinite);
}

Value decimal_reflected(BinaryOperator op, const Value& self, const Value& other) {
  if (is_decimal(other)) return decimal_binary(op, other, self);
  return is_integer(other) ? decimal_binary(op, decimal_from_int(other), self) : Value();
}

Value decimal_unary(UnaryOperator op, const Value& self) {
  static const Name negated = intern("_negated"), kept = intern("_kept");
  if (op != UnaryOperator::kUSub && op != UnaryOperator::kUAdd) return Value();
  bool negates = op == UnaryOperator::kUSub;
  std::optional<Operand> number = operand_of(self);
  if (number && !number->is_zero()) {
    number->negative ^= negates;
    Value result = rounded_to_context(*number);
    if (!result.is_empty()) return result;
  }
  return call_method(self, negates ? negated : kept);
}

Value decimal_absolute(const Parameters& p) {
  static const Name absolute = intern("_absolute");
  std::optional<Operand> number = operand_of(p[0]);
  if (number && !number->is_zero()) {
    number->negative = false;
    Value result = rounded_to_context(*number);
    if (!result.is_empty()) return result;
  }
  return call_method(p[0], absolute);
}

Value decimal_compare(CompareOperator op, const Value& self, const Value& other) {
  static const Name equals = intern("_equals"), compares = intern("_compares");
  std::optional<Operand> left = operand_of(self), right = operand_of(other);
  if (left && right) return order_result(op, order(*left, *right));
  if (op == CompareOperator::kEq) return operator_result(call_method(self, equals, other));
  if (op == CompareOperator::kNotEq) {
    Value result = operator_result(call_method(self, equals, other));
    return result.is_empty() ? result : Value::boolean(!truth(result));
  }
  Value symbol = make_str(syntax::operator_symbol(op));
  return operator_result(call_method(self, compares, other, symbol));
}

Value text_or_empty(const Value& self) {
  std::optional<Operand> number = operand_of(self);
  return number ? text_of_number(*number) : Value();
}

Value decimal_str(const Value& self) {
  static const Name text = intern("_text");
  Value plain = text_or_empty(self);
  return plain.is_empty() ? call_method(self, text) : plain;
}

Value decimal_repr(const Value& self) {
  return make_str(fmt::format("Decimal('{}')", text_of(decimal_str(self))));
}

std::int64_t decimal_hash(const Value& self) {
  static const Name hash = intern("_hash");
  std::optional<Operand> number = operand_of(self);
  return number ? hash_of(*number) : to_int64(call_method(self, hash));
}

// Correct where both are exact floats, and their quotient or product is rounded once.
Value decimal_to_float(const Value& self) {
  static const Name float_of = intern("_float");
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  constexpr int kMostPower = 18;
  std::optional<Operand> number = operand_of(self);
  bool exact = number && number->coefficient.is_int() && number->coefficient.as_int() <= kExact &&
               std::abs(number->exponent) <= kMostPower;
  if (!exact) return call_method(self, float_of);
  auto value = static_cast<double>(number->coefficient.as_int());
  auto power = static_cast<double>(small_power_of_ten(std::abs(number->exponent)));
  value = number->exponent < 0 ? value / power : value * power;
  return Value::real(number->negative ? -value : value);
}

constexpr int kMostPlaces = 400;

// A format of so many digits behind the point and nothing else: .2f
bool reads_places(std::string_view spec, int& places) {
  if (spec.size() < 3 || spec.size() > 4 || spec[0] != '.' || spec.back() != 'f') return false;
  places = 0;
  for (char digit : spec.substr(1, spec.size() - 2)) {
    if (digit < '0' || digit > '9') return false;
    places = places * 10 + (digit - '0');
  }
  return true;
}

Value format_decimal(const Value& self, const Value& spec) {
  static const Name format = intern("_format");
  std::optional<Operand> number = operand_of(self);
  int places;
  if (number && is_str(spec) && reads_places(text_of(spec), places) &&
      std::abs(number->exponent) < kMostPlaces)
    if (std::optional<Operand> shown = with_places(*number, places))
      if (Value text = text_of_number(*shown); !text.is_empty()) return text;
  Value text = call_method(self, format, spec);
  if (!is_str(text))
    raise(errors::TypeError, "__format__ must return a str, not {}", type_name(text));
  return text;
}

Value made(Type* cls, const Operand& number) {
  return make_instance<Decimal>(cls, number.negative, number.coefficient, number.exponent,
                                Kind::kFinite);
}

Value constructed_by_library(Type* cls, const Value& value, const Value& context) {
  static const Name construct = intern("_construct");
  import_module("decimal");  // which gives the class its methods
  return call(*Decimal::type_object().own(construct), Value(cls), value, context);
}

Value decimal_construct(Type* cls, const Arguments& arguments) {
  static const Signature signature("Decimal(value='0', context=None)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  const Value& value = slots[0];
  if (!slots[1].is_none()) return constructed_by_library(cls, value, slots[1]);
  if (is_exactly(value, Str::type_object())) {
    if (std::optional<Operand> number = read_number(text_of(value))) return made(cls, *number);
  } else if (is_exactly(value, Decimal::type_object()) && cls == &Decimal::type_object()) {
    return value;
  } else if (value.is_int() || value.has_layout(Layout::kBigInt)) {
    return made(cls, *operand_of(value));
  }
  return constructed_by_library(cls, value, slots[1]);
}

Value decimal_quantize(const Parameters& p) {
  static const Name quantize = intern("_quantize");
  std::optional<Operand> number = operand_of(p[0]), model = operand_of(p[1]);
  if (number && model && p[3].is_none()) {
    Value result = quantized(*number, model->exponent, p[2]);
    if (!result.is_empty()) return result;
  }
  return call_method(p[0], quantize, p[1], p[2], p[3]);
}

// Without what is behind the point.
Value decimal_to_int(const Value& self) {
  static const Name integer = intern("_integer");
  std::optional<Operand> number = operand_of(self);
  constexpr std::int64_t kMostPower = 18;
  if (!number || !number->coefficient.is_int() || number->exponent > 0 ||
      number->exponent < -kMostPower)
    return call_method(self, integer);
  std::int64_t whole = number->coefficient.as_int() / small_power_of_ten(-number->exponent);
  return Value::integer(number->negative ? -whole : whole);
}

const NativeRow kMethods[] = {
    {"quantize(self, exp, rounding=None, context=None)", decimal_quantize,
     "The number with the exponent of another."},
    {"__abs__(self, /)", decimal_absolute, "The number without its sign, rounded."},
};

const PropertyRow kProperties[] = {
    {"_sign", [](const Value& self) { return Value::integer(decimal_of(self).negative); }, nullptr,
     "1 for negative numbers."},
    {"_int", [](const Value& self) { return decimal_of(self).coefficient; }, nullptr,
     "The coefficient."},
    {"_exp", [](const Value& self) { return Value::integer(decimal_of(self).exponent); }, nullptr,
     "The exponent of ten."},
    {"_kind",
     [](const Value& self) { return Value::integer(static_cast<int>(decimal_of(self).kind)); },
     nullptr, "0: finite, 1: infinite, 2: not a number, 3: a signalling one."},
};

void set_slots(Slots& slots) {
  slots.construct = decimal_construct;
  slots.initialize = [](const Value&, const Arguments&) {};
  slots.repr = decimal_repr;
  slots.str = decimal_str;
  slots.format = format_decimal;
  slots.hash = decimal_hash;
  slots.truth = [](const Value& self) {
    return decimal_of(self).kind != Kind::kFinite || !decimal_of(self).is_zero();
  };
  slots.binary = decimal_binary;
  slots.reflected = decimal_reflected;
  slots.operators = {"+ - * / // % **", "+ - * / // % **", ""};
  slots.unary = decimal_unary;
  slots.compare = decimal_compare;
  slots.to_int = decimal_to_int;
  slots.to_float = decimal_to_float;
}

}  // namespace

std::optional<Operand> operand_of(const Value& value) {
  if (value.is_int() && value.as_int() >= 0) return Operand{false, value, 0};
  if (is_decimal(value)) {
    const Decimal& number = decimal_of(value);
    if (number.kind != Kind::kFinite) return std::nullopt;
    return Operand{number.negative, number.coefficient, number.exponent};
  }
  if (!is_integer(value)) return std::nullopt;
  return operand_of(decimal_from_int(value));
}

Type& Decimal::type_object() {
  static Type& type = *[] {
    Type& made = make_module_type("Decimal", "decimal");
    made.doc =
        "A decimal number: Decimal(value='0', context=None), of an int, a float, a text, a tuple "
        "of sign, digits and exponent, or another one, exactly.";
    made.set(Type::kSubclassable);
    set_slots(made.slots);
    made.add(kMethods);
    made.add(kProperties);
    return &made;
  }();
  return type;
}

}  // namespace strider::lang::decimals
