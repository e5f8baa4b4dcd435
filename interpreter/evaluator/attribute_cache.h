// What an attribute access in the source remembers: where the attribute stood last time. Valid while
// the class and the shape of the instance (or the names of the module) stay the same.
#pragma once

#include "interpreter/evaluator/node.h"
#include "interpreter/runtime/module.h"
#include "interpreter/runtime/type.h"
#include "interpreter/types/dict.h"

namespace strider::lang {

class AttributeReader {
 public:
  explicit AttributeReader(Name name) : name_(name) {}

  Value read(Frame& frame, const NodeBase* at, const Value& object) {
    if (object.has_layout(Layout::kInstance)) {
      auto* instance = object.as<Instance>();
      Attributes& attributes = *instance->attributes();
      if (instance->type()->version() == version_ && attributes.shape() == shape_ && shape_)
        return index_ >= 0 ? attributes.at(index_) : *in_class_;
    } else if (object.has_layout(Layout::kModule)) {
      Dict& dict = object.as<Module>()->dict();
      if (&dict == module_ && dict.keys_version() == version_)
        return dict.entry(static_cast<std::size_t>(index_)).value;
    }
    frame.at = at;
    return search(Value(object));
  }

 private:
  Value search(const Value& object);
  void remember_instance(Instance& instance);
  void remember_module(Module& module);

  const Name name_;
  std::uint64_t version_ = 0;
  const Shape* shape_ = nullptr;
  const Dict* module_ = nullptr;
  const Value* in_class_ = nullptr;  // where index_ is negative
  int index_ = -1;
};

class AttributeWriter {
 public:
  explicit AttributeWriter(Name name) : name_(name) {}
  Name name() const { return name_; }

  void write(Frame& frame, const NodeBase* at, const Value& object, Value value) {
    if (object.has_layout(Layout::kInstance)) {
      auto* instance = object.as<Instance>();
      Attributes& attributes = *instance->attributes();
      if (instance->type()->version() == version_ && attributes.shape() == shape_ && shape_) {
        if (grown_)
          attributes.append(grown_, std::move(value));
        else
          attributes.at(index_) = std::move(value);
        return;
      }
    }
    frame.at = at;
    search(Value(object), value);
  }

 private:
  void search(const Value& object, const Value& value);

  const Name name_;
  std::uint64_t version_ = 0;
  const Shape* shape_ = nullptr;
  Shape* grown_ = nullptr;  // not null: the attribute is new, and makes this shape
  int index_ = -1;
};

}  // namespace strider::lang
