// Helpers that the built-in types share: instances of subclasses, argument counts, orderings.
// Private to this room.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// A built-in type, kept for the life of the process.
inline Type& new_type(const char* name, Type& base) {
  auto* type = new Type(name, &base);
  type->retain();
  return *type;
}

// An instance of `cls`, which is Base's own type or a subclass of it; the type is Base's last
// constructor argument.
template <class Base, class... Args>
Ref<Base> make_instance(Type* cls, Args&&... args) {
  if (cls->has(Type::kHasInstanceDict))
    return make<Attributed<Base>>(std::forward<Args>(args)..., cls);
  return make<Base>(std::forward<Args>(args)..., cls);
}

// True when the value's class is exactly `type`.
inline bool is_exactly(const Value& value, const Type& type) {
  return value.is_object() && value.object()->type() == &type;
}

// Refuses keywords and wrong counts: "list expected at most 1 argument, got 2".
void check_arity(const Arguments& arguments, const char* function, std::size_t least,
                 std::size_t most);

// The answer of a comparison whose operands order as `order` (negative: left is less).
inline Value order_result(CompareOperator op, std::int64_t order) {
  switch (op) {
    case CompareOperator::kEq:
      return Value::boolean(order == 0);
    case CompareOperator::kNotEq:
      return Value::boolean(order != 0);
    case CompareOperator::kLt:
      return Value::boolean(order < 0);
    case CompareOperator::kLtE:
      return Value::boolean(order <= 0);
    case CompareOperator::kGt:
      return Value::boolean(order > 0);
    case CompareOperator::kGtE:
      return Value::boolean(order >= 0);
    default:
      return Value();
  }
}

// An index through __index__; TypeError "NAME indices must be integers or slices, not str",
// IndexError when beyond 64 bits.
std::int64_t index_of_key(const Value& key, const char* name);
// What the right operand's reflected operator makes of left OP right; Empty if nothing.
Value try_reflected(BinaryOperator op, const Value& left, const Value& right);
// What a factor that is no plain integer makes of sequence * factor, as arrays do; Empty: nothing.
Value product_of_factor(const Value& sequence, const Value& factor);
// sequence * value where value is no integer: TypeError "can't multiply sequence by non-int of
// type 'float'".
[[noreturn]] void refuse_repetition(const Value& value);
// The number of repetitions asked for by sequence * value, at least 0; false if value is no
// integer. OverflowError beyond 64 bits, MemoryError when the result cannot be held.
bool repetition_count(const Value& value, std::size_t length, std::size_t& count);
// The start and stop arguments of index(), count(), find(): None and absent are the ends.
struct SearchRange {
  std::int64_t start, stop;
};
SearchRange search_range(const Value& start, const Value& stop, std::int64_t length);
// repr of items between brackets: "[1, 2]". Here and below, vectors may change meanwhile (lists).
void append_reprs(std::string& text, const Values& items);
void append_reprs(std::string& text, std::span<const Value> items);
// a OP b of two lists or tuples, item by item.
Value compare_items(CompareOperator op, const Values& left, const Values& right);
Value compare_items(CompareOperator op, std::span<const Value> left, std::span<const Value> right);
// Whether `item` is among the items, by identity or equality.
bool contains_item(const Values& items, const Value& item);
bool contains_item(std::span<const Value> items, const Value& item);
// The body of every __class_getitem__: list[int] remembers its origin and arguments.
Value class_getitem(const Parameters& parameters);
// Lets a class be subscripted so.
void make_subscriptable(Type& type);
// The hash of a tuple with these items.
std::int64_t hash_items(std::span<const Value> items);

}  // namespace strider::lang
