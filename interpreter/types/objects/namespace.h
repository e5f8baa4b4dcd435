// SimpleNamespace: an object with just attributes (types.SimpleNamespace).
#pragma once

#include "interpreter/runtime/type/type.h"

namespace strider::lang {

class SimpleNamespace : public Container {
 public:
  explicit SimpleNamespace(Type* type = nullptr);
  static Type& type_object();
  Attributes* attributes() override { return &attributes_; }
  void traverse(Visitor& visitor) override { attributes_.traverse(visitor); }
  void clear_references() override { attributes_.clear(); }

 private:
  Attributes attributes_;
};

}  // namespace strider::lang
