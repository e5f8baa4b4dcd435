// Attribute access: the descriptor protocol and the search order of object.__getattribute__.
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/slot_member.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// For a class: its own MRO first, then the metatype's attributes.
Value get_class_attribute(Type* cls, Name name) {
  Type* metatype = type_of(Value(cls));
  const Value* meta = metatype->lookup(name);
  if (meta && type_of(*meta)->slots.set && type_of(*meta)->slots.get)
    return type_of(*meta)->slots.get(*meta, Value(cls), Value(metatype));
  if (const Value* own = cls->lookup(name)) {
    if (auto* get = type_of(*own)->slots.get) return get(*own, Value(), Value(cls));
    return *own;
  }
  if (!meta) return cls->has(Type::kUserDefined) ? find_slot_member(*cls, name) : Value();
  return bind_descriptor(*meta, Value(cls), metatype);
}

// What __getattribute__ finds; Empty: not there.
Value read(const Value& object, Name name) {
  auto* slot = type_of(object)->slots.get_attribute;
  return slot ? slot(object, name) : generic_get_attribute(object, name);
}

// The same, with an AttributeError from a getter counted as not there.
Value read_or_empty(const Value& object, Name name) {
  try {
    return read(object, name);
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::AttributeError())) throw;
  }
  return Value();
}

std::string without(const Value& object, Name name) {
  if (object.has_layout(Layout::kModule)) return object.as<Module>()->without(name);
  std::string owner = object.has_layout(Layout::kType)
                          ? fmt::format("type object '{}'", object.as<Type>()->name())
                          : fmt::format("'{}' object", type_name(object));
  return fmt::format("{} has no attribute '{}'", owner, text_of(name));
}

Ref<Exception> no_attribute(const Value& object, Name name) {
  return make_unknown(errors::AttributeError(), without(object, name), {}, name, object);
}

[[noreturn]] void raise_no_attribute(const Value& object, Name name) {
  raise_exception(no_attribute(object, name));
}

}  // namespace

Value bind_descriptor(const Value& attribute, const Value& instance, Type* owner) {
  if (attribute.has_layout(Layout::kFunction) && !instance.is_empty())
    return make<BoundMethod>(attribute, instance);
  if (auto* get = type_of(attribute)->slots.get) return get(attribute, instance, Value(owner));
  return attribute;
}

Value generic_get_attribute(const Value& object, Name name) {
  if (object.has_layout(Layout::kType)) return get_class_attribute(object.as<Type>(), name);
  Type* type = type_of(object);
  const Value* found = type->lookup(name);
  const Slots* descriptor = found ? &type_of(*found)->slots : nullptr;
  if (descriptor && descriptor->set && descriptor->get) {
    Value attribute = *found;  // the class may change while the getter runs
    return descriptor->get(attribute, object, Value(type));
  }
  if (object.is_object())
    if (Attributes* attributes = object.object()->attributes())
      if (Value* own = attributes->find(name)) return *own;
  if (!found) return Value();
  Value attribute = *found;
  return bind_descriptor(attribute, object, type);
}

Value find_attribute(const Value& object, Name name) {
  Value result = read_or_empty(object, name);
  const Slots& slots = type_of(object)->slots;
  if (!result.is_empty() || !slots.missing_attribute) return result;
  try {
    return slots.missing_attribute(object, name);
  } catch (const Raised& raised) {
    if (!raised.exception->type()->is_subclass_of(&errors::AttributeError())) throw;
  }
  return Value();
}

namespace {

// An AttributeError that a getter or hook raised without saying of what.
void name_what_lacks(Exception& exception, const Value& object, Name name) {
  static const Name kName = intern("name"), kObject = intern("obj");
  if (!exception.type()->is_subclass_of(&errors::AttributeError())) return;
  Attributes& attributes = *exception.attributes();
  if (attributes.find(kName) || attributes.find(kObject)) return;
  attributes.set(kName, Value(name));
  attributes.set(kObject, object);
}

Value search_attribute(const Value& object, Name name) {
  const Slots& slots = type_of(object)->slots;
  Value result = slots.missing_attribute ? read_or_empty(object, name) : read(object, name);
  if (!result.is_empty()) return result;
  if (slots.missing_attribute) {
    result = slots.missing_attribute(object, name);
    if (!result.is_empty()) return result;
  }
  return fail_exception(no_attribute(object, name));
}

}  // namespace

Value attempt_attribute(const Value& object, Name name) {
  try {
    return search_attribute(object, name);
  } catch (const Raised& raised) {
    name_what_lacks(*raised.exception, object, name);
    throw;
  }
}

Value get_attribute(const Value& object, Name name) {
  return landed(attempt_attribute(object, name));
}

bool has_attribute(const Value& object, Name name) {
  return !find_attribute(object, name).is_empty();
}

void generic_set_attribute(const Value& object, Name name, const Value& value) {
  Type* type = type_of(object);
  const Value* found = type->lookup(name);
  if (found && type_of(*found)->slots.set) {
    Value attribute = *found;
    return type_of(attribute)->slots.set(attribute, object, value);
  }
  Attributes* attributes = object.is_object() ? object.object()->attributes() : nullptr;
  if (!attributes) {
    if (found)
      raise(errors::AttributeError, "'{}' object attribute '{}' is read-only", type->name(),
            text_of(name));
    raise_no_attribute(object, name);
  }
  if (!value.is_empty()) {
    type->check_slot_name(name, object);
    attributes->set(name, value);
  } else if (!attributes->erase(name)) {
    raise_no_attribute(object, name);
  }
}

void set_attribute(const Value& object, Name name, const Value& value) {
  if (auto* slot = type_of(object)->slots.set_attribute)
    slot(object, name, value);
  else
    generic_set_attribute(object, name, value);
}

void delete_attribute(const Value& object, Name name) { set_attribute(object, name, Value()); }

Value find_special(const Value& object, Name name) {
  Type* type = type_of(object);
  const Value* found = type->lookup(name);
  if (!found) return Value();
  Value attribute = *found;
  return bind_descriptor(attribute, object, type);
}

}  // namespace strider::lang
