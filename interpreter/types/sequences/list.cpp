// What the operators of the language do with lists; their methods stand in list_methods.cpp.
#include <algorithm>

#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/value/value_rows.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/objects/overriding.h"
#include "interpreter/types/sequences/changing_slice.h"
#include "interpreter/types/sequences/list_methods.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sequences/sequence_iterator.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using Difference = Values::difference_type;

Values& items_of(const Value& value) { return value.as<List>()->items; }

Value list_repr(const Value& self) {
  ReprGuard guard(self.object());
  if (guard.inside()) return make_str("[...]");
  std::string text = "[";
  append_reprs(text, items_of(self));
  text += ']';
  return make_str(std::move(text));
}

std::int64_t list_length(const Value& self) {
  return static_cast<std::int64_t>(items_of(self).size());
}

Value get_slice(const Values& items, const Slice& slice) {
  SliceBounds bounds = resolve_changing_slice(slice, [&] { return items.size(); });
  if (bounds.step == 1)
    return make_list(
        Values(items.begin() + bounds.start, items.begin() + bounds.start + bounds.count));
  Values result(static_cast<std::size_t>(bounds.count));
  copy_steps(items.begin() + bounds.start, bounds.step, result.size(), result.begin());
  return make_list(std::move(result));
}

Value list_get_item(const Value& self, const Value& key) {
  if (key.has_layout(Layout::kSlice)) return get_slice(items_of(self), *key.as<Slice>());
  std::int64_t index = index_of_key(key, "list");
  const auto& items = items_of(self);
  if (index < 0) index += list_length(self);
  if (index < 0 || index >= list_length(self)) raise(errors::IndexError, "list index out of range");
  return items[static_cast<std::size_t>(index)];
}

// Items change places with the fresh ones and die with those: their finalisers may look at the
// list.
void replace_range(Values& items, std::int64_t start, std::int64_t count, Values& fresh) {
  if (fresh.empty()) {
    items.erase(items.begin() + start, items.begin() + start + count);
    return;
  }
  auto common = std::min<Difference>(count, static_cast<Difference>(fresh.size()));
  std::swap_ranges(fresh.begin(), fresh.begin() + common, items.begin() + start);
  auto first = items.begin() + start + common;
  if (common < count) {
    fresh.insert(fresh.end(), first, first + (count - common));
    items.erase(first, first + (count - common));
  } else {
    items.insert(first, fresh.begin() + common, fresh.end());
  }
}

void delete_slice(List& list, const SliceBounds& bounds) {
  if (bounds.count == 0) return;
  std::int64_t step = bounds.step, first = bounds.start;
  if (step < 0) {
    first += (bounds.count - 1) * step;
    step = -step;
  }
  Values dropped, kept;
  kept.reserve(list.size() - static_cast<std::size_t>(bounds.count));
  std::int64_t last = first + (bounds.count - 1) * step;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(list.size()); ++i) {
    bool drop = i >= first && i <= last && (i - first) % step == 0;
    (drop ? dropped : kept).push_back(std::move(list.items[static_cast<std::size_t>(i)]));
  }
  list.items.swap(kept);
}

Values assigned_items(const Value& value, bool extended) {
  if (is_list(value)) return items_of(value);
  if (!is_tuple(value) && !type_of(value)->slots.iterate && !type_of(value)->slots.get_item)
    raise(errors::TypeError, "{}",
          extended ? "must assign iterable to extended slice" : "can only assign an iterable");
  return std::move(to_list(value)->items);
}

// Every so manieth item, in place of as many; what dies does so when all are there, in order.
void replace_steps(Values& items, const SliceBounds& bounds, const Values& fresh) {
  if (static_cast<std::int64_t>(fresh.size()) != bounds.count)
    raise(errors::ValueError, "attempt to assign sequence of size {} to extended slice of size {}",
          fresh.size(), bounds.count);
  Values dropped;
  Value* place = items.begin() + bounds.start;
  for (std::int64_t i = 0; i < bounds.count; ++i, place += bounds.step) {
    if (place->is_object()) dropped.push_back(std::move(*place));
    *place = fresh[static_cast<std::size_t>(i)];
  }
  for (Value& each : dropped) Value(std::move(each));
}

void set_slice(const Value& self, const Slice& slice, const Value& value) {
  List& list = *self.as<List>();
  auto length = [&] { return list.items.size(); };
  if (value.is_empty()) return delete_slice(list, resolve_changing_slice(slice, length));
  bool extended = !slice.step.is_none() && slice_index(slice.step) != 1;
  bool read_in_place = extended && is_list(value) && !identical(self, value);
  Values fresh = read_in_place ? Values() : assigned_items(value, extended);
  SliceBounds bounds = resolve_changing_slice(slice, length);
  if (bounds.step == 1 && !read_in_place)
    return replace_range(list.items, bounds.start, bounds.count, fresh);
  replace_steps(list.items, bounds, read_in_place ? items_of(value) : fresh);
}

void list_set_item(const Value& self, const Value& key, const Value& value) {
  if (key.has_layout(Layout::kSlice)) return set_slice(self, *key.as<Slice>(), value);
  auto& items = items_of(self);
  std::int64_t index = index_of_key(key, "list");
  if (index < 0) index += list_length(self);
  if (index < 0 || index >= list_length(self))
    raise(errors::IndexError, "list assignment index out of range");
  if (value.is_empty()) {
    items.erase(items.begin() + index);
    return;
  }
  Value old = std::move(items[static_cast<std::size_t>(index)]);
  items[static_cast<std::size_t>(index)] = value;
}

bool list_contains(const Value& self, const Value& item) {
  return contains_item(items_of(self), item);
}

Value list_iterate(const Value& self) { return make_list_iterator(self); }

Value concatenate(const Value& self, const Value& other) {
  if (!is_list(other)) {
    Value result = try_reflected(BinaryOperator::kAdd, self, other);
    if (!result.is_empty()) return result;
    raise(errors::TypeError, "can only concatenate list (not \"{}\") to list", type_name(other));
  }
  const Values &left = items_of(self), &right = items_of(other);
  Values items(left.size() + right.size());
  copy_values(right, copy_values(left, items.begin()));
  return make_list(std::move(items));
}

Values repeated(const Values& items, std::size_t count) {
  if (items.size() == 1) return Values(count, items[0]);
  Values result(items.size() * count);
  Value* end = result.begin();
  for (std::size_t i = 0; i < count; ++i) end = copy_values(items, end);
  return result;
}

Value repeat(const Value& self, const Value& times) {
  Value product = product_of_factor(self, times);
  if (!product.is_empty()) return product;
  std::size_t count;
  if (!repetition_count(times, items_of(self).size(), count)) refuse_repetition(times);
  return make_list(repeated(items_of(self), count));
}

Value list_binary(BinaryOperator op, const Value& self, const Value& other) {
  if (op == BinaryOperator::kAdd) return concatenate(self, other);
  if (op == BinaryOperator::kMult) return repeat(self, other);
  return Value();
}

Value list_reflected(BinaryOperator op, const Value& self, const Value& other) {
  std::size_t count;
  if (op != BinaryOperator::kMult || !repetition_count(other, 1, count)) return Value();
  return repeat(self, other);
}

Value list_inplace(BinaryOperator op, const Value& self, const Value& other) {
  if (!is_list(other) && !is_integer(other)) {
    Value result = try_reflected(op, self, other);
    if (!result.is_empty()) return result;
  }
  if (op == BinaryOperator::kAdd) {
    extend_list(*self.as<List>(), other);
    return self;
  }
  std::size_t count;
  if (op != BinaryOperator::kMult || !repetition_count(other, items_of(self).size(), count))
    return Value();
  Values items = repeated(items_of(self), count);
  items_of(self).swap(items);
  return self;
}

Value list_compare(CompareOperator op, const Value& self, const Value& other) {
  if (!is_list(other)) return Value();
  return compare_items(op, items_of(self), items_of(other));
}

Value list_construct(Type* cls, const Arguments&) { return make_instance<List>(cls, Values()); }

void list_initialize(const Value& self, const Arguments& arguments) {
  List& list = *self.as<List>();
  check_arity(list.is_exact() ? arguments
                              : arguments_for_builtin(arguments, *type_of(self), names().new_),
              "list", 0, 1);
  if (!list.items.empty()) list.clear_references();
  if (arguments.count == 1) extend_list(list, arguments.values[0]);
}

}  // namespace

Type& List::type_object() {
  static bool ready = false;
  static Type& type = new_type("list", Type::object_type());
  if (ready) return type;
  ready = true;
  type.instance_layout = Layout::kList;
  type.set(Type::kSubclassable);
  type.set(Type::kSequencePattern);
  type.doc = "A changeable sequence of items.";
  type.slots.repr = list_repr;
  type.slots.hash = nullptr;
  type.slots.length = list_length;
  type.slots.get_item = list_get_item;
  type.slots.set_item = list_set_item;
  type.slots.contains = list_contains;
  type.slots.iterate = list_iterate;
  type.slots.binary = list_binary;
  type.slots.reflected = list_reflected;
  type.slots.inplace = list_inplace;
  type.slots.operators = {"+ *", "*", "+ *"};
  type.slots.compare = list_compare;
  type.slots.construct = list_construct;
  type.slots.initialize = list_initialize;
  add_list_methods(type);
  return type;
}

}  // namespace strider::lang
