// What the operators of the language do with sets.
#include <algorithm>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/sets/set_algebra.h"
#include "interpreter/types/sets/set_methods.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class SetIterator final : public Iterator {
 public:
  explicit SetIterator(Set* set) : Iterator(type()), set_(set), size_(set->size()) {}
  bool advance(Value& item) override {
    if (!set_) return false;
    if (set_->size() != size_) {
      size_ = ~std::size_t{0};  // the error stays
      raise(errors::RuntimeError, "Set changed size during iteration");
    }
    const auto& entries = set_->entries();
    while (index_ < entries.size() && entries[index_].key.is_empty()) ++index_;
    if (index_ < entries.size()) {
      item = entries[index_++].key;
      ++given_;
      return true;
    }
    set_ = nullptr;
    return false;
  }
  bool append_rest(Values& items) override {
    for (Value item; SetIterator::advance(item);) items.push_back(std::move(item));
    return true;
  }
  std::int64_t remaining() const override {
    return set_ ? static_cast<std::int64_t>(set_->size()) - given_ : 0;
  }
  Value reduced() override {
    Values rest;
    if (set_ && set_->size() == size_)
      for (std::size_t i = index_; i < set_->entries().size(); ++i)
        if (const Value& key = set_->entries()[i].key; !key.is_empty()) rest.push_back(key);
    return rebuilt_by("iter", {make_list(std::move(rest))});
  }
  void traverse(Visitor& visitor) override { visitor.visit(set_); }
  void clear_references() override { set_ = nullptr; }

 private:
  static Type* type() {
    static Type* type = make_iterator_type("set_iterator");
    return type;
  }
  Ref<Set> set_;
  std::size_t size_, index_ = 0;
  std::int64_t given_ = 0;
};

Set& set_of(const Value& value) { return *value.as<Set>(); }

Value set_repr(const Value& self) {
  std::string name(type_name(self));
  if (set_of(self).size() == 0) return make_str(name + "()");
  ReprGuard guard(self.object());
  if (guard.inside()) return make_str(name + "(...)");
  check_stack("maximum recursion depth exceeded while getting the repr of an object");
  Ref<List> items = make_list();
  for (const Set::Entry& entry : set_of(self).entries())
    if (!entry.key.is_empty()) items->items.push_back(entry.key);
  std::string text = "{";
  append_reprs(text, items->items);
  text += '}';
  if (!is_exactly(self, Set::set_type())) text = name + "(" + text + ")";
  return make_str(std::move(text));
}

std::int64_t frozenset_hash(const Value& self) { return set_of(self).hash(); }

std::int64_t set_length(const Value& self) {
  return static_cast<std::int64_t>(set_of(self).size());
}

bool set_contains(const Value& self, const Value& item) {
  if (!item.has_layout(Layout::kSet) || type_of(item)->slots.hash)
    return set_of(self).contains(item);
  Ref<Set> frozen = make<Set>(true);
  frozen->update(item);
  return set_of(self).contains(Value(frozen));
}

Value set_iterate(const Value& self) { return make<SetIterator>(self.as<Set>()); }

Value set_reflected(BinaryOperator op, const Value& self, const Value& other) {
  return set_binary(op, other, self);
}

Value set_inplace(BinaryOperator op, const Value& self, const Value& other) {
  if (!is_set(other)) return Value();
  if (op == BinaryOperator::kBitOr) {
    set_of(self).update(set_of(other));
    return self;
  }
  if (op == BinaryOperator::kSub) {
    set_difference_update(set_of(self), other);
    return self;
  }
  if (op == BinaryOperator::kBitXor) {
    set_symmetric_difference_update(set_of(self), other);
    return self;
  }
  Value result = set_binary(op, self, other);
  if (!result.is_empty()) set_of(self).exchange(set_of(result));
  return result.is_empty() ? result : self;
}

Value set_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_set(other)) return Value();
  const Set &left = set_of(self), &right = set_of(other);
  bool same_size = left.size() == right.size();
  switch (op) {
    case CompareOperator::kEq:
      return Value::boolean(same_size && set_is_subset(left, right));
    case CompareOperator::kNotEq:
      return Value::boolean(!same_size || !set_is_subset(left, right));
    case CompareOperator::kLt:
      return Value::boolean(!same_size && set_is_subset(left, right));
    case CompareOperator::kLtE:
      return Value::boolean(set_is_subset(left, right));
    case CompareOperator::kGt:
      return Value::boolean(!same_size && set_is_subset(right, left));
    case CompareOperator::kGtE:
      return Value::boolean(set_is_subset(right, left));
    default:
      return Value();
  }
}

Value set_construct(Type* cls, const Arguments&) { return make_instance<Set>(cls, false); }

void set_initialize(const Value& self, const Arguments& arguments) {
  check_arity(arguments, "set", 0, 1);
  set_of(self).clear();
  if (arguments.count == 1) set_of(self).update(arguments.values[0]);
}

Value frozenset_construct(Type* cls, const Arguments& arguments) {
  bool exact = cls == &Set::frozenset_type();
  if (exact || arguments.keyword_count == 0) check_arity(arguments, "frozenset", 0, 1);
  if (exact && arguments.count == 1 && is_exactly(arguments.values[0], *cls))
    return arguments.values[0];
  Ref<Set> result = make_instance<Set>(cls, true);
  if (arguments.count == 1) result->update(arguments.values[0]);
  return result;
}

void fill_common_slots(Type& type) {
  type.set(Type::kSubclassable);
  type.slots.repr = set_repr;
  type.slots.length = set_length;
  type.slots.contains = set_contains;
  type.slots.iterate = set_iterate;
  type.slots.binary = set_binary;
  type.slots.reflected = set_reflected;
  type.slots.operators = {"- & ^ |", "- & ^ |", "- & ^ |"};
  type.slots.compare = set_compare;
  add_common_set_methods(type);
}

}  // namespace

Type& Set::set_type() {
  static bool ready = false;
  static Type& type = new_type("set", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kSet;
  type.doc = "A changeable collection of unique elements.";
  fill_common_slots(type);
  type.slots.hash = nullptr;
  type.slots.inplace = set_inplace;
  type.slots.construct = set_construct;
  type.slots.initialize = set_initialize;
  add_changing_set_methods(type);
  return type;
}

Type& Set::frozenset_type() {
  static bool ready = false;
  static Type& type = new_type("frozenset", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kFrozenSet;
  type.doc = "An unchangeable collection of unique elements.";
  fill_common_slots(type);
  type.slots.hash = frozenset_hash;
  type.slots.construct = frozenset_construct;
  return type;
}

}  // namespace strider::lang
