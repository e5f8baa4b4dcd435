// The algebra of sets. Which operand is walked follows CPython: it decides the order of the result.
#include "interpreter/types/sets/set_algebra.h"

#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

Ref<Set> empty_like(const Set& set) { return make<Set>(set.layout() == Layout::kFrozenSet); }

// Calls visit(key, hash) for each key; sets may change meanwhile.
template <class Visit>
void for_each_key(const Set& set, Visit visit) {
  for (std::size_t i = 0; i < set.entries().size(); ++i) {
    Set::Entry entry = set.entries()[i];
    if (!entry.key.is_empty()) visit(entry.key, entry.hash);
  }
}

}  // namespace

Ref<Set> as_set(const Value& iterable) {
  if (is_set(iterable)) return Ref<Set>(iterable.as<Set>());
  Ref<Set> set = make_set();
  set->update(iterable);
  return set;
}

Ref<Set> set_copy(const Set& set) {
  Ref<Set> copy = empty_like(set);
  copy->update(set);
  return copy;
}

Ref<Set> set_intersection(const Set& left, const Value& right) {
  Ref<Set> result = empty_like(left);
  if (is_set(right)) {
    const Set* walked = right.as<Set>();
    const Set* asked = &left;
    if (walked->size() > asked->size()) std::swap(walked, asked);
    asked->intersect(*walked, *result);
    return result;
  }
  Iteration iteration(right);
  Value key;
  while (iteration.next(key))
    if (left.contains(key)) result->add(key);
  return result;
}

void set_difference_update(Set& left, const Value& right) {
  if (right.is_object() && right.object() == &left) return left.clear();
  if (is_set(right)) {
    for_each_key(*right.as<Set>(),
                 [&](const Value& key, std::int64_t hash) { left.erase(key, hash); });
    return left.drop_deleted();
  }
  Iteration iteration(right);
  Value key;
  while (iteration.next(key)) left.erase(key);
  left.drop_deleted();
}

Ref<Set> set_difference(const Set& left, const Value& right) {
  std::size_t other_size = is_set(right)    ? right.as<Set>()->size()
                           : is_dict(right) ? right.as<Dict>()->size()
                                            : ~std::size_t{0};
  if (other_size == ~std::size_t{0} || (left.size() >> 2) > other_size) {
    Ref<Set> result = set_copy(left);
    set_difference_update(*result, right);
    return result;
  }
  Ref<Set> result = empty_like(left);
  for_each_key(left, [&](const Value& key, std::int64_t hash) {
    bool there = is_set(right) ? right.as<Set>()->contains(key, hash)
                               : right.as<Dict>()->find(key, hash) != nullptr;
    if (!there) result->add(key, hash);
  });
  return result;
}

Ref<Set> set_symmetric_difference(const Set& left, const Value& right) {
  Ref<Set> result = empty_like(left);
  result->update(right);
  for_each_key(left, [&](const Value& key, std::int64_t hash) {
    if (!result->erase(key, hash)) result->add(key, hash);
  });
  return result;
}

void set_symmetric_difference_update(Set& left, const Value& right) {
  if (right.is_object() && right.object() == &left) return left.clear();
  auto turn = [&](const Value& key, std::int64_t hash) {
    if (!left.erase(key, hash)) left.add(key, hash);
  };
  if (!is_exactly(right, Dict::type_object())) return for_each_key(*as_set(right), turn);
  Ref<Dict> dict = right.as<Dict>();
  for (std::size_t i = 0; i < dict->entries().size(); ++i) {
    Dict::Entry entry = dict->entries()[i];
    if (!entry.key.is_empty()) turn(entry.key, entry.hash);
  }
}

bool set_is_subset(const Set& left, const Set& right) {
  if (left.size() > right.size()) return false;
  for (std::size_t i = 0; i < left.entries().size(); ++i) {
    Value key = left.entries()[i].key;
    if (!key.is_empty() && !right.contains(key)) return false;
  }
  return true;
}

bool set_is_disjoint(const Set& left, const Value& right) {
  Iteration iteration(right);
  Value key;
  while (iteration.next(key))
    if (left.contains(key)) return false;
  return true;
}

Value set_binary(BinaryOperator op, const Value& left, const Value& right) {
  if (!is_set(left) || !is_set(right)) return Value();
  const Set& set = *left.as<Set>();
  switch (op) {
    case BinaryOperator::kBitOr: {
      Ref<Set> result = set_copy(set);
      result->update(right);
      return result;
    }
    case BinaryOperator::kBitAnd:
      return set_intersection(set, right);
    case BinaryOperator::kSub:
      return set_difference(set, right);
    case BinaryOperator::kBitXor:
      return set_symmetric_difference(set, right);
    default:
      return Value();
  }
}

}  // namespace strider::lang
