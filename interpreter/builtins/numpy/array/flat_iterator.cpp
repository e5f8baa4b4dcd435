// numpy.ndarray.flat: an array's elements in C order, as an iterator and a one-dimensional
// sequence.
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

class FlatIterator final : public Iterator {
 public:
  FlatIterator(const Value& array, Type* type) : Iterator(type), array(array) {}
  bool advance(Value& item) override {
    if (array.is_empty() || index >= array_of(array).size()) return false;
    item = make_scalar(nd::flat_element(array_of(array), index++));
    return true;
  }
  std::int64_t remaining() const override { return array_of(array).size() - index; }
  void traverse(Visitor& visitor) override { visitor.visit(array); }
  void clear_references() override { array = Value(); }
  Value array;
  std::int64_t index = 0;
};

const nd::Array& behind(const Value& self) { return array_of(self.as<FlatIterator>()->array); }

nd::IndexItem only_item(const Value& key) {
  IndexItemList items(key);
  if (items.size() == 0) return nd::IndexItem::of_slice(std::nullopt, std::nullopt);
  if (items.size() > 1)
    raise(errors::IndexError,
          "too many indices for flat iterator: flat iterator is 1-dimensional, but {} were indexed",
          items.size());
  if (items[0].kind == nd::IndexKind::kEllipsis)
    return nd::IndexItem::of_slice(std::nullopt, std::nullopt);
  return items[0];
}

[[noreturn]] void refuse_key() {
  raise(errors::IndexError,
        "only integers, slices (`:`), ellipsis (`...`) and integer or boolean arrays are valid "
        "indices");
}

// True stands for the first element, False for none.
nd::IndexItem lone_truth(bool chosen) {
  warn(errors::DeprecationWarning(),
       "Indexing flat iterators with a 0-dimensional boolean index is deprecated and may be "
       "removed in a future version. (Deprecated NumPy 2.4)");
  if (chosen) return nd::IndexItem::of_integer(0);
  return nd::IndexItem::of_array(nd::Array::empty({0}, nd::DType::kInt64));
}

// Places out of a list, or out of a number that is no whole one.
nd::IndexItem listed_places(const Value& key) {
  nd::Array places = to_array(key);
  if (places.dtype() == nd::DType::kBool && places.size() > 0)
    raise(errors::IndexError,
          "boolean indices for iterators are not supported because of previous behavior that was "
          "confusing (valid boolean indices are expected to work in the future)");
  if (!nd::is_integer(places.dtype()) && places.size() > 0)
    warn(errors::DeprecationWarning(),
         "Invalid non-array indices for iterator objects are deprecated and will be removed in a "
         "future version. (Deprecated NumPy 2.4)");
  places = places.astype(nd::DType::kInt64);
  if (places.rank() > 0) return nd::IndexItem::of_array(places);
  return nd::IndexItem::of_integer(places.item().get<std::int64_t>());
}

// What a subscript of the elements in C order picks.
nd::IndexItem picked_item(const Value& key) {
  if (key.is_bool()) return lone_truth(key.as_bool());
  if (is_array(key) && array_of(key).rank() == 0) {
    const nd::Array& place = array_of(key);
    bool truth = place.dtype() == nd::DType::kBool;
    return truth ? lone_truth(place.item().truth()) : listed_places(key);
  }
  if (key.is_none() || is_str(key)) refuse_key();
  return is_list(key) || key.is_float() ? listed_places(key) : only_item(key);
}

Value get_item_of_flat(const Value& self, const Value& key) {
  const nd::Array& array = behind(self);
  if (key.is_int()) return make_scalar(nd::flat_element(array, key.as_int()));
  nd::IndexItem item = picked_item(key);
  if (item.kind == nd::IndexKind::kInteger)
    return make_scalar(nd::flat_element(array, item.integer));
  return wrap(nd::get_flat(array, item));
}

void set_item_of_flat(const Value& self, const Value& key, const Value& value) {
  if (value.is_empty()) raise(errors::TypeError, "Cannot delete iterator elements");
  const nd::Array& array = behind(self);
  if (is_tuple(key) && key.as<Tuple>()->size() == 0)
    raise(errors::IndexError, "Assigning to a flat iterator with a 0-D index is not supported");
  nd::IndexItem item = picked_item(key);
  nd::Array values = to_array(value, array.dtype());
  if (item.kind == nd::IndexKind::kInteger && values.rank() > 0)
    raise(errors::ValueError, "Error setting single item of array.");
  nd::set_flat(array, item, values);
}

nd::Array flattened(const Value& self) {
  nd::Array flat = behind(self).ravel();
  return flat.same_storage(behind(self)) ? flat.copy() : flat;
}

Value coordinates(const Value& self) {
  const auto* iterator = self.as<FlatIterator>();
  nd::Dims shape = behind(self).shape(), position(shape.size());
  std::int64_t rest = iterator->index;
  for (int axis = shape.size(); axis-- > 0;) {
    std::int64_t extent = shape[axis] ? shape[axis] : 1;
    position[axis] = axis == 0 ? rest : rest % extent;
    rest /= extent;
  }
  return shape_tuple(position);
}

const NativeRow kMethods[] = {
    {"copy(self, /)", [](const Parameters& p) { return wrap(flattened(p[0])); },
     "The elements as a one-dimensional array."},
    {"__array__(self, dtype=None, /, *, copy=None)",
     [](const Parameters& p) {
       return wrap(to_array(wrap(flattened(p[0])), to_optional_dtype(p[1])));
     },
     "The elements as a one-dimensional array."},
};

const PropertyRow kProperties[] = {
    {"base", [](const Value& self) { return self.as<FlatIterator>()->array; }, nullptr,
     "The array."},
    {"index", [](const Value& self) { return Value::integer(self.as<FlatIterator>()->index); },
     nullptr, "The position of the next element."},
    {"coords", coordinates, nullptr, "The index of the next element."},
};

}  // namespace

Type& flat_iterator_type() {
  static bool ready = false;
  static Type& type = *make_iterator_type("numpy.flatiter");
  if (ready) return type;
  ready = true;
  type.module = "numpy";
  type.qualified_name = "flatiter";
  type.slots.get_item = get_item_of_flat;
  type.slots.set_item = set_item_of_flat;
  type.slots.length = [](const Value& self) { return behind(self).size(); };
  type.slots.compare = [](CompareOperator op, const Value& self, const Value& other) {
    return compare_arrays(op, wrap(flattened(self)), other);
  };
  type.add(kMethods);
  type.add(kProperties);
  return type;
}

Value make_flat(const Value& array) { return make<FlatIterator>(array, &flat_iterator_type()); }

void assign_flat(const Value& array, const Value& values) {
  const nd::Array& target = array_of(array);
  nd::set_flat(target, nd::IndexItem::of_slice(std::nullopt, std::nullopt),
               to_array(values, target.dtype()).ravel());
}

}  // namespace strider::lang
