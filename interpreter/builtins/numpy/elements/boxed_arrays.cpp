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
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using nd::DType;
using namespace boxed_parts;

// --- Methods ---

// A copy in C order; Empty of elements that are not kept as usual.
Value copied(const Value& self) {
  Elements elements(self);
  if (!elements) return {};
  return make_boxed(Values(elements.items.begin(), elements.items.end()), places_of(self).shape(),
                    dtype_of(self));
}

// copy(order)
Value copy_boxed(const Parameters& p) {
  if (is_plain(p[0]) && is_text(p[1], "C"))
    if (Value made = copied(p[0]); !made.is_empty()) return made;
  return call_general(*boxed().array, "copy", p);
}

Value list_boxed(const Parameters& p) {
  if (is_plain(p[0]) && places_of(p[0]).rank() == 1)
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

// sort(axis, kind, order, stable)
Value sort_boxed(const Parameters& p) {
  const Value& self = p[0];
  bool usual = is_plain(self) && holds_texts(self) && places_of(self).rank() == 1 &&
               sorts_usually(p) && places_of(self).writeable();
  const Value* whole = boxed_attribute(self, boxed().whole);
  if (usual && whole && whole->is_bool() && whole->as_bool()) {
    Elements elements(self);
    auto order = elements ? order_items(elements.items) : std::nullopt;
    if (order) {
      Values sorted;
      sorted.reserve(order->size());
      for (std::uint32_t place : *order) sorted.push_back(elements.items[place]);
      Value pool = *boxed_attribute(self, boxed().pool);
      pool.as<List>()->items.swap(sorted);
      return Value::none();
    }
  }
  return call_general(*boxed().array, "sort", p);
}

// item(place)
Value item_boxed(const Parameters& p) {
  const Value& self = p[0];
  std::span<const Value> key = p[1].as<Tuple>()->items();
  if (is_plain(self) && key.size() == 1 && key[0].is_int() && places_of(self).rank() == 1) {
    std::int64_t size = places_of(self).size(),
                 at = key[0].as_int() + (key[0].as_int() < 0 ? size : 0);
    const Values& pool = boxed_attribute(self, boxed().pool)->as<List>()->items;
    if (at >= 0 && at < size) {
      std::int64_t place = places_of(self).item_at(nd::Dims{at}).get<std::int64_t>();
      if (place >= 0 && static_cast<std::size_t>(place) < pool.size())
        return pool[static_cast<std::size_t>(place)];
    }
  }
  Values given{self};
  given.insert(given.end(), key.begin(), key.end());
  return call_general(*boxed().array, "item", Parameters(given.data(), given.size()));
}

// reshape(*shape, **named): a view of the places where they allow one.
Value reshape_boxed(const Parameters& p) {
  ArgumentList list = reshape_arguments(p);
  if (is_plain(p[0])) {
    static const Name reshape = intern("reshape");
    Value made = call_method(*boxed_attribute(p[0], boxed().places), reshape, Arguments(list));
    if (array_of(made).same_storage(places_of(p[0]))) return view_boxed(p[0], made);
    if (Value picked = pick_boxed(p[0], made); !picked.is_empty()) return picked;
  }
  list.values.insert(list.values.begin(), p[0]);
  return call_general_with(*boxed().array, "reshape", list);
}

const NativeRow kMethods[] = {
    {"reshape(self, *shape, **named)", reshape_boxed, "The elements in another shape."},
    {"copy(self, order='C')", copy_boxed, "A copy."},
    {"tobytes(self, order='C')", bytes_boxed, "The bytes of the elements."},
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
  const Values& pool = boxed_attribute(self, boxed().pool)->as<List>()->items;
  if (is_numpy_scalar(places)) {
    auto place = static_cast<std::size_t>(scalar_of(places).as(DType::kInt64).get<std::int64_t>());
    return place < pool.size() ? shown_item(pool[place], dtype_of(self)) : Value();
  }
  if (!is_array(places)) return {};
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
  if (!is_plain(self) || places_of(self).rank() == 0 || !rests_with_numpy(arguments)) return {};
  ArgumentList list;
  list.append_all(arguments);
  list.values[0] = *boxed_attribute(self, boxed().places);
  Value made = call(function, list);
  bool shared = is_array(made) && array_of(made).same_storage(places_of(self));
  return shared ? view_boxed(self, made) : gathered(self, made);
}

// What joins the elements of several arrays of one kind.
struct Joined {
  Values items;
  Value dtype;
  std::vector<nd::Dims> shapes;
  bool lines = true;

  bool read(std::span<const Value> given) {
    dtype = is_plain(given[0]) ? dtype_of(given[0]) : Value();
    for (const Value& each : given) {
      if (dtype.is_empty() || !is_plain(each)) return false;
      dtype = wider(dtype, dtype_of(each));
      Elements elements(each);
      if (!elements) return false;
      shapes.push_back(places_of(each).shape());
      lines = lines && shapes.back().size() == 1;
      items.insert(items.end(), elements.items.begin(), elements.items.end());
    }
    return !dtype.is_empty();
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

// concatenate(arrays), stack and their kin: the function joins places.
Value join_boxed(const Value& function, const Arguments& arguments) {
  Joined joined;
  for (const KeywordArgument& keyword : arguments.named())
    if (keyword.name != boxed().axis) return {};
  if (!rests_with_numpy(arguments) || !joined.read(items_of(arguments.values[0]))) return {};
  bool plainly = arguments.count == 1 && arguments.keyword_count == 0 &&
                 function.has_layout(Layout::kNativeFunction) &&
                 function.as<NativeFunction>()->name() == "concatenate";
  if (plainly && joined.lines) {
    nd::Dims shape{static_cast<std::int64_t>(joined.items.size())};
    return make_boxed(std::move(joined.items), shape, joined.dtype);
  }
  ArgumentList list;
  list.append_all(arguments);
  list.values[0] = Value(make_list(joined.places()));
  Value made = call(function, list);
  if (!is_array(made)) return {};
  nd::Array order = array_of(made).contiguous(DType::kInt64);
  Values items;
  items.reserve(static_cast<std::size_t>(order.size()));
  for (std::int64_t i = 0; i < order.size(); ++i)
    items.push_back(joined.items[static_cast<std::size_t>(order.as<std::int64_t>()[i])]);
  return make_boxed(std::move(items), order.shape(), joined.dtype);
}

// The order of the only argument, a line of texts; none where it is anything else.
std::optional<std::vector<std::uint32_t>> order_of_only(const Arguments& arguments) {
  const Value& self = arguments.values[0];
  bool usual = arguments.count == 1 && arguments.keyword_count == 0 && is_plain(self) &&
               holds_texts(self) && places_of(self).rank() == 1;
  if (!usual) return std::nullopt;
  Elements elements(self);
  return elements ? order_items(elements.items) : std::nullopt;
}

// sort(a)
Value sort_boxed_anew(const Value&, const Arguments& arguments) {
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
  auto order = order_of_only(arguments);
  if (!order) return {};
  nd::Array made = nd::Array::empty(places_of(arguments.values[0]).shape(), DType::kInt64);
  std::copy(order->begin(), order->end(), made.mutable_as<std::int64_t>());
  return wrap(std::move(made));
}

Value zeros_like_boxed(const Value&, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  bool usual = arguments.count == 1 && arguments.keyword_count == 0 && is_plain(self) &&
               holds_texts(self) && item_size(dtype_of(self));
  if (!usual) return {};
  bool texts = dtype_class(self) == boxed().text_dtype;
  Value item = texts ? Value(make_str("")) : Value(make<Bytes>(std::string()));
  return make_boxed(Values(static_cast<std::size_t>(places_of(self).size()), item),
                    places_of(self).shape(), dtype_of(self));
}

std::int64_t boxed_length(const Value& self) {
  const Value* places = boxed_attribute(self, boxed().places);
  if (!places || !is_array(*places) || array_of(*places).rank() == 0)
    return kUserSlots.length(self);
  return array_of(*places).shape()[0];
}

}  // namespace

Value copy_of_boxed(const Value& self) {
  if (!is_plain(self) || !places_of(self).is_c_contiguous()) return {};
  return copied(self);
}

Value pick_boxed(const Value& self, const Value& places) {
  return is_plain(self) ? gathered(self, places) : Value();
}

void give_boxed_array_slots(Type& type) {
  for (const NativeRow& row : kMethods) add_native_method(type, row);
  type.slots.length = boxed_length;
  give_boxed_operators(type);
}

const ElementAnswers kBoxedAnswers = {rearrange_boxed, join_boxed,  choose_texts,
                                      sort_boxed_anew, order_boxed, zeros_like_boxed};

}  // namespace strider::lang
