// Operators on any two values: numbers first, then the slots of both types in Python's order.
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

[[noreturn]] void raise_unsupported(std::string_view symbol, const Value& left,
                                    const Value& right) {
  bool prints = symbol == ">>" && left.has_layout(Layout::kNativeFunction) &&
                text_of(get_attribute(left, names().name)) == "print";
  raise(errors::TypeError, "unsupported operand type(s) for {}: '{}' and '{}'{}", symbol,
        type_name(left), type_name(right),
        prints ? ". Did you mean \"print(<message>, file=<output_stream>)\"?" : "");
}

std::string_view symbol_of(BinaryOperator op) {
  return op == BinaryOperator::kPow ? "** or pow()" : syntax::operator_symbol(op);
}

// True if the reflected method of `derived` is not the one that `base` has.
bool overrides_reflected(BinaryOperator op, const Type& derived, const Type& base) {
  if (!base.has(Type::kUserDefined)) return true;
  const Value* own = derived.lookup(reflected_name(op));
  const Value* inherited = base.lookup(reflected_name(op));
  return own && !(inherited && identical(*own, *inherited));
}

// Empty when neither type knows the operation.
Value dispatch_binary(BinaryOperator op, const Value& left, const Value& right) {
  Type *left_type = type_of(left), *right_type = type_of(right);
  auto* reflected = left_type != right_type || left_type->has(Type::kUserDefined)
                        ? right_type->slots.reflected
                        : nullptr;
  if (reflected && left_type != right_type && right_type->is_subclass_of(left_type) &&
      overrides_reflected(op, *right_type, *left_type)) {
    Value result = reflected(op, right, left);
    if (!result.is_empty()) return result;
    reflected = nullptr;
  }
  if (auto* direct = left_type->slots.binary) {
    Value result = direct(op, left, right);
    if (!result.is_empty()) return result;
  }
  if (reflected && left_type != right_type) return reflected(op, right, left);
  return Value();
}

// left OP right of ints and bools, but for the bitwise operators of two bools; Empty for others.
Value plain_integers(BinaryOperator op, const Value& left, const Value& right) {
  auto is_exact = [](const Value& v) { return v.is_int() || v.has_layout(Layout::kBigInt); };
  if (is_exact(left) && is_exact(right)) return integer_binary(op, left, right);
  bool integers = (left.is_int() || left.is_bool()) && (right.is_int() || right.is_bool());
  if (!integers || (left.is_bool() && right.is_bool())) return Value();
  return integer_binary(op, Value::integer(left.as_int()), Value::integer(right.as_int()));
}

bool identity_compare(CompareOperator op, const Value& left, const Value& right) {
  return is_same(left, right) == (op == CompareOperator::kIs);
}

CompareOperator mirrored(CompareOperator op) {
  switch (op) {
    case CompareOperator::kLt:
      return CompareOperator::kGt;
    case CompareOperator::kLtE:
      return CompareOperator::kGtE;
    case CompareOperator::kGt:
      return CompareOperator::kLt;
    case CompareOperator::kGtE:
      return CompareOperator::kLtE;
    default:
      return op;
  }
}

Value rich_compare(CompareOperator op, const Value& left, const Value& right) {
  Type *left_type = type_of(left), *right_type = type_of(right);
  auto* other = right_type->slots.compare;
  if (other && left_type != right_type && right_type->is_subclass_of(left_type)) {
    Value result = other(mirrored(op), right, left);
    if (!result.is_empty()) return result;
    other = nullptr;
  }
  if (auto* direct = left_type->slots.compare) {
    Value result = direct(op, left, right);
    if (!result.is_empty()) return result;
  }
  if (other) {
    Value result = other(mirrored(op), right, left);
    if (!result.is_empty()) return result;
  }
  if (op == CompareOperator::kEq) return Value::boolean(identical(left, right));
  if (op == CompareOperator::kNotEq) return Value::boolean(!identical(left, right));
  raise(errors::TypeError, "'{}' not supported between instances of '{}' and '{}'",
        syntax::operator_symbol(op), type_name(left), type_name(right));
}

template <class T>
bool ordered(CompareOperator op, T a, T b) {
  switch (op) {
    case CompareOperator::kEq:
      return a == b;
    case CompareOperator::kNotEq:
      return a != b;
    case CompareOperator::kLt:
      return a < b;
    case CompareOperator::kLtE:
      return a <= b;
    case CompareOperator::kGt:
      return a > b;
    default:
      return a >= b;
  }
}

}  // namespace

Value binary(BinaryOperator op, const Value& left, const Value& right) {
  if (left.is_float() && right.is_float()) {
    Value number = float_binary(op, left.as_float(), right.as_float());
    if (!number.is_empty()) return number;
  }
  Value number = plain_integers(op, left, right);
  if (!number.is_empty()) return number;
  Value result = dispatch_binary(op, left, right);
  if (!result.is_empty()) return result;
  // Sequences come last, as in CPython: 3 * [0] was handled by the list's reflected slot.
  if (op == BinaryOperator::kAdd && is_str(left))
    raise(errors::TypeError, "can only concatenate str (not \"{}\") to str", type_name(right));
  if (op == BinaryOperator::kAdd && (is_list(left) || is_tuple(left)))
    raise(errors::TypeError, "can only concatenate {} (not \"{}\") to {}", type_name(left),
          type_name(right), type_name(left));
  if (op == BinaryOperator::kMult) {
    auto sequence = [](const Value& v) {
      return is_str(v) || is_list(v) || is_tuple(v) || v.has_layout(Layout::kBytes);
    };
    if (sequence(left) || sequence(right))
      raise(errors::TypeError, "can't multiply sequence by non-int of type '{}'",
            type_name(sequence(left) ? right : left));
  }
  raise_unsupported(symbol_of(op), left, right);
}

Value inplace(BinaryOperator op, const Value& left, const Value& right) {
  Value number = plain_integers(op, left, right);
  if (!number.is_empty()) return number;
  if (auto* slot = type_of(left)->slots.inplace) {
    Value result = slot(op, left, right);
    if (!result.is_empty()) return result;
  }
  Value result = dispatch_binary(op, left, right);
  if (!result.is_empty()) return result;
  if (op == BinaryOperator::kAdd && (is_str(left) || is_tuple(left)))
    return binary(op, left, right);
  raise_unsupported(
      fmt::format("{}=", op == BinaryOperator::kPow ? "**" : syntax::operator_symbol(op)), left,
      right);
}

Value unary(UnaryOperator op, const Value& operand) {
  if (op == UnaryOperator::kNot) return Value::boolean(!truth(operand));
  if (auto* slot = type_of(operand)->slots.unary) {
    Value result = slot(op, operand);
    if (!result.is_empty()) return result;
  }
  raise(errors::TypeError, "bad operand type for unary {}: '{}'", syntax::operator_symbol(op),
        type_name(operand));
}

Value compare(CompareOperator op, const Value& left, const Value& right) {
  switch (op) {
    case CompareOperator::kIs:
    case CompareOperator::kIsNot:
      return Value::boolean(identity_compare(op, left, right));
    case CompareOperator::kIn:
      return Value::boolean(contains(right, left));
    case CompareOperator::kNotIn:
      return Value::boolean(!contains(right, left));
    default:
      break;
  }
  if (left.is_int() && right.is_int())
    return Value::boolean(ordered(op, left.as_int(), right.as_int()));
  if (left.is_float() && right.is_float())
    return Value::boolean(ordered(op, left.as_float(), right.as_float()));
  return rich_compare(op, left, right);
}

bool equal(const Value& left, const Value& right) {
  if (identical(left, right)) return true;
  if (left.is_int() && right.is_int()) return false;
  if (is_str(left) && is_str(right) && left.as<Str>()->is_exact() && right.as<Str>()->is_exact())
    return text_of(left) == text_of(right);
  return truth(compare(CompareOperator::kEq, left, right));
}

bool less(const Value& left, const Value& right) {
  return truth(compare(CompareOperator::kLt, left, right));
}

bool truth(const Value& value) {
  switch (value.tag()) {
    case Value::Tag::kBool:
    case Value::Tag::kInt:
      return value.as_int() != 0;
    case Value::Tag::kFloat:
      return value.as_float() != 0;
    case Value::Tag::kObject:
      break;
    default:
      return false;
  }
  const Slots& slots = value.object()->type()->slots;
  if (slots.truth) return slots.truth(value);
  if (slots.length) return slots.length(value) != 0;
  return true;
}

std::int64_t hash(const Value& value) {
  switch (value.tag()) {
    case Value::Tag::kBool:
    case Value::Tag::kInt:
      return hash_integer(value);
    case Value::Tag::kFloat:
      return hash_double(value.as_float());
    case Value::Tag::kObject:
      break;
    default:
      return 0x4e6f6e65;
  }
  if (auto* slot = value.object()->type()->slots.hash) return slot(value);
  raise(errors::TypeError, "unhashable type: '{}'", type_name(value));
}

}  // namespace strider::lang
