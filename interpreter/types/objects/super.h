// Super: attribute search behind a class in the MRO of an object.
#pragma once

#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

class Super : public Container {
 public:
  Super(Type* start, const Value& self, Type* self_class, Type* type = &type_object());
  static Type& type_object();
  void traverse(Visitor& visitor) override;
  void clear_references() override;
  Ref<Type> start;       // the search begins behind this class
  Value self;            // the object (or class) that methods bind to; Empty: none yet
  Ref<Type> self_class;  // whose MRO is searched; null: none yet
};

// super(cls, self); TypeError "super(type, obj): obj must be an instance or subtype of type".
Value make_super(const Value& cls, const Value& self);

}  // namespace strider::lang
