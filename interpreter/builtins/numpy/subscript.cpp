// Subscripts: what stands between the brackets of a[key], part by part.
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/runtime/error.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/types/integer.h"
#include "interpreter/types/sequence.h"
#include "interpreter/types/str.h"

namespace strider::lang {
namespace {

using nd::IndexItem;

[[noreturn]] void refuse_index() {
  raise(errors::IndexError,
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
        "boolean arrays are valid indices");
}

std::optional<std::int64_t> slice_bound(const Value& value) {
  if (value.is_none()) return std::nullopt;
  if (value.is_int()) return value.as_int();
  std::int64_t index;
  if (!try_index(value, index))
    raise(errors::TypeError, "slice indices must be integers or None or have an __index__ method");
  return index;
}

IndexItem slice_item(const Slice& slice) {
  return IndexItem::of_slice(slice_bound(slice.start), slice_bound(slice.stop),
                             slice_bound(slice.step));
}

// A list of what no array holds is no index either.
nd::Array index_array(const Value& value) {
  try {
    return to_array(value);
  } catch (const Raised& raised) {
    if (raised.exception->type() != &errors::TypeError()) throw;
  }
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

IndexItem to_index_item(const Value& value) {
  if (value.is_int()) return IndexItem::of_integer(value.as_int());
  if (value.is_none()) return IndexItem::new_axis();
  if (value.is_bool()) return IndexItem::of_boolean(value.as_bool());
  if (value.is_float() || is_str(value)) refuse_index();
  if (value.has_layout(Layout::kSlice)) return slice_item(*value.as<Slice>());
  if (identical(value, ellipsis())) return IndexItem::ellipsis();
  if (is_numpy_scalar(value)) return scalar_item(scalar_of(value));
  if (is_array(value) || is_list(value) || is_tuple(value)) return array_item(value);
  if (is_integer(value)) raise(errors::IndexError, "cannot fit 'int' into an index-sized integer");
  std::int64_t index;
  if (try_index(value, index)) return IndexItem::of_integer(index);
  bool convertible = is_element_sequence(value) || !find_special(value, names().array).is_empty();
  if (!convertible) refuse_index();
  return array_item(value);
}

}  // namespace

std::vector<IndexItem> to_index_items(const Value& key) {
  std::vector<IndexItem> items;
  if (!is_tuple(key)) {
    items.push_back(to_index_item(key));
    return items;
  }
  const Tuple& parts = *key.as<Tuple>();
  items.reserve(parts.size());
  for (const Value& part : parts.items()) items.push_back(to_index_item(part));
  return items;
}

}  // namespace strider::lang
