// Attributes and items of objects, with caches at the place of use; slices.
#include "interpreter/evaluator/attribute_cache.h"
#include "interpreter/evaluator/dict_items.h"
#include "interpreter/evaluator/namespaces.h"
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
    const Value* object = object_.attempt_peek(frame, scratch);
    return object ? attribute_.attempt(frame, this, *object) : Value();
  }

 private:
  Operand object_;
  mutable AttributeReader attribute_;
};

class ItemNode final : public Node {
 public:
  ItemNode(Node* object, Node* key)
      : object_(object), key_(key), of_variables_(reads_variable(object) && reads_variable(key)) {
    attempts = true;
  }
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
    const Value* object = object_.attempt_peek(frame, object_scratch);
    const Value* key = object ? key_.attempt_peek(frame, key_scratch) : nullptr;
    if (!key) return {};
    if (!is_plain_dict(*object)) return item(frame, *object, *key);
    frame.at = this;
    return attempt_item(*object->as<Dict>(), *key);
  }
  const Operand& object() const { return object_; }
  const Operand& key() const { return key_; }
  bool reads_variables() const { return of_variables_; }

 private:
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
  const bool of_variables_;
};

// The item of an exact list or tuple; null where there is none, or the object is neither.
[[gnu::always_inline]] inline const Value* find_in_sequence(const Value& object, const Value& key) {
  if (!key.is_int() || !object.is_object()) return nullptr;
  const Value* items;
  std::size_t size;
  if (object.object()->layout() == Layout::kList && object.as<List>()->is_exact()) {
    items = object.as<List>()->items.data();
    size = object.as<List>()->size();
  } else if (object.object()->layout() == Layout::kTuple && object.as<Tuple>()->is_exact()) {
    items = object.as<Tuple>()->items().data();
    size = object.as<Tuple>()->size();
  } else {
    return nullptr;
  }
  std::int64_t index = key.as_int();
  if (index < 0) index += static_cast<std::int64_t>(size);
  return static_cast<std::uint64_t>(index) < size ? items + index : nullptr;
}

// rows[i][j] of variables: the row is looked into where it is, nobody can change it meanwhile,
// unless globals are asked for by a program's own class of dicts.
class ItemOfItemNode final : public Node {
 public:
  ItemOfItemNode(const ItemNode& row, Node* key, const Node* general)
      : object_(row.object()), row_key_(row.key()), key_(key), general_(general) {
    attempts = true;
  }
  Value evaluate(Frame& frame) const override {
    Value scratch[3];
    const Value* found = find(frame, scratch);
    return found ? *found : general_->evaluate(frame);
  }
  Value attempt(Frame& frame) const override {
    Value scratch[3];
    const Value* found = find(frame, scratch);
    return found ? *found : general_->attempt(frame);
  }

 private:
  [[gnu::always_inline]] const Value* find(Frame& frame, Value (&scratch)[3]) const {
    if (frame.globals->type() != &Dict::type_object()) [[unlikely]]
      return nullptr;
    const Value* row =
        find_in_sequence(object_.peek(frame, scratch[0]), row_key_.peek(frame, scratch[1]));
    return row ? find_in_sequence(*row, key_.peek(frame, scratch[2])) : nullptr;
  }
  Operand object_, row_key_, key_;
  const Node* general_;  // for what is not in sequences, and for errors
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
  if (stable) {
    Node* plain = code.make<ItemNode>(span, object, key);
    const auto* row = dynamic_cast<const ItemNode*>(object);
    if (!row || !row->reads_variables() || !reads_variable(key)) return plain;
    return code.make<ItemOfItemNode>(span, *row, key, plain);
  }
  return code.make<CarefulItemNode>(span, object, key);
}
Node* make_slice(Code& code, Span span, Node* start, Node* stop, Node* step) {
  return code.make<SliceNode>(span, start, stop, step);
}

}  // namespace strider::lang
