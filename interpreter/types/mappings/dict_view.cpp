// The view objects of dicts.
#include "interpreter/types/mappings/dict_view.h"

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/types/mappings/mapping_proxy.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class DictView final : public Container {
 public:
  DictView(Dict* dict, DictPart part, bool ordered)
      : Container(Layout::kOther, &type_of_part(part, ordered)), dict(dict), part(part) {}
  static Type& type_of_part(DictPart part, bool ordered);
  void traverse(Visitor& visitor) override { visitor.visit(dict); }
  void clear_references() override {}
  Ref<Dict> dict;
  const DictPart part;
};

const DictView& view_of(const Value& value) { return *value.as<DictView>(); }

bool is_view(const Value& value) {
  if (!value.is_object()) return false;
  const Type* type = value.object()->type();
  for (bool ordered : {false, true})
    for (DictPart part : {DictPart::kKeys, DictPart::kItems})
      if (type == &DictView::type_of_part(part, ordered)) return true;
  return false;
}

Value view_iterate(const Value& self) {
  return make_dict_iterator(Value(view_of(self).dict), view_of(self).part);
}

Value view_repr(const Value& self) {
  ReprGuard guard(self.object());
  std::string text(type_name(self));
  if (guard.inside()) return make_str("...");
  return make_str(text + "(" + repr_text(Value(to_list(self))) + ")");
}

std::int64_t view_length(const Value& self) {
  return static_cast<std::int64_t>(view_of(self).dict->size());
}

bool items_contain(Dict& dict, const Value& item) {
  if (!is_tuple(item) || item.as<Tuple>()->size() != 2) return false;
  const Value* place = dict.find((*item.as<Tuple>())[0]);
  if (!place) return false;
  Value value = *place;
  return equal(value, (*item.as<Tuple>())[1]);
}

bool view_contains(const Value& self, const Value& item) {
  Dict& dict = *view_of(self).dict;
  if (view_of(self).part == DictPart::kKeys) return dict.find(item) != nullptr;
  return items_contain(dict, item);
}

bool all_inside(const Value& items, const Value& collection) {
  Iteration iteration(items);
  Value item;
  while (iteration.next(item))
    if (!contains(collection, item)) return false;
  return true;
}

Value view_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_view(other) && !is_set(other)) return Value();
  std::int64_t left = length(self), right = length(other);
  switch (op) {
    case CompareOperator::kEq:
      return Value::boolean(left == right && all_inside(self, other));
    case CompareOperator::kNotEq:
      return Value::boolean(left != right || !all_inside(self, other));
    case CompareOperator::kLt:
      return Value::boolean(left < right && all_inside(self, other));
    case CompareOperator::kLtE:
      return Value::boolean(left <= right && all_inside(self, other));
    case CompareOperator::kGt:
      return Value::boolean(left > right && all_inside(other, self));
    case CompareOperator::kGtE:
      return Value::boolean(left >= right && all_inside(other, self));
    default:
      return Value();
  }
}

Ref<Set> set_from(const Value& iterable) {
  Ref<Set> set = make_set();
  set->update(iterable);
  return set;
}

Value set_operation(BinaryOperator op, const Value& left, const Value& right) {
  if (op != BinaryOperator::kBitAnd && op != BinaryOperator::kBitOr && op != BinaryOperator::kSub &&
      op != BinaryOperator::kBitXor)
    return Value();
  return set_binary(op, Value(set_from(left)), Value(set_from(right)));
}

// The items of `other` that the view has; values of the view need not be hashable unless `other`
// is a set as large.
Value intersection(const Value& view, const Value& other) {
  if (is_set(other) && length(other) >= length(view))
    return set_binary(BinaryOperator::kBitAnd, Value(set_from(view)), Value(set_from(other)));
  Ref<Set> common = make_set();
  Iteration items(other);
  Value item;
  while (items.next(item))
    if (view_contains(view, item)) common->add(item);
  return common;
}

Value view_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kBitAnd) return intersection(self, other);
  return set_operation(op, self, other);
}

Value view_reflected(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kBitAnd) return intersection(self, other);
  return set_operation(op, other, self);
}

Value is_disjoint(const Parameters& parameters) {
  Iteration iteration(parameters[1]);
  Value item;
  while (iteration.next(item))
    if (view_contains(parameters[0], item)) return Value::boolean(false);
  return Value::boolean(true);
}

Value reversed(const Parameters& parameters) {
  const DictView& view = view_of(parameters[0]);
  return make_dict_iterator(Value(view.dict), view.part, true);
}

constexpr NativeRow kMethods[] = {
    {"__reversed__(self, /)", reversed, "Return a reverse iterator over the view."},
};

constexpr NativeRow kSetMethods[] = {
    {"isdisjoint(self, other, /)", is_disjoint,
     "Return True if the view and the given iterable have nothing in common."},
};

constexpr PropertyRow kProperties[] = {
    {"mapping", [](const Value& self) { return make_mapping_proxy(Value(view_of(self).dict)); },
     nullptr, "The dictionary that this view refers to."},
};

Type* make_view_type(DictPart part) {
  static constexpr const char* kNames[] = {"dict_keys", "dict_values", "dict_items"};
  Type* type = new Type(kNames[static_cast<int>(part)], &Type::object_type());
  type->retain();
  type->slots.repr = view_repr;
  type->slots.length = view_length;
  type->slots.iterate = view_iterate;
  type->add(kMethods);
  type->add(kProperties);
  if (part == DictPart::kValues) return type;
  type->slots.hash = nullptr;
  type->slots.contains = view_contains;
  type->slots.compare = view_compare;
  type->slots.binary = view_binary;
  type->slots.reflected = view_reflected;
  type->slots.operators = {"- & ^ |", "- & ^ |", ""};
  type->add(kSetMethods);
  return type;
}

Type* make_ordered_type(DictPart part) {
  static constexpr const char* kNames[] = {"odict_keys", "odict_values", "odict_items"};
  Type* type = new Type(kNames[static_cast<int>(part)], &DictView::type_of_part(part, false));
  type->retain();
  return type;
}

Type& DictView::type_of_part(DictPart part, bool ordered) {
  static Type* const types[] = {make_view_type(DictPart::kKeys), make_view_type(DictPart::kValues),
                                make_view_type(DictPart::kItems)};
  if (!ordered) return *types[static_cast<int>(part)];
  static Type* const ordered_types[] = {make_ordered_type(DictPart::kKeys),
                                        make_ordered_type(DictPart::kValues),
                                        make_ordered_type(DictPart::kItems)};
  return *ordered_types[static_cast<int>(part)];
}

template <DictPart kPart>
Value ordered_view(const Parameters& p) {
  return make<DictView>(p[0].as<Dict>(), kPart, true);
}

Value pop_item(const Parameters& p) {
  Dict& dict = *p[0].as<Dict>();
  if (dict.size() == 0) return fail(errors::KeyError, "dictionary is empty");
  return truth(p[1]) ? dict.pop_last() : pop_first(dict);
}

Value move_item(const Parameters& p) {
  if (move_to_end(*p[0].as<Dict>(), p[1], truth(p[2]))) return Value::none();
  return fail_value(errors::KeyError(), p[1]);
}

constexpr NativeRow kOrderedMethods[] = {
    {"popitem(self, /, last=True)", pop_item,
     "Removes and returns the last, or the first, (key, value) pair."},
    {"move_to_end(self, /, key, last=True)", move_item,
     "Moves an existing key to the end, or to the beginning."},
    {"keys(self, /)", ordered_view<DictPart::kKeys>, "A set-like view of the keys."},
    {"values(self, /)", ordered_view<DictPart::kValues>, "A view of the values."},
    {"items(self, /)", ordered_view<DictPart::kItems>, "A set-like view of the items."},
};

}  // namespace

Value make_dict_view(const Value& dict, DictPart part) {
  return make<DictView>(dict.as<Dict>(), part, false);
}

void add_ordered_methods(Type& type) {
  for (const NativeRow& row : kOrderedMethods) {
    Ref<NativeFunction> method = make<NativeFunction>(row, &type);
    set_attribute(Value(&type), intern(method->name()), Value(method));
  }
}

}  // namespace strider::lang
