// Subscripts: what stands between the brackets of a[key], part by part.
#include <memory>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::IndexItem;

[[noreturn]] void refuse_index() {
  raise(errors::IndexError,
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
        "boolean arrays are valid indices");
}

// Whether a bound of a slice is given, and what it is.
bool read_bound(const Value& value, std::int64_t& bound) {
  if (value.is_none()) return false;
  if (value.is_int())
    bound = value.as_int();
  else if (!try_index(value, bound))
    raise(errors::TypeError, "slice indices must be integers or None or have an __index__ method");
  return true;
}

IndexItem slice_item(const Slice& slice) {
  IndexItem item;
  item.has_start = read_bound(slice.start, item.start);
  item.has_stop = read_bound(slice.stop, item.stop);
  item.has_step = read_bound(slice.step, item.step);
  return item;
}

// A list of what no array holds is no index either.
nd::Array index_array(const Value& value) {
  try {
    return to_array(value);
  } catch (const Raised& raised) {
    if (raised.exception->type() != &errors::TypeError()) throw;
  }
  if (is_boxed_array(value))
    raise(errors::IndexError, "arrays used as indices must be of integer (or boolean) type");
  refuse_index();
}

IndexItem array_item(const Value& value) {
  nd::Array array = index_array(value);
  bool given = is_array(value);
  bool integral = nd::is_integer(array.dtype()) || array.dtype() == nd::DType::kBool;
  if (!integral && !given) {
    if (array.size() > 0) refuse_index();
    array = array.astype(nd::DType::kInt64);
  }
  return IndexItem::of_array(array);
}

IndexItem scalar_item(const nd::Scalar& scalar) {
  if (scalar.dtype() == nd::DType::kBool) return IndexItem::of_boolean(scalar.truth());
  if (!nd::is_integer(scalar.dtype())) refuse_index();
  return IndexItem::of_integer(scalar.as(nd::DType::kInt64).get<std::int64_t>());
}

bool is_element_sequence(const Value& value) {
  const Slots& slots = type_of(value)->slots;
  return slots.length && slots.get_item && !value.has_layout(Layout::kDict);
}

// The integer that an object stands for; false for arrays of other classes, which may refuse to be
// one.
bool try_own_index(const Value& value, std::int64_t& index) {
  try {
    return try_index(value, index);
  } catch (const Raised& raised) {
    if (raised.exception->type() != &errors::TypeError()) throw;
  }
  return false;
}

IndexItem to_index_item(const Value& value) {
  if (value.is_int()) return IndexItem::of_integer(value.as_int());
  if (value.is_none()) return IndexItem::new_axis();
  if (value.is_bool()) return IndexItem::of_boolean(value.as_bool());
  if (value.is_float() || is_str(value)) refuse_index();
  if (value.has_layout(Layout::kSlice)) return slice_item(*value.as<Slice>());
  if (identical(value, ellipsis())) return IndexItem::ellipsis();
  if (is_numpy_scalar(value)) return scalar_item(scalar_of(value));
  if (is_array(value) || is_list(value) || is_tuple(value)) return array_item(value);
  if (is_integer(value)) {
    Value exact = exact_int(value);
    if (exact.is_int()) return IndexItem::of_integer(exact.as_int());
    raise(errors::IndexError, "cannot fit 'int' into an index-sized integer");
  }
  std::int64_t index;
  if (try_own_index(value, index)) return IndexItem::of_integer(index);
  bool convertible = is_element_sequence(value) || !find_special(value, names().array).is_empty();
  if (!convertible) refuse_index();
  return array_item(value);
}

}  // namespace

void IndexItemList::add(const Value& part) {
  new (items_ + count_) IndexItem(to_index_item(part));
  ++count_;
}

IndexItemList::IndexItemList(const Value& key) : IndexItemList() {
  if (!is_tuple(key)) {
    add(key);
    return;
  }
  std::span<const Value> parts = key.as<Tuple>()->items();
  if (parts.size() > kFew) {
    many_.resize(parts.size() * sizeof(IndexItem));
    items_ = reinterpret_cast<IndexItem*>(many_.data());
  }
  for (const Value& part : parts) add(part);
}

IndexItemList::~IndexItemList() { std::destroy_n(items_, count_); }

}  // namespace strider::lang
