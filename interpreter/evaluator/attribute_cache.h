// What an attribute access in the source remembers: where the attribute stood last time. Valid
// while the class and the shape of the object's attributes (or the names of the module) stay the
// same.
#pragma once

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/program/module.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/types/mappings/dict.h"

namespace strider::lang {

class Property;
class TupleField;

// The attributes of an object whose class has this version, if they have this shape; else null.
inline Attributes* attributes_of_shape(const Value& object, std::uint64_t version,
                                       const Shape* shape) {
  if (!object.is_object() || object.object()->type()->version() != version) return nullptr;
  Attributes* attributes = object.object()->layout() == Layout::kInstance
                               ? object.as<Instance>()->attributes()
                               : object.object()->attributes();
  return attributes && attributes->shape() == shape ? attributes : nullptr;
}

class AttributeReader {
 public:
  explicit AttributeReader(Name name) : name_(name) {}

  Value read(Frame& frame, const NodeBase* at, const Value& object) {
    Value result = attempt(frame, at, object);
    land(frame, result);
    return result;
  }
  // Empty where the attribute is missing (see Node::attempt).
  [[gnu::always_inline]] Value attempt(Frame& frame, const NodeBase* at, const Value& object) {
    if (Attributes* attributes = attributes_of_shape(object, version_, shape_))
      return index_ >= 0 ? attributes->at(index_) : *in_class_;
    if (object.has_layout(Layout::kModule)) {
      Dict& dict = object.as<Module>()->dict();
      if (&dict == module_ && dict.keys_version() == names_version_)
        return dict.entry(static_cast<std::size_t>(index_)).value;
    }
    frame.at = at;
    if (property_ && object.is_object() && object.object()->type()->version() == property_version_)
      return read_property(Value(object));
    if (own_version_ && object.is_object() && object.object()->type()->version() == own_version_)
      return field_ ? read_field(object) : call_getter(frame, object);
    return search(Value(object));
  }

 private:
  Value search(const Value& object);
  Value read_property(const Value& object);
  Value call_getter(Frame& frame, const Value& object);
  Value read_field(const Value& object) const;
  void remember_property(const Type& type);
  void remember_own_property(const Type& type, const Value& in_class);
  void remember_attribute(const Type& type, const Attributes& attributes);
  void remember_module(Module& module);

  const Name name_;
  std::uint64_t version_ = 0;  // of the class; 0: none
  const Shape* shape_ = nullptr;
  std::uint64_t names_version_ = 0;
  const Dict* module_ = nullptr;
  const Value* in_class_ = nullptr;  // where index_ is negative
  int index_ = -1;
  Value (*property_)(const Value& self) = nullptr;  // of a built-in type
  std::uint64_t property_version_ = 0;
  // Of a class of the program: a property or, if field_ is not null, a field of a named tuple.
  const Property* own_property_ = nullptr;
  const TupleField* field_ = nullptr;
  std::uint64_t own_version_ = 0;  // 0: none
};

class AttributeWriter {
 public:
  explicit AttributeWriter(Name name) : name_(name) {}
  Name name() const { return name_; }

  void write(Frame& frame, const NodeBase* at, const Value& object, Value value) {
    Attributes* attributes = attributes_of_shape(object, version_, shape_);
    if (!attributes) {
      frame.at = at;
      return search(Value(object), value);
    }
    if (grown_)
      attributes->append(grown_, std::move(value));
    else
      attributes->at(index_) = std::move(value);
  }

 private:
  void search(const Value& object, const Value& value);

  const Name name_;
  std::uint64_t version_ = 0;  // of the class; 0: none
  const Shape* shape_ = nullptr;
  Shape* grown_ = nullptr;  // not null: the attribute is new, and makes this shape
  int index_ = -1;
};

}  // namespace strider::lang
