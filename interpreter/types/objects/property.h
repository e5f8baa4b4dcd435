// Descriptors: property, classmethod, staticmethod, and properties of built-in types.
#pragma once

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/memory/collector.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// property(fget, fset, fdel, doc); absent functions are None.
class Property : public Container {
 public:
  Property(const Value& get, const Value& set, const Value& erase, const Value& doc,
           Type* type = nullptr);
  static Type& type_object();
  void set_functions(const Value& get, const Value& set, const Value& erase,
                     const Value& doc_value);
  void traverse(Visitor& visitor) override;
  void clear_references() override;
  Value fget, fset, fdel, doc;
  bool getters_doc = false;  // the documentation is the getter's
  Name name = nullptr;       // for messages: the attribute it was assigned to
};

class ClassMethod : public Container {
 public:
  explicit ClassMethod(const Value& function, Type* type = &type_object());
  static Type& type_object();
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override;
  void clear_references() override;
  Value function;

 private:
  Ref<Type> class_;
  Attributes attributes_;
};

class StaticMethod : public Container {
 public:
  explicit StaticMethod(const Value& function, Type* type = &type_object());
  static Type& type_object();
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override;
  void clear_references() override;
  Value function;

 private:
  Ref<Type> class_;
  Attributes attributes_;
};

// An attribute of a built-in type computed by C++.
class NativeProperty : public Object {
 public:
  // shown_owner: the name of the class that it stands in, where that is not the owner.
  NativeProperty(const PropertyRow& property_row, Type* owner_type,
                 const Value& shown_owner = Value::none());
  static Type& type_object();
  const PropertyRow& row;
  Type* owner;
  const Value owner_name;
};

}  // namespace strider::lang
