// The searches behind the caches, and what may be remembered of them.
#include "interpreter/evaluator/attribute_cache.h"

#include "interpreter/evaluator/frames/function.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/property.h"
#include "interpreter/types/sequences/tuple_field.h"

namespace strider::lang {

namespace {

Attributes* attributes_of(const Value& object) {
  return object.is_object() ? object.object()->attributes() : nullptr;
}

bool takes_only_self(const Property& property) {
  if (!property.fget.has_layout(Layout::kFunction)) return false;
  const Function& getter = *property.fget.as<Function>();
  return getter.takes_directly(1) && getter.code->parameters.positional == 1;
}

}  // namespace

Value AttributeReader::search(const Value& object) {
  Value result = attempt_attribute(object, name_);
  if (result.is_empty()) return result;
  if (object.has_layout(Layout::kModule) && type_of(object) == &Module::type_object())
    remember_module(*object.as<Module>());
  else if (const Attributes* attributes = attributes_of(object))
    remember_attribute(*object.object()->type(), *attributes);
  if (object.is_object()) remember_property(*object.object()->type());
  return result;
}

// What fails is searched for once more, which tells of it.
Value AttributeReader::read_property(const Value& object) {
  try {
    return property_(object);
  } catch (const Raised&) {
    return search(object);
  }
}

// Runs the function of a property as a call of it would. Empty: it raised (see Node::attempt).
Value AttributeReader::call_getter(Frame& frame, const Value& object) {
  if (!takes_only_self(*own_property_)) return search(Value(object));
  Ref<Function> getter(own_property_->fget.as<Function>());
  STRIDER_STACK_ARRAY(Value, locals, static_cast<int>(getter->code->local_names.size()));
  locals.data()[0] = object;
  return getter->attempt(locals.data(), *frame.interpreter);
}

Value AttributeReader::read_field(const Value& object) const { return field_->of(object); }

// A class that answers for missing attributes does so for what its properties lack, too.
void AttributeReader::remember_own_property(const Type& type, const Value& in_class) {
  if (type_of(in_class) == &TupleField::type_object()) {
    field_ = in_class.as<TupleField>();
    own_version_ = type.version();
    return;
  }
  if (type.slots.missing_attribute || !takes_only_self(*in_class.as<Property>())) return;
  own_property_ = in_class.as<Property>();
  own_version_ = type.version();
}

// Properties, which nothing in instances hides.
void AttributeReader::remember_property(const Type& type) {
  property_ = nullptr;
  own_version_ = 0;
  field_ = nullptr;
  if (type.slots.get_attribute) return;
  const Value* in_class = type.lookup(name_);
  const Type* kind = in_class ? type_of(*in_class) : nullptr;
  if (kind == &Property::type_object() || kind == &TupleField::type_object())
    return remember_own_property(type, *in_class);
  if (!in_class || type_of(*in_class) != &NativeProperty::type_object()) return;
  property_ = in_class->as<NativeProperty>()->row.get;
  property_version_ = type.version();
}

// Attributes of the object that no data descriptor hides, and plain values of the class.
void AttributeReader::remember_attribute(const Type& type, const Attributes& attributes) {
  const Shape* shape = attributes.shape();
  version_ = 0;
  if (!shape || type.slots.get_attribute) return;
  const Value* in_class = type.lookup(name_);
  const Slots* descriptor = in_class ? &type_of(*in_class)->slots : nullptr;
  if (descriptor && descriptor->set) return;
  index_ = shape->find(name_);
  in_class_ = in_class;
  bool plain = in_class && !descriptor->get && !in_class->has_layout(Layout::kFunction);
  if (index_ < 0 && !plain) return;
  shape_ = shape;
  version_ = type.version();
}

void AttributeReader::remember_module(Module& module) {
  Dict& dict = module.dict();
  index_ = static_cast<int>(dict.find_index(name_));
  module_ = index_ >= 0 ? &dict : nullptr;
  names_version_ = dict.keys_version();
  version_ = 0;
}

// The attribute is overwritten or added in place next time.
void AttributeWriter::search(const Value& object, const Value& value) {
  const Attributes* attributes = attributes_of(object);
  Shape* before = attributes ? attributes->shape() : nullptr;
  set_attribute(object, name_, value);
  Shape* after = attributes ? attributes->shape() : nullptr;
  const Type* type = type_of(object);
  if (!before || !after || type->slots.set_attribute) return;
  const Value* in_class = type->lookup(name_);
  if (in_class && type_of(*in_class)->slots.set) return;
  bool added = after != before;
  if (added && (after->size() != before->size() + 1 || before->with(name_) != after)) return;
  index_ = after->find(name_);
  if (index_ < 0) return;
  shape_ = before;
  grown_ = added ? after : nullptr;
  version_ = type->version();
}

}  // namespace strider::lang
