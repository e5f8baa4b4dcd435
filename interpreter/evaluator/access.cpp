// Attributes and items of objects, with caches at the place of use; slices.
#include "interpreter/evaluator/attribute_cache.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

class AttributeNode final : public Node {
 public:
  AttributeNode(Node* object, Name name) : object_(object), attribute_(name) { attempts = true; }

  Value evaluate(Frame& frame) const override {
    Value scratch;
    return attribute_.read(frame, this, object_.peek(frame, scratch));
  }
  Value attempt(Frame& frame) const override {
    Value scratch;
    return attribute_.attempt(frame, this, object_.peek(frame, scratch));
  }

 private:
  Operand object_;
  mutable AttributeReader attribute_;
};

class ItemNode final : public Node {
 public:
  ItemNode(Node* object, Node* key) : object_(object), key_(key) { attempts = true; }
  Value evaluate(Frame& frame) const override {
    Value object_scratch, key_scratch;
    const Value& object = object_.peek(frame, object_scratch);
    const Value& key = key_.peek(frame, key_scratch);
    Value result = item(frame, object, key);
    land(frame, result);
    return result;
  }
  Value attempt(Frame& frame) const override {
    Value object_scratch, key_scratch;
    const Value& object = object_.peek(frame, object_scratch);
    const Value& key = key_.peek(frame, key_scratch);
    if (!is_plain_dict(object)) return item(frame, object, key);
    frame.at = this;
    if (Value* found = object.as<Dict>()->find(key)) return *found;
    return fail_value(errors::KeyError(), key);
  }

 private:
  static bool is_plain_dict(const Value& object) {
    return object.has_layout(Layout::kDict) && object.object()->type() == &Dict::type_object();
  }
  // Empty: the index is out of range.
  [[gnu::always_inline]] Value item(Frame& frame, const Value& object, const Value& key) const {
    if (key.is_int() && object.is_object()) {
      if (object.object()->layout() == Layout::kList) {
        const List& list = *object.as<List>();
        if (list.is_exact())
          return item_at(frame, list.items.data(), list.size(), key.as_int(), "list");
      } else if (object.object()->layout() == Layout::kTuple) {
        const Tuple& tuple = *object.as<Tuple>();
        if (tuple.is_exact())
          return item_at(frame, tuple.items().data(), tuple.size(), key.as_int(), "tuple");
      }
    }
    frame.at = this;
    return get_item(object, key);
  }
  [[gnu::always_inline]] Value item_at(Frame& frame, const Value* items, std::size_t size,
                                       std::int64_t index, const char* type) const {
    if (index < 0) index += static_cast<std::int64_t>(size);
    if (static_cast<std::uint64_t>(index) < size) [[likely]]
      return items[index];
    frame.at = this;
    return fail(errors::IndexError, "{} index out of range", type);
  }

  Operand object_;
  Operand key_;
};

class CarefulItemNode final : public Node {
 public:
  CarefulItemNode(Node* object, Node* key) : object_(object), key_(key) {}
  Value evaluate(Frame& frame) const override {
    Value object = object_->evaluate(frame);
    Value key = key_->evaluate(frame);
    frame.at = this;
    return get_item(object, key);
  }

 private:
  Node* object_;
  Node* key_;
};

class SliceNode final : public Node {
 public:
  SliceNode(Node* start, Node* stop, Node* step) : start_(start), stop_(stop), step_(step) {}
  Value evaluate(Frame& frame) const override {
    Value start = part(start_, frame), stop = part(stop_, frame), step = part(step_, frame);
    return make<Slice>(std::move(start), std::move(stop), std::move(step));
  }

 private:
  static Value part(const Node* node, Frame& frame) {
    return node ? node->evaluate(frame) : Value::none();
  }
  Node* start_;
  Node* stop_;
  Node* step_;
};

}  // namespace

Node* make_attribute(Code& code, Span span, Node* object, Name name) {
  return code.make<AttributeNode>(span, object, name);
}
Node* make_item(Code& code, Span span, Node* object, Node* key, bool stable) {
  if (stable) return code.make<ItemNode>(span, object, key);
  return code.make<CarefulItemNode>(span, object, key);
}
Node* make_slice(Code& code, Span span, Node* start, Node* stop, Node* step) {
  return code.make<SliceNode>(span, start, stop, step);
}

}  // namespace strider::lang
