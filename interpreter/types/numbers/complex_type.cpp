// What the language can do with complex numbers.
#include <cmath>

#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using Number = std::complex<double>;

Number number_of(const Value& value) { return value.as<Complex>()->value; }

Value to_format(const Value& self, const Value& spec) {
  if (text_of(spec).empty()) return str(self);
  return make_str(format_complex(number_of(self).real(), number_of(self).imag(), text_of(spec)));
}

std::int64_t complex_hash(const Value& self) {
  auto real = static_cast<std::uint64_t>(hash_double(number_of(self).real()));
  auto imag = static_cast<std::uint64_t>(hash_double(number_of(self).imag()));
  auto result = static_cast<std::int64_t>(real + 1000003u * imag);
  return result == -1 ? -2 : result;
}

// As try_complex; whatever is a float by its class takes part as one, NumPy's float64 too.
bool try_operand(const Value& value, Number& result) {
  if (try_complex(value, result)) return true;
  if (!type_of(value)->is_subclass_of(&float_type())) return false;
  result = to_double(value);
  return true;
}

Value binary_complex(BinaryOperator op, const Value& self, const Value& other) {
  Number right;
  return try_operand(other, right) ? complex_binary(op, number_of(self), right) : Value();
}

Value reflected_complex(BinaryOperator op, const Value& self, const Value& other) {
  Number left;
  return try_complex(other, left) ? complex_binary(op, left, number_of(self)) : Value();
}

Value unary_complex(UnaryOperator op, const Value& self) {
  if (op == UnaryOperator::kUSub) return make_complex(-number_of(self));
  if (op == UnaryOperator::kUAdd) return make_complex(number_of(self));
  return Value();
}

bool equals(Number left, const Value& right) {
  if (right.has_layout(Layout::kComplex)) return left == number_of(right);
  if (left.imag() != 0) return false;
  if (is_float(right)) return left.real() == float_value(right);
  return !std::isnan(left.real()) && compare_integer_double(exact_int(right), left.real()) == 0;
}

Value compare_complex(CompareOperator op, const Value& self, const Value& other) {
  if (op != CompareOperator::kEq && op != CompareOperator::kNotEq) return Value();
  bool wanted = op == CompareOperator::kEq;
  bool exact = other.has_layout(Layout::kComplex) || is_float(other) || is_integer(other);
  if (exact) return Value::boolean(equals(number_of(self), other) == wanted);
  Number right;
  return try_operand(other, right) ? Value::boolean((number_of(self) == right) == wanted) : Value();
}

// --- complex(...) ---

// The value through __complex__, __float__ or __index__.
Number converted(const Value& value, const char* what) {
  Number result;
  bool of_class = type_of(value)->has(Type::kUserDefined);  // whose own method goes first
  if (!of_class && try_complex(value, result)) return result;
  Value method = find_special(value, names().complex);
  if (!method.is_empty()) {
    Value made = call(method);
    if (!made.has_layout(Layout::kComplex))
      raise(errors::TypeError, "__complex__ returned non-complex (type {})", type_name(made));
    return number_of(made);
  }
  if (try_complex(value, result)) return result;
  const Slots& slots = type_of(value)->slots;
  if (!slots.to_float && !slots.to_index)
    raise(errors::TypeError, "complex() {} must be a {}number, not '{}'", what,
          std::string_view(what) == "first argument" ? "string or a " : "", type_name(value));
  return to_double(value);
}

Number from_arguments(const Value& real, const Value& imag) {
  if (is_str(real)) {
    if (!imag.is_empty())
      raise(errors::TypeError, "complex() can't take second arg if first is a string");
    return parse_complex(text_of(real));
  }
  if (is_str(imag)) raise(errors::TypeError, "complex() second arg can't be a string");
  Number result = real.is_empty() ? Number(0) : converted(real, "first argument");
  if (imag.is_empty()) return result;
  Number second = converted(imag, "second argument");
  // A complex second argument is a number times j.
  double left = result.real(), upper = result.imag();
  if (imag.has_layout(Layout::kComplex)) left -= second.imag();
  return {left, real.has_layout(Layout::kComplex) ? upper + second.real() : second.real()};
}

Value construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature("complex(real=<none>, imag=<none>)");
  Value slots[2];
  bind_constructor(signature, arguments, slots);
  bool exact = cls == &Complex::type_object();
  if (exact && slots[1].is_empty() && is_exactly(slots[0], *cls)) return slots[0];
  Number number = from_arguments(slots[0], slots[1]);
  return exact ? make_complex(number) : Value(make_instance<Complex>(cls, number));
}

Value conjugate(const Parameters& parameters) {
  return make_complex(std::conj(number_of(parameters[0])));
}

Value absolute(const Parameters& parameters) {
  Number number = number_of(parameters[0]);
  double result = std::hypot(number.real(), number.imag());
  if (std::isinf(result) && std::isfinite(number.real()) && std::isfinite(number.imag()))
    raise(errors::OverflowError, "absolute value too large");
  return Value::real(result);
}

Value itself(const Parameters& parameters) { return make_complex(number_of(parameters[0])); }

Value new_arguments(const Parameters& parameters) {
  Number number = number_of(parameters[0]);
  return make_tuple({Value::real(number.real()), Value::real(number.imag())});
}

constexpr NativeRow kMethods[] = {
    {"__abs__(self, /)", absolute, "The distance from zero."},
    {"conjugate(self, /)", conjugate, "Return the complex conjugate."},
    {"__complex__(self, /)", itself, "The number itself."},
    {"__getnewargs__(self, /)", new_arguments, "The arguments that make a copy."},
};

constexpr PropertyRow kProperties[] = {
    {"real", [](const Value& self) { return Value::real(number_of(self).real()); }, nullptr,
     "The real part."},
    {"imag", [](const Value& self) { return Value::real(number_of(self).imag()); }, nullptr,
     "The imaginary part."},
};

}  // namespace

Type& Complex::type_object() {
  static bool ready = false;
  static Type& type = new_type("complex", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kComplex;
  type.set(Type::kSubclassable);
  type.doc = "A complex number: two floats.";
  type.slots.repr = [](const Value& self) -> Value {
    return make_str(complex_repr(number_of(self)));
  };
  type.slots.format = to_format;
  type.slots.hash = complex_hash;
  type.slots.truth = [](const Value& self) { return number_of(self) != 0.0; };
  type.slots.binary = binary_complex;
  type.slots.reflected = reflected_complex;
  type.slots.operators = {"+ - * / **", "+ - * / **", ""};
  type.slots.unary = unary_complex;
  type.slots.compare = compare_complex;
  type.slots.construct = construct;
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

}  // namespace strider::lang
