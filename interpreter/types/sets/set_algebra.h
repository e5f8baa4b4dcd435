// Union, intersection, difference and comparison of sets. Private to this room.
#pragma once

#include "interpreter/types/sets/set.h"

namespace strider::lang {

// New sets of the same kind as `left`; the other operand is any iterable.
Ref<Set> set_copy(const Set& set);
Ref<Set> set_intersection(const Set& left, const Value& right);
Ref<Set> set_difference(const Set& left, const Value& right);
Ref<Set> set_symmetric_difference(const Set& left, const Value& right);
void set_difference_update(Set& left, const Value& right);
void set_symmetric_difference_update(Set& left, const Value& right);
bool set_is_subset(const Set& left, const Set& right);
bool set_is_disjoint(const Set& left, const Value& right);
// The iterable itself if it is a set, else a set of its items.
Ref<Set> as_set(const Value& iterable);

}  // namespace strider::lang
