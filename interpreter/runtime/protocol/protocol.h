// Protocols: the operations of the language on any value, whatever its type. Each raises what
// CPython raises.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/type/type.h"
#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// --- Singletons ---
Value not_implemented();
Value ellipsis();

// --- Attributes ---
Value get_attribute(const Value& object, Name name);  // AttributeError with "did you mean"
// The same, but Empty where a plain object lacks the attribute (see fail_exception, error.h).
Value attempt_attribute(const Value& object, Name name);
Value find_attribute(const Value& object, Name name);  // Empty instead of AttributeError
bool has_attribute(const Value& object, Name name);
void set_attribute(const Value& object, Name name, const Value& value);
void delete_attribute(const Value& object, Name name);
// The generic searches behind object.__getattribute__ and object.__setattr__ (Empty: not found /
// delete).
Value generic_get_attribute(const Value& object, Name name);
void generic_set_attribute(const Value& object, Name name, const Value& value);
// A dunder method looked up on the type only, bound to the object; Empty if absent.
Value find_special(const Value& object, Name name);
// What a class attribute gives when read through an instance (functions bind, properties compute).
Value bind_descriptor(const Value& attribute, const Value& instance, Type* owner);

// --- Items ---
Value get_item(const Value& object, const Value& key);
void set_item(const Value& object, const Value& key, const Value& value);
void delete_item(const Value& object, const Value& key);
bool contains(const Value& collection, const Value& item);
std::int64_t length(const Value& object);
// length(), or a hint for reserving memory; never raises.
std::int64_t length_hint(const Value& object);

// --- Iteration ---
Value iterate(const Value& object);  // iter(object); TypeError "'int' object is not iterable"
bool next(const Value& iterator, Value& item);  // false at the end
// A cursor over any iterable; tuples and lists are walked in place, without an iterator object.
class Iteration {
 public:
  explicit Iteration(const Value& iterable);
  bool next(Value& item);

 private:
  Value object_;
  std::int64_t index_ = -1;  // >= 0: a tuple or list is walked by index
};
// All items, as a new list or tuple.
Ref<class List> to_list(const Value& iterable);
Ref<class Tuple> to_tuple(const Value& iterable);

// --- Operators ---
Value binary(BinaryOperator op, const Value& left, const Value& right);
Value inplace(BinaryOperator op, const Value& left, const Value& right);
Value unary(UnaryOperator op, const Value& operand);
// The `is` operator.
inline bool is_same(const Value& left, const Value& right) {
  if (identical(left, right)) return true;
  if (!left.is_object() || !right.is_object()) return false;
  auto* same = left.object()->type()->slots.same;
  return same && same(left, right);
}
Value compare(CompareOperator op, const Value& left,
              const Value& right);                  // rich: any result; is/in too
bool equal(const Value& left, const Value& right);  // identity first, then ==, then truth
bool less(const Value& left, const Value& right);   // truth of <
bool truth(const Value& value);
std::int64_t hash(const Value& value);  // TypeError "unhashable type: 'list'"

// --- Conversion ---
Ref<Str> repr(const Value& value);
Ref<Str> str(const Value& value);
std::string repr_text(const Value& value);
std::string str_text(const Value& value);
Ref<Str> format(const Value& value, const Value& spec);
// An integer through __index__ as 64 bits. IndexError/OverflowError when it does not fit; TypeError
// "'float' object cannot be interpreted as an integer".
std::int64_t to_int64(const Value& value);
// As to_int64, but beyond 64 bits gives the nearest limit (slices, sequence repetition).
std::int64_t to_clamped_index(const Value& value);
// True and `result` set if value is an int, bool or has __index__; false otherwise. Never raises
// for other types.
bool try_index(const Value& value, std::int64_t& result);
// A float through __float__ or __index__. TypeError "must be real number, not str".
double to_double(const Value& value);
// The text of a Str. TypeError naming `what`: "open() argument 'mode' must be str, not int".
std::string_view to_text(const Value& value, std::string_view what);

// --- Classes ---
// Without asking the class, which may have a word to say (__instancecheck__).
bool is_instance_of_class(const Value& value, const Type& type);
bool is_instance_of(const Value& value, const Value& class_or_tuple);  // isinstance()
bool is_subclass_of(const Value& type, const Value& class_or_tuple);   // issubclass()
bool is_callable(const Value& value);

}  // namespace strider::lang
