// Times and arrays of them made natively, as numpy's files in npx make them.
#include "interpreter/builtins/numpy/elements/boxed_classes.h"

#include "interpreter/runtime/call/call.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

BoxedClasses& boxed() {
  static BoxedClasses& classes = *new BoxedClasses;
  return classes;
}

const Value* boxed_attribute(const Value& self, Name name) {
  Attributes* attributes = self.is_object() ? self.object()->attributes() : nullptr;
  return attributes ? attributes->find(name) : nullptr;
}

Value make_time(Type* cls, Count count, const Value& unit) {
  static Shape* const counted = Shape::empty()->with(boxed().scalar_count);
  static Shape* const whole = counted->with(boxed().scalar_unit);
  Value made = make<Instance>(cls);
  Attributes& attributes = *made.object()->attributes();
  attributes.append(counted, Value::integer(count));
  attributes.append(whole, unit);
  return made;
}

Value time_dtype(bool moments, const Value& unit) {
  std::string_view kind = moments ? "M" : "m";
  static const Dict::Entries& none = *new Dict::Entries;
  const Dict* made = boxed().time_dtypes;
  for (const Dict::Entry& entry : made ? made->entries() : none) {
    if (!is_tuple(entry.key) || entry.key.as<Tuple>()->size() != 2) continue;
    const Tuple& key = *entry.key.as<Tuple>();
    if (text_of(key[0]) == kind && (identical(key[1], unit) || text_of(key[1]) == text_of(unit)))
      return entry.value;
  }
  return call(Value(boxed().time_dtype), Value(make_str(kind)), unit);
}

Value make_time_array(nd::Array counts, const Value& dtype) {
  static Shape* const placed = Shape::empty()->with(boxed().places);
  static Shape* const typed = placed->with(boxed().dtype);
  static Shape* const whole = typed->with(boxed().base);
  Value made = make<Instance>(boxed().time_array);
  Attributes& attributes = *made.object()->attributes();
  attributes.append(placed, wrap(std::move(counts)));
  attributes.append(typed, dtype);
  attributes.append(whole, Value::none());
  return made;
}

}  // namespace strider::lang
