// Assignment targets: variables, attributes, items, and unpacking into several of them.
#include <algorithm>

#include "interpreter/evaluator/attribute_cache.h"
#include "interpreter/evaluator/namespaces.h"
#include "interpreter/evaluator/nodes.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

[[noreturn]] void raise_not_defined(Frame& frame, const NodeBase* at, Name name) {
  frame.at = at;
  raise(errors::NameError, "name '{}' is not defined", text_of(name));
}

class LocalTarget final : public Target {
 public:
  LocalTarget(int local, Name name) : name_(name) { slot = local; }
  void assign(Frame& frame, Value value) const override { frame.locals[slot] = std::move(value); }
  void erase(Frame& frame) const override {
    if (frame.locals[slot].is_empty()) {
      frame.at = this;
      raise(errors::UnboundLocalError,
            "cannot access local variable '{}' where it is not associated with a value",
            text_of(name_));
    }
    frame.locals[slot] = Value();
  }

 private:
  const Name name_;
};

class CellTarget final : public Target {
 public:
  CellTarget(int cell, Name name) : cell_(cell), name_(name) {}
  void assign(Frame& frame, Value value) const override {
    frame.cells[cell_]->value = std::move(value);
  }
  void erase(Frame& frame) const override {
    if (frame.cells[cell_]->value.is_empty()) raise_not_defined(frame, this, name_);
    frame.cells[cell_]->value = Value();
  }

 private:
  const int cell_;
  const Name name_;
};

class GlobalTarget final : public Target {
 public:
  explicit GlobalTarget(Name name) : name_(name) {}
  void assign(Frame& frame, Value value) const override {
    Dict& globals = *frame.globals;
    if (&globals == cached_globals_ && globals.keys_version() == version_) [[likely]] {
      globals.entry(static_cast<std::size_t>(index_)).value = std::move(value);
      return;
    }
    globals.set(name_, value);
    index_ = globals.find_index(name_);
    version_ = globals.keys_version();
    cached_globals_ = &globals;
  }
  void erase(Frame& frame) const override {
    if (!frame.globals->erase(Value(name_))) raise_not_defined(frame, this, name_);
  }

 private:
  const Name name_;
  mutable const Dict* cached_globals_ = nullptr;
  mutable std::uint64_t version_ = 0;
  mutable std::ptrdiff_t index_ = -1;
};

class ClassTarget final : public Target {
 public:
  explicit ClassTarget(Name name) : name_(name) {}
  void assign(Frame& frame, Value value) const override {
    Dict& space = *frame.class_namespace;
    if (space.type() == &Dict::type_object()) [[likely]]
      space.set(name_, value);
    else
      set_item(Value(&space), Value(name_), value);
  }
  void erase(Frame& frame) const override {
    Dict& space = *frame.class_namespace;
    if (space.type() == &Dict::type_object() ? space.erase(Value(name_)) : erase_from(space))
      return;
    raise_not_defined(frame, this, name_);
  }

 private:
  bool erase_from(Dict& space) const {
    if (find_in_names(space, name_).is_empty()) return false;
    delete_item(Value(&space), Value(name_));
    return true;
  }

  const Name name_;
};

class AttributeTarget final : public Target {
 public:
  AttributeTarget(Node* object, Name name) : object_(object), attribute_(name) {}

  void assign(Frame& frame, Value value) const override {
    Value scratch;
    attribute_.write(frame, this, object_.peek(frame, scratch), std::move(value));
  }

  void erase(Frame& frame) const override {
    Value object = object_.evaluate(frame);
    frame.at = this;
    delete_attribute(object, attribute_.name());
  }

 private:
  Operand object_;
  mutable AttributeWriter attribute_;
};

class ItemTarget final : public Target {
 public:
  ItemTarget(Node* object, Node* key) : object_(object), key_(key) {}

  void assign(Frame& frame, Value value) const override {
    Value object = object_.evaluate(frame);
    Value scratch;
    const Value& key = key_.peek(frame, scratch);
    if (object.has_layout(Layout::kList) && key.is_int()) {
      auto* list = object.as<List>();
      auto index = static_cast<std::uint64_t>(key.as_int());
      if (index < list->items.size() && list->is_exact()) {
        list->items[index] = std::move(value);
        return;
      }
    }
    frame.at = this;
    set_item(object, Value(key), value);
  }

  void erase(Frame& frame) const override {
    Value object = object_.evaluate(frame);
    Value key = key_.evaluate(frame);
    frame.at = this;
    delete_item(object, key);
  }

 private:
  Operand object_;
  Operand key_;
};

class UnpackTarget final : public Target {
 public:
  UnpackTarget(std::vector<Target*> parts, int starred)
      : parts_(std::move(parts)), starred_(starred) {
    for (const Target* part : parts_) nested_.push_back(dynamic_cast<const UnpackTarget*>(part));
  }

  void assign(Frame& frame, Value value) const override { unpack(frame, value); }
  const std::vector<Target*>* parts() const override { return starred_ < 0 ? &parts_ : nullptr; }

  // The caller keeps the value alive.
  void unpack(Frame& frame, const Value& value) const {
    if (starred_ < 0 && is_tuple(value) && value.as<Tuple>()->size() == parts_.size()) {
      const Tuple& items = *value.as<Tuple>();
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (int local = parts_[i]->slot; local >= 0)
          frame.locals[local] = items[i];
        else if (nested_[i])
          nested_[i]->unpack(frame, items[i]);
        else
          parts_[i]->assign(frame, items[i]);
      }
      return;
    }
    if (starred_ < 0 && assign_list(frame, value)) return;
    frame.at = this;
    Values items = collect(value);
    if (starred_ < 0) {
      for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i]->assign(frame, items[i]);
    } else {
      assign_starred(frame, items);
    }
  }

  void erase(Frame& frame) const override {
    for (const Target* part : parts_) part->erase(frame);
  }

 private:
  // A list of just the right length is read in place.
  bool assign_list(Frame& frame, const Value& value) const {
    if (!is_list(value) || !value.as<List>()->is_exact()) return false;
    const Values& items = value.as<List>()->items;
    if (items.size() != parts_.size() || parts_.size() > kMaxDirect) return false;
    Value copies[kMaxDirect];
    std::copy(items.begin(), items.end(), copies);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (int local = parts_[i]->slot; local >= 0)
        frame.locals[local] = std::move(copies[i]);
      else
        parts_[i]->assign(frame, std::move(copies[i]));
    }
    return true;
  }

  static constexpr std::size_t kMaxDirect = 4;

  Values collect(const Value& value) const {
    const auto& slots = type_of(value)->slots;
    if (!slots.iterate && !slots.get_item)
      raise(errors::TypeError, "cannot unpack non-iterable {} object", type_name(value));
    if (starred_ >= 0 && is_list(value) && value.as<List>()->is_exact())
      return enough(value.as<List>()->items);
    Iteration iteration(value);
    Values items;
    Value item;
    while (iteration.next(item)) {
      items.push_back(std::move(item));
      if (starred_ < 0 && items.size() > parts_.size())
        raise(errors::ValueError, "too many values to unpack (expected {})", parts_.size());
    }
    return enough(std::move(items));
  }

  // The items, if all parts get one.
  Values enough(Values items) const {
    std::size_t needed = parts_.size() - (starred_ >= 0);
    if (items.size() < needed)
      raise(errors::ValueError, "not enough values to unpack (expected {}{}, got {})",
            starred_ >= 0 ? "at least " : "", needed, items.size());
    return items;
  }

  void assign_starred(Frame& frame, const Values& items) const {
    auto star = static_cast<std::size_t>(starred_);
    std::size_t after = parts_.size() - star - 1;
    std::size_t rest_end = items.size() - after;
    auto at = [&](std::size_t i) { return items.begin() + static_cast<std::ptrdiff_t>(i); };
    for (std::size_t i = 0; i < star; ++i) parts_[i]->assign(frame, items[i]);
    parts_[star]->assign(frame, make_list(Values(at(star), at(rest_end))));
    for (std::size_t i = 0; i < after; ++i)
      parts_[star + 1 + i]->assign(frame, items[rest_end + i]);
  }

  std::vector<Target*> parts_;
  std::vector<const UnpackTarget*> nested_;  // the parts that are such targets themselves
  int starred_;
};

}  // namespace

Target* make_local_target(Code& code, Span span, int slot, Name name) {
  return code.make<LocalTarget>(span, slot, name);
}
Target* make_cell_target(Code& code, Span span, int cell, Name name, bool) {
  return code.make<CellTarget>(span, cell, name);
}
Target* make_global_target(Code& code, Span span, Name name) {
  return code.make<GlobalTarget>(span, name);
}
Target* make_class_target(Code& code, Span span, Name name) {
  return code.make<ClassTarget>(span, name);
}
Target* make_attribute_target(Code& code, Span span, Node* object, Name name) {
  return code.make<AttributeTarget>(span, object, name);
}
Target* make_item_target(Code& code, Span span, Node* object, Node* key) {
  return code.make<ItemTarget>(span, object, key);
}
Target* make_unpack_target(Code& code, Span span, std::vector<Target*> parts, int starred) {
  return code.make<UnpackTarget>(span, std::move(parts), starred);
}

}  // namespace strider::lang
