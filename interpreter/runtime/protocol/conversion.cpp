// Conversions of any value: to text, integers, floats; class tests; the type of a value.
#include <limits>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/objects/generic_alias.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value integer_of(const Value& value) {
  if (is_integer(value)) return exact_int(value);
  if (auto* slot = type_of(value)->slots.to_index) return exact_int(slot(value));
  raise(errors::TypeError, "'{}' object cannot be interpreted as an integer", type_name(value));
}

}  // namespace

Type* immediate_type(Value::Tag tag) {
  switch (tag) {
    case Value::Tag::kInt:
      return &int_type();
    case Value::Tag::kFloat:
      return &float_type();
    case Value::Tag::kBool:
      return &bool_type();
    default:
      return &none_type();
  }
}

Ref<Str> repr(const Value& value) {
  check_stack("maximum recursion depth exceeded while getting the repr of an object");
  Value result = type_of(value)->slots.repr(value);
  return result.as<Str>();
}

Ref<Str> str(const Value& value) {
  if (is_str(value) && value.object()->type() == &Str::type_object()) return value.as<Str>();
  const Slots& slots = type_of(value)->slots;
  if (!slots.str) return repr(value);
  check_stack("maximum recursion depth exceeded while getting the str of an object");
  Value result = slots.str(value);
  return result.as<Str>();
}

std::string repr_text(const Value& value) { return std::string(repr(value)->text()); }
std::string str_text(const Value& value) { return std::string(str(value)->text()); }

Ref<Str> format(const Value& value, const Value& spec) {
  if (auto* slot = type_of(value)->slots.format) {
    Value result = slot(value, spec);
    return result.as<Str>();
  }
  if (is_str(spec) && text_of(spec).empty()) return str(value);
  raise(errors::TypeError, "unsupported format string passed to {}.__format__", type_name(value));
}

std::int64_t to_int64(const Value& value) {
  if (value.is_int()) return value.as_int();
  Value integer = integer_of(value);
  if (!integer.is_int())
    raise(errors::OverflowError, "Python int too large to convert to C ssize_t");
  return integer.as_int();
}

std::int64_t to_clamped_index(const Value& value) {
  if (value.is_int()) return value.as_int();
  Value integer = integer_of(value);
  if (integer.is_int()) return integer.as_int();
  return to_integer(integer) < 0 ? std::numeric_limits<std::int64_t>::min()
                                 : std::numeric_limits<std::int64_t>::max();
}

bool try_index(const Value& value, std::int64_t& result) {
  if (value.is_int() || value.is_bool()) {
    result = value.as_int();
    return true;
  }
  if (!is_integer(value) && !type_of(value)->slots.to_index) return false;
  result = to_clamped_index(value);
  return true;
}

double to_double(const Value& value) {
  if (value.is_float()) return value.as_float();
  if (is_integer(value)) return integer_to_double(exact_int(value));
  const Slots& slots = type_of(value)->slots;
  if (slots.to_float) {
    Value result = slots.to_float(value);
    return result.is_float() ? result.as_float() : result.as<FloatBox>()->value;
  }
  if (slots.to_index) return integer_to_double(exact_int(slots.to_index(value)));
  raise(errors::TypeError, "must be real number, not {}", type_name(value));
}

std::string_view to_text(const Value& value, std::string_view what) {
  if (is_str(value)) return text_of(value);
  raise(errors::TypeError, "{} must be str, not {}", what, type_name(value));
}

// By inheritance, or because a class stands for another one.
static bool counts_as(const Type* type, const Type* other) {
  if (type->is_subclass_of(other)) return true;
  for (const Type* each : type->mro())
    if (each->stands_for && each->stands_for->is_subclass_of(other)) return true;
  return false;
}

// An object whose class has a __class__ of its own, or looks its attributes up itself, as proxies
// do.
static bool claims_to_be(const Value& value, const Type& type) {
  const Type& own = *type_of(value);
  if (!own.has(Type::kUserDefined)) return false;
  if (own.owner_of(names().class_) == &Type::object_type() &&
      own.owner_of(names().getattribute) == &Type::object_type())
    return false;
  Value claimed = find_attribute(value, names().class_);
  return claimed.has_layout(Layout::kType) && claimed.as<Type>()->is_subclass_of(&type);
}

// The __bases__ of what is used as a class; empty where it has none.
static Value bases_of(const Value& cls) {
  Value bases = find_attribute(cls, names().bases);
  return is_tuple(bases) ? bases : Value();
}

static bool derives_from(const Value& derived, const Value& cls) {
  if (identical(derived, cls)) return true;
  check_stack();
  Value bases = bases_of(derived);
  if (bases.is_empty()) return false;
  for (const Value& base : bases.as<Tuple>()->items())
    if (derives_from(base, cls)) return true;
  return false;
}

// Of classes, or of what is used as such.
static bool is_subtype(const Value& cls, const Value& class_or_tuple, const char* function) {
  if (class_or_tuple.has_layout(Layout::kType) && cls.has_layout(Layout::kType))
    return counts_as(cls.as<Type>(), class_or_tuple.as<Type>());
  if (!bases_of(class_or_tuple).is_empty()) return derives_from(cls, class_or_tuple);
  bool of_classes = std::string_view(function) == "issubclass";
  raise(errors::TypeError, "{}() arg 2 must be a {}, a tuple of {}, or a union", function,
        of_classes ? "class" : "type", of_classes ? "classes" : "types");
}

bool is_instance_of_class(const Value& value, const Type& type) {
  return counts_as(type_of(value), &type) || claims_to_be(value, type);
}

// list[int] says nothing that values or classes could be held against.
void refuse_parameters(const Value& alias, const char* function) {
  if (type_of(alias) == &generic_alias_type())
    raise(errors::TypeError, "{}() argument 2 cannot be a parameterized generic", function);
}

bool is_instance_of(const Value& value, const Value& class_or_tuple) {
  if (class_or_tuple.has_layout(Layout::kType) &&
      class_or_tuple.object()->type() == &Type::type_object())
    return is_instance_of_class(value, *class_or_tuple.as<Type>());
  if (type_of(class_or_tuple) == &union_type())
    return is_instance_of(value, union_members(class_or_tuple));
  if (is_tuple(class_or_tuple)) {
    check_stack();
    for (const Value& each : class_or_tuple.as<Tuple>()->items())
      if (is_instance_of(value, each)) return true;
    return false;
  }
  Type* type = type_of(value);
  if (class_or_tuple.has_layout(Layout::kType) && type->is_subclass_of(class_or_tuple.as<Type>()))
    return true;
  refuse_parameters(class_or_tuple, "isinstance");
  Value hook = find_special(class_or_tuple, names().instancecheck);
  if (!hook.is_empty()) return truth(call(hook, value));
  if (class_or_tuple.has_layout(Layout::kType))
    return is_instance_of_class(value, *class_or_tuple.as<Type>());
  return is_subtype(get_attribute(value, names().class_), class_or_tuple, "isinstance");
}

bool is_subclass_of(const Value& type, const Value& class_or_tuple) {
  bool plain = type.has_layout(Layout::kType);
  if (!plain && bases_of(type).is_empty())
    raise(errors::TypeError, "issubclass() arg 1 must be a class");
  if (type_of(class_or_tuple) == &union_type())
    return is_subclass_of(type, union_members(class_or_tuple));
  if (is_tuple(class_or_tuple)) {
    check_stack();
    for (const Value& each : class_or_tuple.as<Tuple>()->items())
      if (is_subclass_of(type, each)) return true;
    return false;
  }
  if (class_or_tuple.has_layout(Layout::kType) &&
      class_or_tuple.object()->type() == &Type::type_object())
    return plain ? counts_as(type.as<Type>(), class_or_tuple.as<Type>())
                 : derives_from(type, class_or_tuple);
  refuse_parameters(class_or_tuple, "issubclass");
  Value hook = find_special(class_or_tuple, names().subclasscheck);
  if (!hook.is_empty()) return truth(call(hook, type));
  return is_subtype(type, class_or_tuple, "issubclass");
}

bool is_callable(const Value& value) { return type_of(value)->slots.call != nullptr; }

}  // namespace strider::lang
