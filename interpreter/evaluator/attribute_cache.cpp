// The searches behind the caches, and what may be remembered of them.
#include "interpreter/evaluator/attribute_cache.h"

#include "interpreter/runtime/protocol.h"

namespace strider::lang {

Value AttributeReader::search(const Value& object) {
  Value result = get_attribute(object, name_);
  if (object.has_layout(Layout::kInstance)) remember_instance(*object.as<Instance>());
  if (object.has_layout(Layout::kModule)) remember_module(*object.as<Module>());
  return result;
}

// Attributes of the instance that no data descriptor hides, and plain values of the class.
void AttributeReader::remember_instance(Instance& instance) {
  Type* type = instance.type();
  const Shape* shape = instance.attributes()->shape();
  shape_ = nullptr;
  if (!shape || type->slots.get_attribute) return;
  const Value* in_class = type->lookup(name_);
  const Slots* descriptor = in_class ? &type_of(*in_class)->slots : nullptr;
  if (descriptor && descriptor->set) return;
  index_ = shape->find(name_);
  in_class_ = in_class;
  bool plain = in_class && !descriptor->get && !in_class->has_layout(Layout::kFunction);
  if (index_ < 0 && !plain) return;
  shape_ = shape;
  version_ = type->version();
}

void AttributeReader::remember_module(Module& module) {
  Dict& dict = module.dict();
  index_ = static_cast<int>(dict.find_index(name_));
  module_ = index_ >= 0 ? &dict : nullptr;
  version_ = dict.keys_version();
}

// Attributes of instances are overwritten or added in place next time.
void AttributeWriter::search(const Value& object, const Value& value) {
  if (!object.has_layout(Layout::kInstance)) return set_attribute(object, name_, value);
  auto* instance = object.as<Instance>();
  Shape* before = instance->attributes()->shape();
  set_attribute(object, name_, value);
  Type* type = instance->type();
  Shape* after = instance->attributes()->shape();
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
