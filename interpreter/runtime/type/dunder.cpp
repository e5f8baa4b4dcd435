// Slots of classes written in the language: each finds its dunder method on the type and calls it.
#include "interpreter/runtime/type/dunder.h"

#include <array>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

constexpr std::array kBinaryStems = {"add", "sub",      "mul", "matmul", "truediv",
                                     "mod", "floordiv", "pow", "lshift", "rshift",
                                     "and", "xor",      "or"};

// Operator names by enumerator, with a prefix: "__radd__".
std::array<Name, kBinaryStems.size()> binary_names(const char* prefix) {
  std::array<Name, kBinaryStems.size()> result;
  for (std::size_t i = 0; i < result.size(); ++i)
    result[i] = intern(fmt::format("__{}{}__", prefix, kBinaryStems[i]));
  return result;
}

// Calls a method found on the type, `self` first. Functions are called without binding.
template <class... Values>
Value call_special(const Value& method, const Value& self, const Values&... rest) {
  if (method.has_layout(Layout::kFunction) || method.has_layout(Layout::kNativeFunction))
    return call(method, self, rest...);
  return call(bind_descriptor(method, self, type_of(self)), rest...);
}

Value call_special_with(const Value& method, const Value& self, const Arguments& arguments) {
  if (!method.has_layout(Layout::kFunction) && !method.has_layout(Layout::kNativeFunction))
    return call(bind_descriptor(method, self, type_of(self)), arguments);
  ArgumentList all;
  all.values.push_back(self);
  all.append_all(arguments);
  return call(method, all);
}

// The dunder method of self's type, which the slot's presence promises.
const Value& method_of(const Value& self, Name name) {
  const Value* method = type_of(self)->lookup(name);
  if (!method) raise(errors::TypeError, "'{}' object has no {}", type_name(self), text_of(name));
  if (method->is_none()) raise(errors::TypeError, "'NoneType' object is not callable");
  return *method;
}

Value unless_not_implemented(Value result) {
  return identical(result, not_implemented()) ? Value() : result;
}

Value text_result(const Value& self, Name name) {
  Value result = call_special(Value(method_of(self, name)), self);
  if (!is_str(result))
    raise(errors::TypeError, "{} returned non-string (type {})", text_of(name), type_name(result));
  return result;
}

Value user_repr(const Value& self) { return text_result(self, names().repr); }
Value user_str(const Value& self) { return text_result(self, names().str); }

Value user_format(const Value& self, const Value& spec) {
  Value result = call_special(Value(method_of(self, names().format)), self, spec);
  if (!is_str(result))
    raise(errors::TypeError, "__format__ must return a str, not {}", type_name(result));
  return result;
}

std::int64_t user_hash(const Value& self) {
  Value result = call_special(Value(method_of(self, names().hash)), self);
  if (!is_integer(result)) raise(errors::TypeError, "__hash__ method should return an integer");
  Value number = exact_int(result);
  if (!number.is_int()) return hash_integer(number);
  return number.as_int() == -1 ? -2 : number.as_int();
}

bool user_truth(const Value& self) {
  if (type_of(self)->lookup(names().bool_)) {
    Value result = call_special(Value(method_of(self, names().bool_)), self);
    if (!result.is_bool())
      raise(errors::TypeError, "__bool__ should return bool, returned {}", type_name(result));
    return result.as_bool();
  }
  return length(self) != 0;
}

std::int64_t user_length(const Value& self) {
  Value result = call_special(Value(method_of(self, names().len)), self);
  std::int64_t size = to_clamped_index(result);
  if (size < 0) raise(errors::ValueError, "__len__() should return >= 0");
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  return size == kMost && !result.is_int() ? to_int64(result) : size;
}

Value user_get_attribute(const Value& self, Name name) {
  try {
    return call_special(Value(method_of(self, names().getattribute)), self, Value(name));
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::AttributeError()) ||
        !type_of(self)->slots.missing_attribute)
      throw;
  }
  return Value();
}

Value user_missing_attribute(const Value& self, Name name) {
  return call_special(Value(method_of(self, names().getattr)), self, Value(name));
}

void user_set_attribute(const Value& self, Name name, const Value& value) {
  if (value.is_empty()) {
    call_special(Value(method_of(self, names().delattr)), self, Value(name));
  } else {
    call_special(Value(method_of(self, names().setattr)), self, Value(name), value);
  }
}

Value user_get_item(const Value& self, const Value& key) {
  return call_special(Value(method_of(self, names().getitem)), self, key);
}

void user_set_item(const Value& self, const Value& key, const Value& value) {
  Name name = value.is_empty() ? names().delitem : names().setitem;
  const Value* method = type_of(self)->lookup(name);
  if (!method)
    raise(errors::TypeError, "'{}' object {}", type_name(self),
          !value.is_empty() ? "does not support item assignment"
          : is_integer(key) ? "doesn't support item deletion"
                            : "does not support item deletion");
  if (value.is_empty())
    call_special(Value(*method), self, key);
  else
    call_special(Value(*method), self, key, value);
}

bool user_contains(const Value& self, const Value& item) {
  const Value* method = type_of(self)->lookup(names().contains);
  if (method && method->is_none())
    raise(errors::TypeError, "'{}' object is not a container", type_name(self));
  return truth(call_special(Value(method_of(self, names().contains)), self, item));
}

Value user_iterate(const Value& self) {
  const Value* method = type_of(self)->lookup(names().iter);
  if (!method || method->is_none())
    raise(errors::TypeError, "'{}' object is not iterable", type_name(self));
  Value iterator = call_special(Value(*method), self);
  if (!type_of(iterator)->slots.next)
    raise(errors::TypeError, "iter() returned non-iterator of type '{}'", type_name(iterator));
  return iterator;
}

// As call_special(), but Empty where the method failed, as most methods do that stop iterations.
Value attempt_special(const Value& method, const Value& self) {
  if (method.has_layout(Layout::kFunction)) return attempt_call(method, Arguments(&self, 1));
  return call_special(method, self);
}

bool user_next(const Value& self, Value& item) {
  Value method = method_of(self, names().next);
  Ref<Exception> failure;
  try {
    item = attempt_special(method, self);
    if (!item.is_empty()) return true;
    failure = take_raised(Interpreter::current());
  } catch (const Raised& raised) {
    failure = raised.exception;
  }
  if (failure->type()->is_subclass_of(&errors::StopIteration())) return false;
  throw Raised{failure};
}

Value user_call(const Value& self, const Arguments& arguments) {
  check_stack("maximum recursion depth exceeded while calling a Python object");
  return call_special_with(Value(method_of(self, names().call)), self, arguments);
}

// Calls an operator method if the class has one; Empty when it does not or says NotImplemented.
template <class... Values>
Value operator_result(Name name, const Value& self, const Values&... rest) {
  const Value* method = type_of(self)->lookup(name);
  if (!method) return Value();
  if (method->is_none()) raise(errors::TypeError, "'NoneType' object is not callable");
  return unless_not_implemented(call_special(Value(*method), self, rest...));
}

Value user_binary(BinaryOperator op, const Value& self, const Value& other) {
  return operator_result(dunder_name(op), self, other);
}

Value user_reflected(BinaryOperator op, const Value& self, const Value& other) {
  return operator_result(reflected_name(op), self, other);
}

Value user_inplace(BinaryOperator op, const Value& self, const Value& other) {
  return operator_result(inplace_name(op), self, other);
}

Value user_unary(UnaryOperator op, const Value& self) {
  return operator_result(dunder_name(op), self);
}

Value user_compare(CompareOperator op, const Value& self, const Value& other) {
  Name name = dunder_name(op);
  if (type_of(self)->lookup(name) != Type::object_type().lookup(name))
    return operator_result(name, self, other);
  // What object has: identity, its inverse (of __eq__, whosever that is), and no order.
  if (op == CompareOperator::kEq) return identical(self, other) ? Value::boolean(true) : Value();
  if (op != CompareOperator::kNotEq) return Value();
  Value same = user_compare(CompareOperator::kEq, self, other);
  return same.is_empty() ? same : Value::boolean(!truth(same));
}

Value user_to_int(const Value& self) {
  Value result = call_special(Value(method_of(self, names().int_)), self);
  if (!is_integer(result))
    raise(errors::TypeError, "__int__ returned non-int (type {})", type_name(result));
  return result;
}

Value user_to_float(const Value& self) {
  Value result = call_special(Value(method_of(self, names().float_)), self);
  if (!result.is_float() && !result.has_layout(Layout::kFloatBox))
    raise(errors::TypeError, "{}.__float__ returned non-float (type {})", type_name(self),
          type_name(result));
  return result;
}

Value user_to_index(const Value& self) {
  Value result = call_special(Value(method_of(self, names().index)), self);
  if (!is_integer(result))
    raise(errors::TypeError, "__index__ returned non-int (type {})", type_name(result));
  return result;
}

Value user_get(const Value& self, const Value& instance, const Value& owner) {
  return call_special(Value(method_of(self, names().get)), self,
                      instance.is_empty() ? Value::none() : instance, owner);
}

void user_set(const Value& self, const Value& instance, const Value& value) {
  Name name = value.is_empty() ? names().delete_ : names().set;
  const Value* method = type_of(self)->lookup(name);
  if (!method) raise(errors::AttributeError, "{}", text_of(name));
  if (value.is_empty())
    call_special(Value(*method), self, instance);
  else
    call_special(Value(*method), self, instance, value);
}

Value user_construct(Type* cls, const Arguments& arguments) {
  const Value* method = cls->lookup(names().new_);
  ArgumentList all;
  all.values.emplace_back(static_cast<Object*>(cls));
  all.append_all(arguments);
  return call(bind_descriptor(Value(*method), Value(), cls), all);
}

void user_initialize(const Value& self, const Arguments& arguments) {
  Value result = call_special_with(Value(method_of(self, names().init)), self, arguments);
  if (!result.is_none())
    raise(errors::TypeError, "__init__() should return None, not '{}'", type_name(result));
}

}  // namespace

const Slots kUserSlots = {
    .repr = user_repr,
    .str = user_str,
    .format = user_format,
    .hash = user_hash,
    .truth = user_truth,
    .length = user_length,
    .get_attribute = user_get_attribute,
    .set_attribute = user_set_attribute,
    .missing_attribute = user_missing_attribute,
    .get_item = user_get_item,
    .set_item = user_set_item,
    .contains = user_contains,
    .iterate = user_iterate,
    .next = user_next,
    .call = user_call,
    .binary = user_binary,
    .reflected = user_reflected,
    .inplace = user_inplace,
    .unary = user_unary,
    .compare = user_compare,
    .to_int = user_to_int,
    .to_float = user_to_float,
    .to_index = user_to_index,
    .get = user_get,
    .set = user_set,
    .construct = user_construct,
    .initialize = user_initialize,
};

Name dunder_name(BinaryOperator op) {
  static const auto all = binary_names("");
  return all[static_cast<std::size_t>(op)];
}

Name reflected_name(BinaryOperator op) {
  static const auto all = binary_names("r");
  return all[static_cast<std::size_t>(op)];
}

Name inplace_name(BinaryOperator op) {
  static const auto all = binary_names("i");
  return all[static_cast<std::size_t>(op)];
}

Name dunder_name(UnaryOperator op) {
  switch (op) {
    case UnaryOperator::kInvert:
      return names().invert;
    case UnaryOperator::kUAdd:
      return names().pos;
    case UnaryOperator::kUSub:
      return names().neg;
    case UnaryOperator::kNot:
      return names().bool_;
  }
  __builtin_unreachable();
}

Name dunder_name(CompareOperator op) {
  switch (op) {
    case CompareOperator::kEq:
      return names().eq;
    case CompareOperator::kNotEq:
      return names().ne;
    case CompareOperator::kLt:
      return names().lt;
    case CompareOperator::kLtE:
      return names().le;
    case CompareOperator::kGt:
      return names().gt;
    case CompareOperator::kGtE:
      return names().ge;
    default:
      return names().contains;
  }
}

}  // namespace strider::lang
