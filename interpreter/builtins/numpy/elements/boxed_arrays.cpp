// Methods and operators of arrays of texts, bytes and objects that are done without a call in the
// language, and what numpy's functions give for such arrays.
#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/boxed_parts.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/elements/quick_order.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"
#include "interpreter/builtins/numpy/texts/text_operands.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using nd::DType;
using namespace boxed_parts;

// An array whose items are moved, and shown, as they are kept.
bool keeps_items(const Value& self) { return is_plain(self) || is_strings(self); }

// --- Methods ---

// A copy in C order; Empty of elements that are not kept as usual.
Value copied(const Value& self) {
  if (Value made = copy_packed(self); !made.is_empty()) return made;
  Elements elements(self);
  if (!elements) return {};
  return make_boxed(Values(elements.items.begin(), elements.items.end()), places_of(self).shape(),
                    dtype_of(self));
}

// copy(order)
Value copy_boxed(const Parameters& p) {
  if (keeps_items(p[0]) && is_text(p[1], "C"))
    if (Value made = copied(p[0]); !made.is_empty()) return made;
  return call_general(*boxed().array, "copy", p);
}

Value list_boxed(const Parameters& p) {
  if (TextPool* pool = packed_pool_of(p[0]); pool && is_whole(p[0]) && places_of(p[0]).rank() == 1)
    return Value(make_list(pool->all()));
  if (keeps_items(p[0]) && places_of(p[0]).rank() == 1)
    if (Elements elements(p[0]); elements)
      return Value(make_list(Values(elements.items.begin(), elements.items.end())));
  return call_general(*boxed().array, "tolist", p);
}

// The places of texts or bytes in ascending order; none where others are among them.
std::optional<std::vector<std::uint32_t>> order_items(std::span<const Value> items) {
  std::vector<std::string_view> views;
  if (items.size() < 2) return std::vector<std::uint32_t>(items.size(), 0);
  if (!view_texts(items, views)) return {};
  return order_texts(views);
}

// Sorts objects that are all integers, or all floats of which none equals another kind of zero;
// false, with nothing done, for others.
bool sort_numbers(Values& items) {
  auto all = [&](auto holds) { return std::all_of(items.begin(), items.end(), holds); };
  if (all([](const Value& item) { return item.is_int(); })) {
    std::sort(items.begin(), items.end(),
              [](const Value& a, const Value& b) { return a.as_int() < b.as_int(); });
    return true;
  }
  auto is_plain_float = [](const Value& item) {
    return item.is_float() && item.as_float() == item.as_float() && item.as_float() != 0;
  };
  if (!all(is_plain_float)) return false;
  std::sort(items.begin(), items.end(),
            [](const Value& a, const Value& b) { return a.as_float() < b.as_float(); });
  return true;
}

// The numbers of an array of objects in ascending order; Empty of other arrays.
Value sorted_numbers(const Value& self) {
  bool line = is_plain(self) && !holds_texts(self) && places_of(self).rank() == 1;
  if (!line) return {};
  Elements elements(self);
  if (!elements) return {};
  Values items(elements.items.begin(), elements.items.end());
  if (!sort_numbers(items)) return {};
  return make_boxed(std::move(items), places_of(self).shape(), dtype_of(self));
}

// sort(axis, kind, order, stable)
Value sort_boxed(const Parameters& p) {
  const Value& self = p[0];
  bool usual = is_plain(self) && holds_texts(self) && places_of(self).rank() == 1 &&
               sorts_usually(p) && places_of(self).writeable();
  if (usual && sort_packed(self)) return Value::none();
  if (usual && is_whole(self) && !packed_pool_of(self)) {
    Elements elements(self);
    auto order = elements ? order_items(elements.items) : std::nullopt;
    if (order) {
      Values sorted;
      sorted.reserve(order->size());
      for (std::uint32_t place : *order) sorted.push_back(elements.items[place]);
      Value pool = pool_of(self);
      text_pool_of(pool).items().swap(sorted);
      return Value::none();
    }
  }
  return call_general(*boxed().array, "sort", p);
}

// item(place)
Value item_boxed(const Parameters& p) {
  const Value& self = p[0];
  std::span<const Value> key = p[1].as<Tuple>()->items();
  if (keeps_items(self) && key.size() == 1 && key[0].is_int() && places_of(self).rank() == 1) {
    std::int64_t size = places_of(self).size(),
                 at = key[0].as_int() + (key[0].as_int() < 0 ? size : 0);
    if (at >= 0 && at < size) {
      std::int64_t place = places_of(self).item_at(nd::Dims{at}).get<std::int64_t>();
      Value item = pool_item(pool_of(self), place);
      if (!item.is_empty()) return item;
    }
  }
  Values given{self};
  given.insert(given.end(), key.begin(), key.end());
  return call_general(*boxed().array, "item", Parameters(given.data(), given.size()));
}

// reshape(*shape, **named): a view of the places where they allow one.
Value reshape_boxed(const Parameters& p) {
  if (keeps_items(p[0])) {
    Value made = reshaped(*boxed_attribute(p[0], boxed().places), p);
    if (array_of(made).same_storage(places_of(p[0]))) return view_boxed(p[0], made);
    if (Value picked = pick_boxed(p[0], made); !picked.is_empty()) return picked;
  }
  ArgumentList list = reshape_arguments(p);
  list.values.insert(list.values.begin(), p[0]);
  return call_general_with(*boxed().array, "reshape", list);
}

const NativeRow kMethods[] = {
    {"reshape(self, *extents, shape=<none>, order=<none>, copy=<none>)", reshape_boxed,
     "The elements in another shape."},
    {"copy(self, order='C')", copy_boxed, "A copy."},
    {"tobytes(self, order='C')", bytes_boxed, "The bytes of the elements."},
    {"view(self, dtype=None, type=None)", see_texts, "The same memory as another array."},
    {"item(self, *key)", item_boxed, "An element as Python's own object."},
    {"tolist(self)", list_boxed, "The elements as a nested list."},
    {"astype(self, dtype, order='K', casting='unsafe', subok=True, copy=True)", convert_boxed,
     "A copy with elements of another dtype."},
    {"sort(self, axis=-1, kind=None, order=None, stable=None)", sort_boxed,
     "Sorts the array in place."},
};

// --- What functions give ---

// The elements at places, or the scalar at one.
Value gathered(const Value& self, const Value& places) {
  const Value& kept = pool_of(self);
  if (is_numpy_scalar(places)) {
    Value item = pool_item(kept, scalar_of(places).as(DType::kInt64).get<std::int64_t>());
    return item.is_empty() ? item : shown_item(item, dtype_of(self));
  }
  if (!is_array(places)) return {};
  if (packed_pool_of(self)) return pick_packed(self, array_of(places));
  const Values& pool = is_text_pool(kept) ? text_pool_of(kept).items() : kept.as<List>()->items;
  nd::Array order = array_of(places).contiguous(DType::kInt64);
  Values made;
  made.reserve(static_cast<std::size_t>(order.size()));
  for (std::int64_t i = 0; i < order.size(); ++i) {
    auto place = static_cast<std::size_t>(order.as<std::int64_t>()[i]);
    if (place >= pool.size()) return {};
    made.push_back(pool[place]);
  }
  return make_boxed(std::move(made), order.shape(), dtype_of(self));
}

// The function called with places in place of the first argument.
Value rearrange_boxed(const Value& function, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  if (!keeps_items(self) || places_of(self).rank() == 0 || !rests_with_numpy(arguments)) return {};
  ArgumentList list;
  list.append_all(arguments);
  list.values[0] = *boxed_part(self, BoxedPart::kPlaces);
  Value made = call(function, list);
  bool shared = is_array(made) && array_of(made).same_storage(places_of(self));
  return shared ? view_boxed(self, made) : gathered(self, made);
}

// What joins the elements of several arrays of one kind.
struct Joined {
  Value packed;  // an array of all elements; Empty where they are items
  Values items;
  Value dtype;
  std::vector<nd::Dims> shapes;
  bool lines = true;

  bool read(std::span<const Value> given) {
    dtype = keeps_items(given[0]) ? dtype_of(given[0]) : Value();
    for (const Value& each : given) {
      if (dtype.is_empty() || !keeps_items(each)) return false;
      dtype = wider(dtype, dtype_of(each));
      shapes.push_back(places_of(each).shape());
      lines = lines && shapes.back().size() == 1;
    }
    return !dtype.is_empty();
  }

  // The elements of all, one after the other: packed where one of the arrays is.
  bool read_elements(std::span<const Value> given) {
    packed = join_packed(given, dtype);
    if (!packed.is_empty()) return true;
    for (const Value& each : given) {
      Elements elements(each);
      if (!elements) return false;
      items.insert(items.end(), elements.items.begin(), elements.items.end());
    }
    return true;
  }

  // The places of each array's elements among all items, in its shape.
  Values places() const {
    Values made;
    std::int64_t first = 0;
    for (const nd::Dims& shape : shapes) {
      nd::Array own = nd::Array::empty(shape, DType::kInt64);
      auto* places = own.mutable_as<std::int64_t>();
      for (std::int64_t i = 0; i < own.size(); ++i) places[i] = first++;
      made.push_back(wrap(std::move(own)));
    }
    return made;
  }
};

// Whether a call joins along the first axis.
bool joins_first_axis(const Arguments& arguments) {
  if (arguments.count + arguments.keyword_count == 1) return true;
  if (arguments.count + arguments.keyword_count != 2) return false;
  const Value& axis = arguments.count == 2 ? arguments.values[1] : arguments.keywords[0].value;
  return axis.is_int() && axis.as_int() == 0;
}

// The shape of what concatenate or stack makes of arrays one after the other; none where it does
// something else with them.
std::optional<nd::Dims> shape_in_order(const Value& function, const Arguments& arguments,
                                       const std::vector<nd::Dims>& shapes) {
  if (!joins_first_axis(arguments) || !function.has_layout(Layout::kNativeFunction)) return {};
  std::string_view name = function.as<NativeFunction>()->name();
  nd::Dims shape = shapes[0];
  if (name == "stack") {
    for (const nd::Dims& each : shapes)
      if (each != shape) return {};
    nd::Dims made{static_cast<std::int64_t>(shapes.size())};
    for (std::int64_t extent : shape) made.push_back(extent);
    return made;
  }
  if (name != "concatenate" || shape.size() == 0) return {};
  shape[0] = 0;
  for (const nd::Dims& each : shapes) {
    if (each.size() != shape.size()) return {};
    for (int axis = 1; axis < shape.size(); ++axis)
      if (each[axis] != shape[axis]) return {};
    shape[0] += each[0];
  }
  return shape;
}

// concatenate(arrays), stack and their kin: the function joins places.
Value join_boxed(const Value& function, const Arguments& arguments) {
  Joined joined;
  for (const KeywordArgument& keyword : arguments.named())
    if (keyword.name != boxed().axis) return {};
  if (!rests_with_numpy(arguments) || !joined.read(items_of(arguments.values[0]))) return {};
  if (!joined.read_elements(items_of(arguments.values[0]))) return {};
  bool plainly = arguments.count == 1 && arguments.keyword_count == 0 &&
                 function.has_layout(Layout::kNativeFunction) &&
                 function.as<NativeFunction>()->name() == "concatenate";
  if (!joined.packed.is_empty())
    if (auto shape = shape_in_order(function, arguments, joined.shapes))
      return make_boxed_over(pool_of(joined.packed), *shape, joined.dtype);
  if (plainly && joined.lines) {
    nd::Dims shape{static_cast<std::int64_t>(joined.items.size())};
    return make_boxed(std::move(joined.items), shape, joined.dtype);
  }
  ArgumentList list;
  list.append_all(arguments);
  list.values[0] = Value(make_list(joined.places()));
  Value made = call(function, list);
  if (!is_array(made)) return {};
  if (!joined.packed.is_empty()) return pick_boxed(joined.packed, made);
  nd::Array order = array_of(made).contiguous(DType::kInt64);
  Values items;
  items.reserve(static_cast<std::size_t>(order.size()));
  for (std::int64_t i = 0; i < order.size(); ++i)
    items.push_back(joined.items[static_cast<std::size_t>(order.as<std::int64_t>()[i])]);
  return make_boxed(std::move(items), order.shape(), joined.dtype);
}

// Whether the only argument is a line of texts.
bool is_only_line(const Arguments& arguments) {
  const Value& self = arguments.values[0];
  return arguments.count == 1 && arguments.keyword_count == 0 && is_plain(self) &&
         holds_texts(self) && places_of(self).rank() == 1;
}

// The order of the only argument, a line of texts; none where it is anything else.
std::optional<std::vector<std::uint32_t>> order_of_only(const Arguments& arguments) {
  const Value& self = arguments.values[0];
  if (!is_only_line(arguments)) return std::nullopt;
  Elements elements(self);
  return elements ? order_items(elements.items) : std::nullopt;
}

// sort(a)
Value sort_boxed_anew(const Value&, const Arguments& arguments) {
  if (is_only_line(arguments))
    if (Value made = copy_packed(arguments.values[0]); !made.is_empty() && sort_packed(made))
      return made;
  if (arguments.count == 1 && arguments.keyword_count == 0)
    if (Value made = sorted_numbers(arguments.values[0]); !made.is_empty()) return made;
  auto order = order_of_only(arguments);
  if (!order) return {};
  const Value& self = arguments.values[0];
  Elements elements(self);
  Values made;
  made.reserve(order->size());
  for (std::uint32_t place : *order) made.push_back(elements.items[place]);
  return make_boxed(std::move(made), places_of(self).shape(), dtype_of(self));
}

// argsort(a)
Value order_boxed(const Value&, const Arguments& arguments) {
  if (is_only_line(arguments))
    if (nd::Array made = quick_order_packed(arguments.values[0]); made)
      return wrap(std::move(made));
  auto order = order_of_only(arguments);
  if (!order) return {};
  const Value& self = arguments.values[0];
  nd::Array made = nd::Array::empty(places_of(self).shape(), DType::kInt64);
  std::copy(order->begin(), order->end(), made.mutable_as<std::int64_t>());
  Elements elements(self);
  return wrap(left_by_quicksort(std::move(made), [&](std::int64_t a, std::int64_t b) {
    return equal(elements.items[a], elements.items[b]);
  }));
}

Value zeros_like_boxed(const Value&, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  bool usual = arguments.count == 1 && arguments.keyword_count == 0 && is_plain(self) &&
               holds_texts(self) && item_size(dtype_of(self));
  if (!usual) return {};
  bool texts = dtype_class(self) == boxed().text_dtype;
  Value item = texts ? Value(make_str("")) : Value(make<Bytes>(std::string()));
  return make_repeated(item, places_of(self).shape(), dtype_of(self));
}

std::int64_t boxed_length(const Value& self) {
  const Value* places = boxed_attribute(self, boxed().places);
  if (!places || !is_array(*places) || array_of(*places).rank() == 0)
    return kUserSlots.length(self);
  return array_of(*places).shape()[0];
}

}  // namespace

Value copy_of_boxed(const Value& self) {
  if (!keeps_items(self) || !places_of(self).is_c_contiguous()) return {};
  return copied(self);
}

Value pick_boxed(const Value& self, const Value& places) {
  return keeps_items(self) ? gathered(self, places) : Value();
}

void give_boxed_array_slots(Type& type) {
  for (const NativeRow& row : kMethods) add_native_method(type, row);
  type.slots.length = boxed_length;
  give_boxed_operators(type);
}

const ElementAnswers kBoxedAnswers = {rearrange_boxed, join_boxed,  choose_texts,
                                      sort_boxed_anew, order_boxed, zeros_like_boxed};

}  // namespace strider::lang
