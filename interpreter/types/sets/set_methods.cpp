// The methods of set and frozenset.
#include "interpreter/types/sets/set_methods.h"

#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/sets/set.h"
#include "interpreter/types/sets/set_algebra.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

Set& self_of(const Parameters& parameters) { return *parameters[0].as<Set>(); }

std::span<const Value> others_of(const Parameters& parameters) {
  return parameters[1].as<Tuple>()->items();
}

// An unhashable set may be looked up in a set of frozensets: as a frozenset of its items.
Value hashable(const Value& key) {
  if (!key.has_layout(Layout::kSet) || type_of(key)->slots.hash) return key;
  Ref<Set> frozen = make<Set>(true);
  frozen->update(key);
  return frozen;
}

Value copy(const Parameters& parameters) {
  if (is_exactly(parameters[0], Set::frozenset_type())) return parameters[0];
  return set_copy(self_of(parameters));
}

Value union_of(const Parameters& parameters) {
  Ref<Set> result = set_copy(self_of(parameters));
  for (const Value& other : others_of(parameters)) result->update(other);
  return result;
}

Value intersection_of(const Parameters& parameters) {
  auto others = others_of(parameters);
  if (others.empty()) return set_copy(self_of(parameters));
  Ref<Set> result = set_intersection(self_of(parameters), others[0]);
  for (const Value& other : others.subspan(1)) result = set_intersection(*result, other);
  return result;
}

Value difference_of(const Parameters& parameters) {
  auto others = others_of(parameters);
  if (others.empty()) return set_copy(self_of(parameters));
  Ref<Set> result = set_difference(self_of(parameters), others[0]);
  for (const Value& other : others.subspan(1)) set_difference_update(*result, other);
  return result;
}

Value symmetric_difference_of(const Parameters& parameters) {
  return set_symmetric_difference(self_of(parameters), parameters[1]);
}

Value is_subset(const Parameters& parameters) {
  return Value::boolean(set_is_subset(self_of(parameters), *as_set(parameters[1])));
}

Value is_superset(const Parameters& parameters) {
  return Value::boolean(set_is_subset(*as_set(parameters[1]), self_of(parameters)));
}

Value is_disjoint(const Parameters& parameters) {
  return Value::boolean(set_is_disjoint(self_of(parameters), parameters[1]));
}

Value add(const Parameters& parameters) {
  self_of(parameters).add(parameters[1]);
  return Value::none();
}

Value remove(const Parameters& parameters) {
  if (!self_of(parameters).erase(hashable(parameters[1])))
    return fail_value(errors::KeyError(), parameters[1]);
  return Value::none();
}

Value discard(const Parameters& parameters) {
  self_of(parameters).erase(hashable(parameters[1]));
  return Value::none();
}

Value pop(const Parameters& parameters) {
  if (self_of(parameters).size() == 0) return fail(errors::KeyError, "pop from an empty set");
  return self_of(parameters).pop();
}

Value clear(const Parameters& parameters) {
  self_of(parameters).clear();
  return Value::none();
}

Value update(const Parameters& parameters) {
  for (const Value& other : others_of(parameters)) self_of(parameters).update(other);
  return Value::none();
}

Value intersection_update(const Parameters& parameters) {
  Value result = intersection_of(parameters);
  self_of(parameters).exchange(*result.as<Set>());
  return Value::none();
}

Value difference_update(const Parameters& parameters) {
  for (const Value& other : others_of(parameters))
    set_difference_update(self_of(parameters), other);
  return Value::none();
}

Value symmetric_difference_update(const Parameters& parameters) {
  set_symmetric_difference_update(self_of(parameters), parameters[1]);
  return Value::none();
}

constexpr NativeRow kCommon[] = {
    {"copy(self, /)", copy, "Return a shallow copy of a set."},
    {"union(self, /, *others)", union_of, "All elements that are in either set."},
    {"intersection(self, /, *others)", intersection_of, "All elements that are in both sets."},
    {"difference(self, /, *others)", difference_of, "All elements that are not in the others."},
    {"symmetric_difference(self, other, /)", symmetric_difference_of,
     "All elements that are in exactly one of the sets."},
    {"issubset(self, other, /)", is_subset, "Whether another set contains this set."},
    {"issuperset(self, other, /)", is_superset, "Whether this set contains another set."},
    {"isdisjoint(self, other, /)", is_disjoint, "Whether two sets have nothing in common."},
    {"classmethod __class_getitem__(cls, item, /)", class_getitem, "See PEP 585."},
};

constexpr NativeRow kChanging[] = {
    {"add(self, element, /)", add, "Add an element; no effect if it is present."},
    {"remove(self, element, /)", remove, "Remove an element; KeyError if it is not there."},
    {"discard(self, element, /)", discard, "Remove an element if it is a member."},
    {"pop(self, /)", pop, "Remove and return some element; KeyError if the set is empty."},
    {"clear(self, /)", clear, "Remove all elements."},
    {"update(self, /, *others)", update, "Add the elements of all others."},
    {"intersection_update(self, /, *others)", intersection_update,
     "Keep only the elements that are in all others."},
    {"difference_update(self, /, *others)", difference_update,
     "Remove the elements of all others."},
    {"symmetric_difference_update(self, other, /)", symmetric_difference_update,
     "Keep the elements that are in exactly one of the sets."},
};

}  // namespace

void add_common_set_methods(Type& type) { type.add(kCommon); }
void add_changing_set_methods(Type& type) { type.add(kChanging); }

}  // namespace strider::lang
