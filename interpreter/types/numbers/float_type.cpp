// What the language can do with floats.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// The other operand as a double: floats and integers; false for everything else.
bool operand(const Value& value, double& result) {
  if (is_float(value)) {
    result = float_value(value);
    return true;
  }
  if (!is_integer(value)) return false;
  result = integer_to_double(exact_int(value));
  return true;
}

Value float_to_repr(const Value& self) { return make_str(float_repr(float_value(self))); }

Value float_to_format(const Value& self, const Value& spec) {
  if (text_of(spec).empty()) return str(self);
  return make_str(format_float(float_value(self), text_of(spec), type_name(self)));
}

Value binary_float(BinaryOperator op, const Value& self, const Value& other) {
  double right;
  return operand(other, right) ? float_binary(op, float_value(self), right) : Value();
}

Value reflected_float(BinaryOperator op, const Value& self, const Value& other) {
  double left;
  return operand(other, left) ? float_binary(op, left, float_value(self)) : Value();
}

Value unary_float(UnaryOperator op, const Value& self) {
  if (op == UnaryOperator::kUSub) return Value::real(-float_value(self));
  if (op == UnaryOperator::kUAdd) return Value::real(float_value(self));
  return Value();
}

Value compare_doubles(CompareOperator op, double left, double right) {
  switch (op) {
    case CompareOperator::kEq:
      return Value::boolean(left == right);
    case CompareOperator::kNotEq:
      return Value::boolean(left != right);
    case CompareOperator::kLt:
      return Value::boolean(left < right);
    case CompareOperator::kLtE:
      return Value::boolean(left <= right);
    case CompareOperator::kGt:
      return Value::boolean(left > right);
    case CompareOperator::kGtE:
      return Value::boolean(left >= right);
    default:
      return Value();
  }
}

Value compare_float(CompareOperator op, const Value& self, const Value& other) {
  double left = float_value(self);
  if (is_float(other)) return compare_doubles(op, left, float_value(other));
  if (!is_integer(other)) return Value();
  if (std::isnan(left)) return Value::boolean(op == CompareOperator::kNotEq);
  return order_result(op, -compare_integer_double(exact_int(other), left));
}

Value to_int(const Value& self) { return integer_from_double(float_value(self)); }
Value to_float(const Value& self) { return Value::real(float_value(self)); }

// --- float(...) ---

double converted(const Value& value) {
  if (value.is_float()) return value.as_float();
  if (is_bytes_like(value)) {
    std::string text(to_bytes(value));
    bool ascii = std::all_of(text.begin(), text.end(), [](unsigned char c) { return c < 128; });
    double result;
    if (ascii && try_parse_float(text, result)) return result;
    raise(errors::ValueError, "could not convert string to float: {}", repr_text(value));
  }
  const Slots& slots = type_of(value)->slots;
  if (!slots.to_float && !slots.to_index)
    raise(errors::TypeError, "float() argument must be a string or a real number, not '{}'",
          type_name(value));
  return to_double(value);
}

Value construct(Type* cls, const Arguments& arguments) {
  if (arguments.count == 1 && arguments.keyword_count == 0 && cls == &float_type()) {
    const Value& number = arguments.values[0];
    if (number.is_float()) return number;
    if (number.is_int()) return Value::real(static_cast<double>(number.as_int()));
    if (number.has_layout(Layout::kNumpyScalar) && type_of(number)->slots.to_float)
      return Value::real(to_double(number));
  }
  check_arity(arguments_for_builtin(arguments, *cls, names().init), "float", 0, 1);
  double value = 0;
  if (arguments.count > 0 && is_str(arguments.values[0])) {
    if (!try_parse_float(text_of(arguments.values[0]), value))
      return fail(errors::ValueError, "could not convert string to float: {}",
                  repr_text(arguments.values[0]));
  } else if (arguments.count > 0) {
    value = converted(arguments.values[0]);
  }
  if (cls == &float_type()) return Value::real(value);
  return make_instance<FloatBox>(cls, value);
}

// --- Methods ---

double self_of(const Parameters& parameters) { return float_value(parameters[0]); }

Value as_integer_ratio(const Parameters& parameters) {
  double value = self_of(parameters);
  if (std::isinf(value)) raise(errors::OverflowError, "cannot convert Infinity to integer ratio");
  if (std::isnan(value)) raise(errors::ValueError, "cannot convert NaN to integer ratio");
  int exponent;
  double fraction = std::frexp(value, &exponent);
  while (fraction != std::floor(fraction)) {
    fraction *= 2;
    --exponent;
  }
  Integer numerator = static_cast<std::int64_t>(fraction), denominator = 1;
  if (exponent > 0)
    numerator <<= exponent;
  else
    denominator <<= -exponent;
  return make_tuple({from_integer(numerator), from_integer(denominator)});
}

Value is_whole(const Parameters& parameters) {
  double value = self_of(parameters);
  return Value::boolean(std::isfinite(value) && value == std::floor(value));
}

Value to_hex(const Parameters& parameters) { return make_str(float_hex(self_of(parameters))); }

Value get_format(const Parameters& parameters) {
  std::string_view name = to_text(parameters[1], "__getformat__() argument");
  if (name != "double" && name != "float")
    raise(errors::ValueError, "__getformat__() argument 1 must be 'double' or 'float'");
  return make_str("IEEE, little-endian");
}

Value from_hex(const Parameters& parameters) {
  Value result = Value::real(parse_float_hex(to_text(parameters[1], "fromhex() argument")));
  const Value& cls = parameters[0];
  return cls.is_object() && cls.object() == &float_type() ? result : call(cls, result);
}

Value conjugate(const Parameters& parameters) { return Value::real(self_of(parameters)); }

Value absolute(const Parameters& parameters) { return Value::real(std::fabs(self_of(parameters))); }

Value round_of(const Parameters& parameters) {
  double value = self_of(parameters);
  if (!parameters.has(1) || parameters[1].is_none())
    return integer_from_double(std::nearbyint(value));
  return Value::real(round_float(value, to_clamped_index(parameters[1])));
}

Value trunc_of(const Parameters& parameters) { return integer_from_double(self_of(parameters)); }
Value floor_of(const Parameters& parameters) {
  return integer_from_double(std::floor(self_of(parameters)));
}
Value ceil_of(const Parameters& parameters) {
  return integer_from_double(std::ceil(self_of(parameters)));
}

Value divmod_of(const Value& left, const Value& right) {
  double a, b;
  if (!operand(left, a) || !operand(right, b)) return not_implemented();
  if (b == 0) raise(errors::ZeroDivisionError, "float divmod()");
  return make_tuple({Value::real(float_floor_divide(a, b)), Value::real(float_modulo(a, b))});
}
Value divmod_float(const Parameters& parameters) { return divmod_of(parameters[0], parameters[1]); }
Value rdivmod_float(const Parameters& parameters) {
  return divmod_of(parameters[1], parameters[0]);
}

Value new_arguments(const Parameters& parameters) {
  return make_tuple({Value::real(self_of(parameters))});
}

constexpr NativeRow kMethods[] = {
    {"as_integer_ratio(self, /)", as_integer_ratio,
     "The pair of integers whose ratio is exactly the number."},
    {"is_integer(self, /)", is_whole, "Return True if the float is an integer."},
    {"hex(self, /)", to_hex, "Return a hexadecimal representation."},
    {"classmethod __getformat__(cls, typestr, /)", get_format,
     "How 'double' or 'float' lies in memory."},
    {"classmethod fromhex(cls, string, /)", from_hex, "Read a hexadecimal representation."},
    {"__abs__(self, /)", absolute, "The absolute value."},
    {"conjugate(self, /)", conjugate, "Return self, the complex conjugate of any float."},
    {"__round__(self, ndigits=<none>, /)", round_of, "Rounds half to even."},
    {"__trunc__(self, /)", trunc_of, "The integer part."},
    {"__floor__(self, /)", floor_of, "The largest integer not above."},
    {"__ceil__(self, /)", ceil_of, "The smallest integer not below."},
    {"__divmod__(self, value, /)", divmod_float, "Return divmod(self, value)."},
    {"__rdivmod__(self, value, /)", rdivmod_float, "Return divmod(value, self)."},
    {"__getnewargs__(self, /)", new_arguments, "The arguments that make a copy."},
};

constexpr PropertyRow kProperties[] = {
    {"real", to_float, nullptr, "The real part: the number itself."},
    {"imag", [](const Value&) { return Value::real(0); }, nullptr, "The imaginary part: 0."},
};

}  // namespace

Type& float_type() {
  static bool ready = false;
  static Type& type = new_type("float", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kFloatBox;
  type.set(Type::kSubclassable);
  type.doc = "A floating-point number of 64 bits.";
  type.slots.repr = float_to_repr;
  type.slots.format = float_to_format;
  type.slots.hash = [](const Value& self) { return hash_double(float_value(self)); };
  type.slots.truth = [](const Value& self) { return float_value(self) != 0; };
  type.slots.binary = binary_float;
  type.slots.reflected = reflected_float;
  type.slots.operators = {"+ - * / // % **", "+ - * / // % **", ""};
  type.slots.unary = unary_float;
  type.slots.compare = compare_float;
  type.slots.to_int = to_int;
  type.slots.to_float = to_float;
  type.slots.construct = construct;
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

}  // namespace strider::lang
