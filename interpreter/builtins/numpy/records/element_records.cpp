// Single records of arrays and single fields of them, read and stored without a call in the
// language. All other subscripts are the methods' of the classes.
#include <algorithm>
#include <optional>

#include "interpreter/builtins/numpy/array/array_items.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/boxed_classes.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/records/record_parts.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using namespace record_parts;

// The place of the record that an integer tells in an array of one axis; -1 for other subscripts.
std::int64_t find_place(const Value& array, const Value& key) {
  const Value* places = attribute(array, known().places);
  if (!key.is_int() || !places || !is_array(*places) || array_of(*places).rank() != 1) return -1;
  return get_array_item(*places, key).as<NumpyScalar>()->value().get<std::int64_t>();
}

bool is_writeable(const Value& array) {
  const Value* places = attribute(array, known().places);
  return places && is_array(*places) && array_of(*places).writeable();
}

Value native_view(const Value& array) {
  const nd::Array& given = array_of(array);
  return wrap_view(given.view(given.shape(), given.strides(), 0), array);
}

// A view of all elements of a column of one axis or more; Empty where its class has to make it.
Value whole_view(const Value& column) {
  if (is_array(column)) return native_view(column);
  const Value* places =
      is_boxed(column) || is_time_array(column) ? attribute(column, known().places) : nullptr;
  return places && is_array(*places) ? view_boxed(column, native_view(*places)) : Value();
}

// The field of an array that is no view of another one, has one axis and may be written to.
Value whole_field(const Value& self, const Value& name) {
  const Value *whole = attribute(self, known().whole), *places = attribute(self, known().places);
  if (!whole || !whole->is_bool() || !whole->as_bool() || !places || !is_array(*places) ||
      array_of(*places).rank() != 1 || !is_writeable(self))
    return {};
  const Value* column = find_column(self, name);
  return column ? whole_view(*column) : Value();
}

Value record_at(Type* cls, const Value& array, std::int64_t place) {
  static Shape* const found = Shape::empty()->with(known().found);
  static Shape* const sourced = found->with(known().source);
  static Shape* const whole = sourced->with(known().place);
  Value made = make<Instance>(cls);
  Attributes& attributes = *made.object()->attributes();
  attributes.append(found, Value::none());
  attributes.append(sourced, array);
  attributes.append(whole, Value::integer(place));
  return made;
}

// A view of an array that a slice tells; Empty for others.
Value viewed_records(const Value& self, const Value& key) {
  const Value *places = attribute(self, known().places),
              *columns = attribute(self, known().columns);
  const Value *dtype = attribute(self, known().dtype), *base = attribute(self, boxed().base);
  bool slices =
      key.has_layout(Layout::kSlice) && places && is_array(*places) && columns && dtype && base;
  if (!slices) return {};
  return make_records(get_array_item(*places, key), *columns, *dtype,
                      base->is_none() ? self : *base, false);
}

// The records at places that an array of integers or truth values tells; Empty for others.
Value gathered_records(const Value& self, const Value& key) {
  const Value *places = attribute(self, known().places), *dtype = attribute(self, known().dtype);
  const List* columns = columns_of(self);
  bool picks = is_array(key) && !is_subclass_array(key) && places && is_array(*places) && dtype;
  if (!picks || !columns) return {};
  Value found = get_array_item(*places, key);
  if (!is_array(found)) return {};
  nd::Array order = array_of(found);
  if (order.rank() != 1) return {};
  Values gathered, kept = columns->items;  // classes of columns may do anything
  for (const Value& column : kept) gathered.push_back(get_item(column, found));
  nd::Array own = nd::Array::empty(order.shape(), nd::DType::kInt64);
  for (std::int64_t i = 0; i < own.size(); ++i) own.mutable_as<std::int64_t>()[i] = i;
  return make_records(wrap(own), Value(make_list(std::move(gathered))), *dtype, Value::none(),
                      true);
}

// Whether elements are np.record's, whose fields are attributes.
bool holds_np_records(const Value& array) {
  const Value* dtype = attribute(array, known().dtype);
  const Value* set = dtype ? attribute(*dtype, known().of_records) : nullptr;
  return set && set->is_bool() && set->as_bool();
}

Value records_item(const Value& self, const Value& key) {
  if (type_of(self) == known().array || type_of(self) == known().attribute_array) {
    std::int64_t place = find_place(self, key);
    if (place >= 0)
      return record_at(holds_np_records(self) ? known().attribute_record : known().record, self,
                       place);
  }
  if (type_of(self) == known().array) {
    if (is_exact_text(key))
      if (Value field = whole_field(self, key); !field.is_empty()) return field;
    if (Value view = viewed_records(self, key); !view.is_empty()) return view;
    if (Value picked = gathered_records(self, key); !picked.is_empty()) return picked;
    if (Value chosen = chosen_fields(self, key); !chosen.is_empty()) return chosen;
  }
  return kUserSlots.get_item(self, key);
}

// An item of a column of texts or objects as it is kept; Empty of other columns.
Value boxed_item_at(const Value& column, std::int64_t place) {
  const Value* places = is_boxed(column) ? boxed_part(column, BoxedPart::kPlaces) : nullptr;
  if (!places || !is_array(*places) || array_of(*places).rank() != 1) return {};
  if (place < 0 || place >= array_of(*places).size()) return {};
  if (!boxed_parts::is_whole(column))
    place = array_of(*places).item_at(nd::Dims{place}).get<std::int64_t>();
  return pool_item(*boxed_part(column, BoxedPart::kPool), place);
}

// Stores a record of an array of the same dtype; false for other values.
bool store_record(const Value& self, const Value& key, const Value& value) {
  const Value* found = value.is_object() && type_of(value) == known().record
                           ? attribute(value, known().found)
                           : nullptr;
  if (!found || !found->is_none() || !is_writeable(self)) return false;
  const Value *source = attribute(value, known().source), *at = attribute(value, known().place);
  const Value *dtype = attribute(self, known().dtype),
              *other = source ? attribute(*source, known().dtype) : nullptr;
  if (!at || !dtype || !other) return false;
  if (!identical(*dtype, *other) && !truth(compare(CompareOperator::kEq, *dtype, *other)))
    return false;
  std::int64_t place = find_place(self, key);
  const List *columns = columns_of(self), *sources = columns_of(*source);
  if (place < 0 || !columns || !sources || columns->size() != sources->size()) return false;
  Values targets = columns->items, givers = sources->items;
  Value from = *at;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Value kept = boxed_item_at(givers[i], from.as_int());
    set_item(targets[i], Value::integer(place), kept.is_empty() ? get_item(givers[i], from) : kept);
  }
  return true;
}

void set_records_item(const Value& self, const Value& key, const Value& value) {
  if (type_of(self) == known().array && is_exact_text(key) && !value.is_empty())
    if (Value field = whole_field(self, key); !field.is_empty())
      return set_item(field, ellipsis(), value);
  if (type_of(self) == known().array &&
      (store_record(self, key, value) || store_whole_records(self, key, value)))
    return;
  const List* columns = type_of(self) == known().array ? columns_of(self) : nullptr;
  bool whole = columns && is_tuple(value) && value.as<Tuple>()->size() == columns->size();
  std::int64_t place = whole && is_writeable(self) ? find_place(self, key) : -1;
  if (place < 0) return kUserSlots.set_item(self, key, value);
  Value keeper = *attribute(self, known().columns), items = value;
  for (std::size_t i = 0; i < items.as<Tuple>()->size(); ++i)
    set_item(keeper.as<List>()->items[i], Value::integer(place), (*items.as<Tuple>())[i]);
}

// The column that a field of a record is an element of, if the record is one of an array.
const Value* column_of(const Value& self, const Value& name) {
  const Value* found = type_of(self) == known().record ? attribute(self, known().found) : nullptr;
  const Value* source = found && found->is_none() ? attribute(self, known().source) : nullptr;
  return source ? find_column(*source, name) : nullptr;
}

Value field_of_record(const Value& self, const Value& name) {
  const Value* column = column_of(self, name);
  if (!column) return kUserSlots.get_item(self, name);
  return get_item(Value(*column), *attribute(self, known().place));
}

void set_field_of_record(const Value& self, const Value& name, const Value& value) {
  const Value* column = value.is_empty() ? nullptr : column_of(self, name);
  if (column && !is_writeable(*attribute(self, known().source))) column = nullptr;
  if (!column) return kUserSlots.set_item(self, name, value);
  set_item(Value(*column), *attribute(self, known().place), value);
}

std::int64_t record_length(const Value& self) {
  const Value* found = attribute(self, known().found);
  const Value* source = found && found->is_none() ? attribute(self, known().source) : nullptr;
  const List* columns = source ? columns_of(*source) : nullptr;
  return columns ? static_cast<std::int64_t>(columns->size()) : kUserSlots.length(self);
}

// dtype[name]: the dtype of a field without a shape of its own.
Value field_of_dtype(const Value& self, const Value& key) {
  const Value *fields = attribute(self, known().names), *parts = attribute(self, known().parts);
  bool named = is_exact_text(key) && fields && is_tuple(*fields) && parts && is_list(*parts);
  for (std::size_t i = 0; named && i < parts->as<List>()->size(); ++i) {
    if (text_of((*fields->as<Tuple>())[i]) != text_of(key)) continue;
    const Value& part = parts->as<List>()->items[i];
    const Value *own = attribute(part, known().dtype), *shape = attribute(part, known().shape);
    if (own && shape && is_tuple(*shape) && shape->as<Tuple>()->size() == 0) return *own;
    break;
  }
  return kUserSlots.get_item(self, key);
}

std::int64_t records_length(const Value& self) {
  const Value* places = attribute(self, known().places);
  if (!places || !is_array(*places) || array_of(*places).rank() == 0)
    return kUserSlots.length(self);
  return array_of(*places).shape()[0];
}

}  // namespace

namespace {

// The dtypes of the fields, none of which is of records or of arrays; none where one is.
std::optional<Values> plain_parts(const Value& dtype) {
  const Value* parts =
      type_of(dtype) == known().dtype_class ? attribute(dtype, known().parts) : nullptr;
  if (!parts || !is_list(*parts)) return {};
  Values made;
  for (const Value& part : parts->as<List>()->items) {
    const Value *own = attribute(part, known().dtype), *shape = attribute(part, known().shape);
    bool plain = own && shape && is_tuple(*shape) && shape->as<Tuple>()->size() == 0;
    if (!plain) return {};
    if (!own->has_layout(Layout::kDType) && read_boxed_dtype(*own).is_empty()) return {};
    made.push_back(*own);
  }
  return made;
}

nd::Array first_places(std::int64_t count) {
  nd::Array made = nd::Array::empty(nd::Dims{count}, nd::DType::kInt64);
  for (std::int64_t i = 0; i < count; ++i) made.mutable_as<std::int64_t>()[i] = i;
  return made;
}

// Whether fields of these dtypes leave no room between them.
bool is_packed(const Values& dtypes, const Value& dtype) {
  std::int64_t size = 0;
  for (const Value& own : dtypes) {
    const Value* bytes = boxed_attribute(own, boxed().itemsize);
    size += own.has_layout(Layout::kDType) ? nd::item_size(own.as<DTypeObject>()->dtype)
            : bytes && bytes->is_int()     ? bytes->as_int()
                                           : 0;
  }
  const Value* whole = attribute(dtype, boxed().itemsize);
  return whole && whole->is_int() && whole->as_int() == size;
}

bool holds_objects(const Values& dtypes) {
  return std::ranges::any_of(
      dtypes, [](const Value& dtype) { return type_of(dtype) == boxed().object_dtype; });
}

}  // namespace

Value make_zero_records(const nd::Dims& shape, const Value& dtype, bool of_objects) {
  std::optional<Values> dtypes = plain_parts(dtype);
  if (!dtypes || shape.size() != 1 || (!of_objects && holds_objects(*dtypes))) return {};
  Values columns;
  for (const Value& own : *dtypes) {
    Value column = own.has_layout(Layout::kDType)
                       ? wrap(nd::Array::zeros(shape, own.as<DTypeObject>()->dtype))
                       : make_blank(shape, own, true);
    if (column.is_empty()) return {};
    columns.push_back(column);
  }
  return make_records(wrap(first_places(shape[0])), Value(make_list(std::move(columns))), dtype,
                      Value::none(), true);
}

Value make_listed_records(std::span<const Value> rows, const Value& dtype) {
  std::optional<Values> dtypes = plain_parts(dtype);
  if (!dtypes || rows.empty()) return {};
  for (const Value& row : rows)
    if (!is_tuple(row) || !row.as<Tuple>()->is_exact() || row.as<Tuple>()->size() != dtypes->size())
      return {};
  Values columns;
  for (std::size_t k = 0; k < dtypes->size(); ++k) {
    Values items;
    items.reserve(rows.size());
    for (const Value& row : rows) items.push_back((*row.as<Tuple>())[k]);
    const Value& own = (*dtypes)[k];
    bool numbers =
        own.has_layout(Layout::kDType) && std::ranges::all_of(items, [](const Value& item) {
          return item.is_int() || item.is_float() || item.is_bool();
        });
    Value column;
    if (numbers)
      column = wrap(to_array(Value(make_list(std::move(items))), own.as<DTypeObject>()->dtype));
    else if (!own.has_layout(Layout::kDType))
      column = make_kept(items, own);
    if (column.is_empty()) return {};
    columns.push_back(column);
  }
  return make_records(wrap(first_places(static_cast<std::int64_t>(rows.size()))),
                      Value(make_list(std::move(columns))), dtype, Value::none(), true);
}

Value join_records(const Value& function, const Arguments& arguments) {
  if (arguments.count != 1 || arguments.keyword_count > 0) return {};
  std::span<const Value> given = items_of(arguments.values[0]);
  const Value* dtype = is_records(given[0]) ? attribute(given[0], known().dtype) : nullptr;
  std::optional<Values> dtypes = dtype ? plain_parts(*dtype) : std::nullopt;
  if (!dtypes || !is_packed(*dtypes, *dtype)) return {};
  std::int64_t count = 0;
  for (const Value& each : given) {
    const Value* own = is_records(each) ? attribute(each, known().dtype) : nullptr;
    const Value* places = own ? attribute(each, known().places) : nullptr;
    if (!places || !is_array(*places) || array_of(*places).rank() != 1) return {};
    if (!identical(*own, *dtype) && !truth(compare(CompareOperator::kEq, *own, *dtype))) return {};
    count += array_of(*places).size();
  }
  Values columns, kept(given.begin(), given.end());
  Value names = *attribute(*dtype, known().names), kind = *dtype;
  for (const Value& name : names.as<Tuple>()->items()) {
    Values fields;
    for (const Value& each : kept) fields.push_back(get_item(each, name));
    columns.push_back(call(function, Value(make_list(std::move(fields)))));
  }
  return make_records(wrap(first_places(count)), Value(make_list(std::move(columns))), kind,
                      Value::none(), true);
}

Value zero_records_like(const Value& array, bool of_objects) {
  if (!array.is_object() || type_of(array) != known().array) return {};
  const Value *places = attribute(array, known().places), *dtype = attribute(array, known().dtype);
  if (!places || !is_array(*places) || !dtype) return {};
  return make_zero_records(array_of(*places).shape(), *dtype, of_objects);
}

bool is_records_dtype(const Value& dtype) {
  return dtype.is_object() && type_of(dtype) == known().dtype_class;
}

bool is_records(const Value& array) { return array.is_object() && type_of(array) == known().array; }

Value show_records(const Parameters& p) {
  const Value* places = attribute(p[0], known().places);
  if (!places || !is_array(*places)) raise(errors::TypeError, "no array of records");
  nd::Array all = array_of(*places).contiguous(nd::DType::kInt64);
  Values made;
  made.reserve(static_cast<std::size_t>(all.size()));
  for (std::int64_t i = 0; i < all.size(); ++i)
    made.push_back(record_at(known().record, p[0], all.as<std::int64_t>()[i]));
  return Value(make_list(std::move(made)));
}

Value quicken_records(const Parameters& p) {
  known().array = p[0].as<Type>();
  known().record = p[1].as<Type>();
  known().dtype_class = p[2].as<Type>();
  known().attribute_array = p[3].as<Type>();
  known().attribute_record = p[4].as<Type>();
  add_record_methods(*known().array);  // before the slots, which it makes anew
  known().attribute_array->slots.get_item = records_item;
  known().array->slots.get_item = records_item;
  known().array->slots.set_item = set_records_item;
  known().array->slots.length = records_length;
  known().dtype_class->slots.get_item = field_of_dtype;
  known().record->slots.get_item = field_of_record;
  known().record->slots.set_item = set_field_of_record;
  known().record->slots.length = record_length;
  return Value::none();
}

}  // namespace strider::lang
