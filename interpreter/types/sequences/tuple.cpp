// What the language can do with tuples.
#include <algorithm>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/value/value_rows.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sequences/sequence_iterator.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

std::span<const Value> items_of(const Value& value) { return value.as<Tuple>()->items(); }

Value tuple_repr(const Value& self) {
  ReprGuard guard(self.object());
  if (guard.inside()) return make_str("(...)");
  std::string text = "(";
  append_reprs(text, items_of(self));
  text += items_of(self).size() == 1 ? ",)" : ")";
  return make_str(std::move(text));
}

std::int64_t tuple_hash(const Value& self) {
  check_stack();
  return hash_items(items_of(self));
}

std::int64_t tuple_length(const Value& self) {
  return static_cast<std::int64_t>(self.as<Tuple>()->size());
}

Value tuple_get_slice(const Value& self, const Slice& slice) {
  std::span<const Value> items = items_of(self);
  SliceBounds bounds = resolve_slice(slice, static_cast<std::int64_t>(items.size()));
  if (bounds.step == 1 && bounds.count == tuple_length(self) &&
      is_exactly(self, Tuple::type_object()))
    return self;
  if (bounds.count == 0) return empty_tuple();
  Ref<Tuple> result = make_tuple_of(static_cast<std::size_t>(bounds.count));
  for (std::int64_t i = 0; i < bounds.count; ++i)
    result->places()[i] = items[static_cast<std::size_t>(bounds.start + i * bounds.step)];
  return result;
}

Value tuple_get_item(const Value& self, const Value& key) {
  if (key.has_layout(Layout::kSlice)) return tuple_get_slice(self, *key.as<Slice>());
  return items_of(self)[resolve_index(key, self.as<Tuple>()->size(), "tuple")];
}

bool tuple_contains(const Value& self, const Value& item) {
  return contains_item(items_of(self), item);
}

Value tuple_iterate(const Value& self) { return make_tuple_iterator(self); }

Value concatenate(const Value& self, const Value& other) {
  if (!is_tuple(other)) {
    Value result = try_reflected(BinaryOperator::kAdd, self, other);
    if (!result.is_empty()) return result;
    raise(errors::TypeError, "can only concatenate tuple (not \"{}\") to tuple", type_name(other));
  }
  std::span<const Value> left = items_of(self), right = items_of(other);
  if (left.size() + right.size() == 0) return empty_tuple();
  Ref<Tuple> result = make_tuple_of(left.size() + right.size());
  copy_values(right, copy_values(left, result->places()));
  return result;
}

Value repeat(const Value& self, const Value& times) {
  std::span<const Value> items = items_of(self);
  Value product = product_of_factor(self, times);
  if (!product.is_empty()) return product;
  std::size_t count;
  if (!repetition_count(times, items.size(), count)) refuse_repetition(times);
  if (items.size() * count == 0) return empty_tuple();
  Ref<Tuple> result = make_tuple_of(items.size() * count);
  Value* end = result->places();
  for (std::size_t i = 0; i < count; ++i) end = copy_values(items, end);
  return result;
}

Value tuple_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) return concatenate(self, other);
  if (op == BinaryOperator::kMult) return repeat(self, other);
  return Value();
}

Value tuple_reflected(BinaryOperator op, const Value& self, const Value& other) {
  std::size_t count;
  if (op != BinaryOperator::kMult || !repetition_count(other, 1, count)) return Value();
  return repeat(self, other);
}

Value tuple_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_tuple(other)) return Value();
  return compare_items(op, items_of(self), items_of(other));
}

Value tuple_construct(Type* cls, const Arguments& arguments) {
  bool exact = cls == &Tuple::type_object();
  check_arity(exact ? arguments : arguments_for_builtin(arguments, *cls, names().init), "tuple", 0,
              1);
  if (arguments.count == 0) return exact ? empty_tuple() : make_tuple_instance(cls, {});
  Ref<Tuple> items = to_tuple(arguments.values[0]);
  if (exact) return items;
  return make_tuple_instance(cls, items->items());
}

Value count(const Parameters& parameters) {
  std::int64_t found = 0;
  for (const Value& item : items_of(parameters[0])) found += equal(item, parameters[1]);
  return Value::integer(found);
}

Value index(const Parameters& parameters) {
  std::span<const Value> items = items_of(parameters[0]);
  SearchRange range =
      search_range(parameters[2], parameters[3], static_cast<std::int64_t>(items.size()));
  for (std::int64_t i = range.start; i < range.stop; ++i)
    if (equal(items[static_cast<std::size_t>(i)], parameters[1])) return Value::integer(i);
  raise(errors::ValueError, "tuple.index(x): x not in tuple");
}

constexpr NativeRow kMethods[] = {
    {"count(self, value, /)", count, "Return number of occurrences of value."},
    {"index(self, value, start=0, stop=9223372036854775807, /)", index,
     "Return first index of value; ValueError if it is not present."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

}  // namespace

Type& Tuple::type_object() {
  static bool ready = false;
  static Type& type = new_type("tuple", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kTuple;
  type.set(Type::kSubclassable);
  type.set(Type::kSequencePattern);
  type.doc = "An unchangeable sequence of items.";
  type.slots.repr = tuple_repr;
  type.slots.hash = tuple_hash;
  type.slots.length = tuple_length;
  type.slots.get_item = tuple_get_item;
  type.slots.contains = tuple_contains;
  type.slots.iterate = tuple_iterate;
  type.slots.binary = tuple_binary;
  type.slots.reflected = tuple_reflected;
  type.slots.operators = {"+ *", "*", ""};
  type.slots.compare = tuple_compare;
  type.slots.construct = tuple_construct;
  type.add(kMethods);
  return type;
}

}  // namespace strider::lang
