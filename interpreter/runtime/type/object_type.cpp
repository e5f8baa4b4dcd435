// `object`: what every value can do unless its type says otherwise.
#include <algorithm>

#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/error/suggestion.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/object_size.h"
#include "interpreter/runtime/type/plain_instance.h"
#include "interpreter/runtime/type/root_types.h"
#include "interpreter/runtime/type/slot_names.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value object_repr(const Value& self) {
  Type* type = type_of(self);
  std::string module = type->module == "builtins" ? "" : type->module + ".";
  return make_str(fmt::format("<{}{} object at {}>", module, type->qualified_name,
                              fmt::ptr(static_cast<void*>(self.object()))));
}

Value object_format(const Value& self, const Value& spec) {
  if (is_str(spec) && !text_of(spec).empty())
    raise(errors::TypeError, "unsupported format string passed to {}.__format__", type_name(self));
  return str(self);
}

std::int64_t object_hash(const Value& self) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(self.object()) >> 4);
}

Value object_compare(CompareOperator op, const Value& self, const Value& other) {
  if (op == CompareOperator::kEq) return identical(self, other) ? Value::boolean(true) : Value();
  if (op != CompareOperator::kNotEq) return Value();
  // What __eq__ of the class says, inverted.
  auto* own = type_of(self)->slots.compare;
  if (!own) return identical(self, other) ? Value::boolean(false) : Value();
  Value same = own(CompareOperator::kEq, self, other);
  return same.is_empty() ? same : Value::boolean(!truth(same));
}

bool overrides(Type* type, Name name) { return type->owner_of(name) != &Type::object_type(); }

[[noreturn]] void raise_abstract(Type* cls) {
  const Value* names_value = cls->lookup(names().abstractmethods);
  std::vector<std::string> missing;
  Iteration items(*names_value);
  Value item;
  while (items.next(item)) missing.push_back(str_text(item));
  std::sort(missing.begin(), missing.end());
  raise(errors::TypeError, "Can't instantiate abstract class {} with abstract method{} {}",
        cls->name(), missing.size() == 1 ? "" : "s", fmt::join(missing, ", "));
}

Value object_construct(Type* cls, const Arguments& arguments) {
  if (arguments.count + arguments.keyword_count > 0) {
    if (overrides(cls, names().new_))
      raise(errors::TypeError,
            "object.__new__() takes exactly one argument (the type to instantiate)");
    if (!overrides(cls, names().init))
      raise(errors::TypeError, "{}() takes no arguments", cls->name());
  }
  if (cls->has(Type::kAbstract)) raise_abstract(cls);
  if (!cls->has(Type::kUserDefined) && !cls->has(Type::kSubclassable))
    raise(errors::TypeError, "cannot create '{}' instances", cls->qualified_name);
  if (cls->instance_layout != Layout::kInstance)
    raise(errors::TypeError, "object.__new__({0}) is not safe, use {0}.__new__()", cls->name());
  return make<Instance>(cls);
}

void object_initialize(const Value& self, const Arguments& arguments) {
  if (arguments.count + arguments.keyword_count == 0) return;
  Type* type = type_of(self);
  // Built-in types that construct in their own way have checked the arguments.
  if (!type->has(Type::kUserDefined) && type->slots.construct != object_construct) return;
  if (overrides(type, names().init))
    raise(errors::TypeError,
          "object.__init__() takes exactly one argument (the instance to initialize)");
  if (!overrides(type, names().new_))
    raise(errors::TypeError, "{}() takes no arguments", type->name());
}

Value object_getattribute(const Parameters& p) {
  Name name = intern(to_text(p[1], "attribute name"));
  Value result = generic_get_attribute(p[0], name);
  if (!result.is_empty()) return result;
  raise_unknown(errors::AttributeError(),
                fmt::format("'{}' object has no attribute '{}'", type_name(p[0]), text_of(name)),
                {}, name, p[0]);
}

Value object_setattr(const Parameters& p) {
  generic_set_attribute(p[0], intern(to_text(p[1], "attribute name")), p[2]);
  return Value::none();
}

Value object_delattr(const Parameters& p) {
  generic_set_attribute(p[0], intern(to_text(p[1], "attribute name")), Value());
  return Value::none();
}

// Whether an object, or the instances of a class, have attributes of their own. What reads them is
// inherited from object even where there are none.
bool has_own_attributes(const Value& self) {
  if (!self.has_layout(Layout::kType))
    return self.is_object() && self.object()->attributes() && !type_of(self)->has(Type::kSlotsOnly);
  const Type& type = *self.as<Type>();
  if (type.is_subclass_of(&errors::BaseException())) return true;
  const Type* owner = type.owner_of(names().dict);
  return !type.has(Type::kSlotsOnly) && owner && owner != &Type::object_type();
}

Value object_dir(const Parameters& p) {
  std::vector<std::string_view> listed = attribute_names(p[0]);
  std::sort(listed.begin(), listed.end());
  listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
  if (!has_own_attributes(p[0])) std::erase(listed, "__dict__");
  Ref<List> result = make_list();
  for (std::string_view name : listed) result->items.emplace_back(intern(name));
  return result;
}

Value object_str(const Parameters& p) { return repr(p[0]); }

Value object_init_subclass(const Parameters& p) {
  if (p[1].as<Dict>()->size() > 0)
    raise(errors::TypeError, "{}.__init_subclass__() takes no keyword arguments",
          p[0].as<Type>()->qualified_name);
  return Value::none();
}

// What the module pickle says of an object whose class says nothing itself.
Value call_of_parts(const char* function, const Value& self) {
  return call(get_attribute(import_module("pickle._parts"), intern(function)), self);
}

Value object_reduce(const Parameters& p) { return call_of_parts("plain_parts", p[0]); }

// What __reduce__ of the class says, if it is one of its own.
Value object_reduce_ex(const Parameters& p) {
  static const Name reduce = intern("__reduce__");
  std::int64_t protocol = to_int64(p[1]);
  if (overrides(type_of(p[0]), reduce)) return call(get_attribute(p[0], reduce));
  if (protocol >= 2 && is_plain_instance(p[0]) && !type_of(p[0])->has(Type::kSlotsOnly)) {
    Ref<Dict> state = copy_attributes(p[0]);
    Value maker = get_attribute(import_module("copyreg"), intern("__newobj__"));
    return make_tuple(Values{maker, Value(make_tuple(Values{Value(type_of(p[0]))})),
                             state->size() ? Value(state) : Value::none(), Value::none(),
                             Value::none()});
  }
  if (protocol < 2) return call_of_parts("plain_parts", p[0]);
  Value parts = get_attribute(import_module("pickle._parts"), intern("parts_of_plain"));
  return call(parts, p[0], Value::integer(protocol));
}

Value object_sizeof(const Parameters& p) { return Value::integer(object_size(p[0])); }

Value object_getstate(const Parameters& p) { return call_of_parts("plain_state", p[0]); }

const NativeRow kObjectMethods[] = {
    {"__getattribute__(self, name, /)", object_getattribute, "Return getattr(self, name)."},
    {"__setattr__(self, name, value, /)", object_setattr, "Implement setattr(self, name, value)."},
    {"__delattr__(self, name, /)", object_delattr, "Implement delattr(self, name)."},
    {"__dir__(self, /)", object_dir, "Lists attribute names."},
    {"__reduce__(self, /)", object_reduce, "How it is rebuilt, for pickles of protocol 0."},
    {"__reduce_ex__(self, protocol, /)", object_reduce_ex, "How it is rebuilt, for pickles."},
    {"__getstate__(self, /)", object_getstate, "The state that copies and pickles take."},
    {"__sizeof__(self, /)", object_sizeof, "Size of object in memory, in bytes."},
    {"__str__(self, /)", object_str, "Return str(self)."},
    {"classmethod __init_subclass__(cls, /, **kwargs)", object_init_subclass,
     "Called when a class is extended."},
    {"classmethod __subclasshook__(cls, subclass, /)",
     [](const Parameters&) { return not_implemented(); },
     "Overridden by abstract classes to customise issubclass()."},
};

// The attributes that classes of an object declare as slots, of those it has.
std::vector<Name> filled_slots(const Value& self) {
  std::vector<Name> filled;
  for (Type* type : type_of(self)->mro()) {
    const Value* slots = type->own(names().slots);
    if (!slots) continue;
    for (const Value& name : slot_names(*slots, type->name()))
      if (self.object()->attributes()->find(intern(text_of(name))))
        filled.push_back(intern(text_of(name)));
  }
  return filled;
}

Value get_dict(const Value& self) {
  Attributes* attributes = self.is_object() ? self.object()->attributes() : nullptr;
  if (!attributes || type_of(self)->has(Type::kSlotsOnly))
    raise(errors::AttributeError, "'{}' object has no attribute '__dict__'", type_name(self));
  for (Name name : filled_slots(self)) attributes->hide(name);
  return attributes->dict();
}

void set_dict(const Value& self, const Value& value) {
  Attributes* attributes = self.is_object() ? self.object()->attributes() : nullptr;
  bool dropped = value.is_empty() && type_of(self)->has(Type::kUserDefined);
  if (attributes && dropped) return attributes->replace(make_dict());
  if (!attributes || !is_dict(value))
    raise(errors::TypeError, "__dict__ must be set to a dictionary, not a '{}'", type_name(value));
  attributes->replace(value.as<Dict>());
}

void set_class(const Value& self, const Value& value) {
  if (!value.has_layout(Layout::kType) || !self.is_object() ||
      !are_laid_out_alike(*value.as<Type>(), *self.object()->type()) ||
      !(value.as<Type>()->has(Type::kUserDefined) || self.has_layout(Layout::kModule)))
    raise(errors::TypeError,
          "__class__ assignment only supported for mutable types or ModuleType subclasses");
  value.as<Type>()->retain();  // instances hold only the class they were made of
  self.object()->set_type(value.as<Type>());
}

const PropertyRow kObjectAttributes[] = {
    {"__class__", [](const Value& self) { return Value(type_of(self)->shown()); }, set_class,
     "The class."},
    {"__dict__", get_dict, set_dict, "The attributes of the instance."},
};

}  // namespace

void set_up_object_type(Type& object) {
  object.set(Type::kSubclassable);
  object.slots.repr = object_repr;
  object.slots.format = object_format;
  object.slots.hash = object_hash;
  object.slots.compare = object_compare;
  object.slots.construct = object_construct;
  object.slots.initialize = object_initialize;
  object.add(kObjectMethods);
  object.add(kObjectAttributes);
  object.set(Type::kSlotsOnly);
}

}  // namespace strider::lang
