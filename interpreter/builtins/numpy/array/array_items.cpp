// Subscripts of arrays in the language.
#include "interpreter/builtins/numpy/array/array_items.h"

#include <strider/nd/eval.h>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/array/nested_sequence.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/scalar/element_scalars.h"
#include "interpreter/builtins/numpy/scalar/pending_scalar.h"
#include "interpreter/builtins/numpy/scalar/scalar_cast.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/iterator.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// Two plain integers as the key of a matrix.
bool is_integer_pair(const Value& key) {
  if (!is_tuple(key)) return false;
  const Tuple& parts = *key.as<Tuple>();
  return parts.size() == 2 && parts[0].is_int() && parts[1].is_int();
}

bool is_number(const Value& value) {
  return !value.is_object() || is_numpy_scalar(value) || value.has_layout(Layout::kComplex) ||
         value.has_layout(Layout::kBigInt);
}

// Whether an item that a device computes can be stored where it is: in an array that lies there, or
// takes little to be brought there.
bool stores_pending(const nd::Array& array, const Value& value) {
  constexpr std::int64_t kLittle = 32 << 10;
  bool there = nd::is_away(array) || (array.owns_data() && array.byte_count() <= kLittle);
  return there && nd::recording().on() && scalar_dtype(value) == array.dtype();
}

// The element of a vector at a place that it has and that is in host memory; else Empty.
inline Value element_here(const nd::Array& vector, std::int64_t place) {
  std::int64_t extent = vector.shape()[0];
  if (place < 0) place += extent;
  if (place < 0 || place >= extent || nd::is_away(vector)) return Value();
  return read_scalar(vector.dtype(), vector.data() + place * vector.strides()[0]);
}

Value element_of(const nd::Array& vector, std::int64_t place) {
  Value here = element_here(vector, place);
  return here.is_empty() ? make_scalar(nd::get_element(vector, place)) : here;
}

class ArrayIterator final : public Iterator {
 public:
  explicit ArrayIterator(const Value& array)
      : Iterator(type()), array_(array), count_(array_of(array).shape()[0]) {}
  bool advance(Value& item) override {
    if (array_.is_empty() || index_ >= count_) return false;
    item = item_at(index_++);
    return true;
  }
  std::int64_t remaining() const override { return count_ - index_; }
  void traverse(Visitor& visitor) override { visitor.visit(array_); }
  void clear_references() override { array_ = Value(); }

 private:
  static Type* type() {
    static Type* made = make_iterator_type("array_iterator");
    return made;
  }
  // Classes that have items of their own give those.
  Value item_at(std::int64_t place) const {
    auto get_item = type_of(array_)->slots.get_item;
    if (get_item != get_array_item) return get_item(array_, Value::integer(place));
    const nd::Array& array = array_of(array_);
    return array.rank() == 1 ? element_of(array, place)
                             : wrap_view(nd::get_row(array, place), array_);
  }
  Value array_;
  std::int64_t count_;
  std::int64_t index_ = 0;
};

}  // namespace

Value get_array_item(const Value& self, const Value& key) {
  const nd::Array& array = array_of(self);
  if (key.is_int() && array.rank() >= 1) {
    if (array.rank() == 1) return element_of(array, key.as_int());
    return wrap_view(nd::get_row(array, key.as_int()), self);
  }
  if (array.rank() == 2 && is_integer_pair(key)) {
    const Tuple& parts = *key.as<Tuple>();
    return make_scalar(nd::get_element(array, parts[0].as_int(), parts[1].as_int()));
  }
  IndexItemList items(key);
  nd::Array result = nd::get(array, items);
  if (result.rank() == 0 && nd::yields_scalar(items)) return make_scalar(result.item());
  if (nd::is_basic(items)) return wrap_view(std::move(result), self);
  return is_subclass_array(self) ? wrap_like(std::move(result), self) : wrap(std::move(result));
}

// Whether a subscript names a single element by integers.
static bool picks_element(const nd::Array& array, const IndexItemList& items) {
  if (static_cast<int>(items.size()) != array.rank()) return false;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].kind != nd::IndexKind::kInteger) return false;
  return true;
}

void set_array_item(const Value& self, const Value& key, const Value& value) {
  const nd::Array& array = array_of(self);
  if (value.is_empty()) raise(errors::ValueError, "cannot delete array elements");
  if (is_pending_scalar(value) && stores_pending(array, value))
    return nd::set(array, IndexItemList(key), pending_array(value));
  if (is_number(value) || (is_array(value) && converts_itself(value))) {
    auto scalar = [&] { return to_scalar(value, array.dtype()); };
    if (key.is_int() && array.rank() == 1) return nd::set_element(array, key.as_int(), scalar());
    if (array.rank() == 2 && is_integer_pair(key)) {
      const Tuple& parts = *key.as<Tuple>();
      return nd::set_element(array, parts[0].as_int(), parts[1].as_int(), scalar());
    }
    if (array.rank() == 0 && identical(key, ellipsis())) return nd::set_element(array, scalar());
    IndexItemList items(key);
    bool basic = nd::is_basic(items);
    return nd::set(array, items, basic ? scalar() : converted_scalar(value, array.dtype()));
  }
  IndexItemList items(key);
  bool sequence = is_list(value) || is_tuple(value) || value.has_layout(Layout::kRange);
  if (sequence && picks_element(array, items))
    return nd::set(array, items, to_scalar(value, array.dtype()));
  nd::Array values = is_array(value) ? array_of(value) : to_array(value, array.dtype());
  warn_of_lost_parts(values.dtype(), array.dtype());
  nd::set(array, items, values);
}

Value iterate_array(const Value& self) {
  if (array_of(self).rank() == 0) raise(errors::TypeError, "iteration over a 0-d array");
  return make<ArrayIterator>(self);
}

}  // namespace strider::lang
