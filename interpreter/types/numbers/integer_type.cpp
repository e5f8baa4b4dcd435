// What the operators of the language do with int and bool.
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/integer_methods.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value int_repr(const Value& self) {
  if (self.is_int()) return make_decimal(self.as_int());
  return make_str(integer_text(self));
}

Value int_format(const Value& self, const Value& spec) {
  if (text_of(spec).empty()) return str(self);
  return make_str(format_int(exact_int(self), text_of(spec), type_name(self)));
}

std::int64_t int_hash(const Value& self) { return hash_integer(exact_int(self)); }

bool int_truth(const Value& self) {
  Value value = exact_int(self);
  return !value.is_int() || value.as_int() != 0;
}

Value int_binary(BinaryOperator op, const Value& self, const Value& other) {
  return integer_binary(op, self, other);
}

Value int_reflected(BinaryOperator op, const Value& self, const Value& other) {
  return integer_binary(op, other, self);
}

Value int_unary(UnaryOperator op, const Value& self) {
  Value value = exact_int(self);
  switch (op) {
    case UnaryOperator::kUAdd:
      return value;
    case UnaryOperator::kUSub:
      if (value.has_layout(Layout::kBigInt)) return from_integer(-value.as<BigInt>()->value);
      return integer_binary(BinaryOperator::kSub, Value::integer(0), value);
    case UnaryOperator::kInvert:
      return integer_binary(BinaryOperator::kSub, Value::integer(-1), value);
    default:
      return Value();
  }
}

Value int_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_integer(other)) return Value();
  return order_result(op, compare_integers(exact_int(self), exact_int(other)));
}

Value int_float(const Value& self) { return Value::real(integer_to_double(exact_int(self))); }

// --- int(...): Empty where it fails ---

Value parsed(const Value& text, int base) {
  if (is_str(text)) {
    Value number = attempt_int(text_of(text), base);
    bool told_of = number.is_empty() && type_of(text) != &Str::type_object();
    if (!told_of || (base != 0 && (base < 2 || base > 36))) return number;
    take_raised(Interpreter::current());  // texts of other classes are shown as these show them
    return fail(errors::ValueError, "invalid literal for int() with base {}: {}", base,
                repr_text(text));
  }
  return attempt_int(to_bytes(text), base, true);
}

Value checked_integer(const Value& result, const char* method) {
  if (!is_integer(result))
    raise(errors::TypeError, "{} returned non-int (type {})", method, type_name(result));
  return exact_int(result);
}

Value converted(const Value& value) {
  static const Name trunc = intern("__trunc__");
  if (is_integer(value) && !value.has_layout(Layout::kIntBox)) return exact_int(value);
  if (value.is_float()) return integer_from_double(value.as_float());
  const Slots& slots = type_of(value)->slots;
  if (slots.to_int) return checked_integer(slots.to_int(value), "__int__");
  if (slots.to_index) return checked_integer(slots.to_index(value), "__index__");
  if (is_str(value) || is_bytes_like(value)) return parsed(value, 10);
  Value method = find_special(value, trunc);
  if (!method.is_empty()) return converted(call(method));
  raise(errors::TypeError,
        "int() argument must be a string, a bytes-like object or a real number, not '{}'",
        type_name(value));
}

Value converted_with_base(const Value& value, const Value& base) {
  if (value.is_empty()) raise(errors::TypeError, "int() missing string argument");
  if (!is_str(value) && !is_bytes_like(value))
    raise(errors::TypeError, "int() can't convert non-string with explicit base");
  std::int64_t number = to_clamped_index(base);
  return parsed(value, number < 0 || number > 36 ? 1 : static_cast<int>(number));
}

Value int_construct(Type* cls, const Arguments& arguments) {
  static const Signature& signature = *new Signature("int(x=<none>, /, base=<none>)");
  Value result;
  if (arguments.count == 1 && arguments.keyword_count == 0) {
    result = converted(arguments.values[0]);
  } else {
    Value slots[2];
    bind_constructor(signature, arguments, slots);
    result = !slots[1].is_empty()  ? converted_with_base(slots[0], slots[1])
             : slots[0].is_empty() ? Value::integer(0)
                                   : converted(slots[0]);
  }
  if (cls == &int_type() || result.is_empty()) return result;
  return make_instance<IntBox>(cls, result);
}

// --- bool ---

Value bool_repr(const Value& self) { return make_str(self.as_bool() ? "True" : "False"); }

bool is_bitwise(BinaryOperator op) {
  return op == BinaryOperator::kBitAnd || op == BinaryOperator::kBitOr ||
         op == BinaryOperator::kBitXor;
}

Value bool_binary(BinaryOperator op, const Value& self, const Value& other) {
  Value result = integer_binary(op, self, other);
  if (is_bitwise(op) && other.is_bool() && self.is_bool())
    return Value::boolean(result.as_int() != 0);
  return result;
}

Value bool_reflected(BinaryOperator op, const Value& self, const Value& other) {
  return bool_binary(op, other, self);
}

Value bool_construct(Type*, const Arguments& arguments) {
  check_arity(arguments, "bool", 0, 1);
  return Value::boolean(arguments.count == 1 && truth(arguments.values[0]));
}

}  // namespace

Type& int_type() {
  static bool ready = false;
  static Type& type = new_type("int", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kIntBox;
  type.set(Type::kSubclassable);
  type.doc = "A whole number of any size.";
  type.slots.repr = int_repr;
  type.slots.format = int_format;
  type.slots.hash = int_hash;
  type.slots.truth = int_truth;
  type.slots.binary = int_binary;
  type.slots.reflected = int_reflected;
  type.slots.operators = {"+ - * / // % ** << >> & ^ |", "+ - * / // % ** << >> & ^ |", ""};
  type.slots.unary = int_unary;
  type.slots.compare = int_compare;
  type.slots.to_int = exact_int;
  type.slots.to_index = exact_int;
  type.slots.to_float = int_float;
  type.slots.construct = int_construct;
  add_integer_methods(type);
  return type;
}

Type& bool_type() {
  static bool ready = false;
  static Type& type = new_type("bool", int_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kIntBox;
  type.doc = "A truth value: True or False.";
  type.slots.repr = bool_repr;
  type.slots.binary = bool_binary;
  type.slots.reflected = bool_reflected;
  type.slots.construct = bool_construct;
  return type;
}

}  // namespace strider::lang
