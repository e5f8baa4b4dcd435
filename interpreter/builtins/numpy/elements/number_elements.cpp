// Native arrays as arrays of objects and times, and lists of any objects as arrays of them, where
// no rule of numpy's files in npx has to be asked.
#include <algorithm>

#include "interpreter/builtins/modules/dates/values.h"
#include "interpreter/builtins/numpy/array/python_number.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;

Value as_objects(const nd::Array& given) {
  if (!boxed().objects) return {};
  nd::Array numbers = given.contiguous(given.dtype());
  Values items;
  items.reserve(static_cast<std::size_t>(numbers.size()));
  nd::dispatch(numbers.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* all = numbers.as<T>();
    for (std::int64_t i = 0, size = numbers.size(); i < size; ++i)
      items.push_back(python_number(all[i]));
  });
  return make_boxed(std::move(items), given.shape(), Value(boxed().objects));
}

// Whether an object is none that an array could hold otherwise or look into, by its class.
bool stands_alone(const Type& type) {
  static const Name kTelling[] = {intern("__array__"),        intern("__array_interface__"),
                                  intern("__array_struct__"), intern("__len__"),
                                  intern("__getitem__")};
  if (&type == &Date::type_object() || &type == &DateTime::type_object() ||
      &type == &TimeDelta::type_object())
    return true;
  bool plain = type.has(Type::kUserDefined) && type.instance_layout == Layout::kInstance &&
               !type.has(Type::kCustomGetAttribute) && !type.module.starts_with("numpy");
  if (!plain || type.lookup(names().getattr)) return false;
  return std::ranges::none_of(kTelling, [&](Name name) { return type.lookup(name); });
}

bool is_simple(const Value& item) {
  return item.is_int() || item.is_float() || item.is_bool() ||
         (item.is_object() && is_str(item) && item.as<Str>()->is_exact());
}

}  // namespace

Value numbers_as_elements(const Value& self, const Value& dtype) {
  if (!knows_boxed_classes() || !is_array(self) || is_subclass_array(self)) return {};
  Value wanted = read_boxed_dtype(dtype);
  if (wanted.is_empty()) return numbers_as_texts(self, dtype);
  const nd::Array& given = array_of(self);
  const Type* type = type_of(wanted);
  if (type == boxed().object_dtype) return as_objects(given);
  bool times = type == boxed().moment_dtype || type == boxed().span_dtype;
  if (!times) return numbers_as_texts(self, dtype);
  bool counts =
      nd::is_integer(given.dtype()) && given.dtype() != DType::kUInt64 && given.rank() > 0;
  return counts ? make_time_array(given.astype(DType::kInt64), wanted) : Value();
}

Value gather_objects(std::span<const Value> items) {
  const Type* known = nullptr;
  bool alone = false;
  for (const Value& item : items) {
    if (is_simple(item)) continue;
    alone = true;
    if (item.is_none()) continue;
    if (!item.is_object() || (type_of(item) != known && !stands_alone(*type_of(item)))) return {};
    known = type_of(item);
  }
  if (!alone || !boxed().objects) return {};
  nd::Dims shape{static_cast<std::int64_t>(items.size())};
  return make_boxed(Values(items.begin(), items.end()), shape, Value(boxed().objects));
}

}  // namespace strider::lang
