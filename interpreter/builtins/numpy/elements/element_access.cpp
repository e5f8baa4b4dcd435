// Single elements of boxed arrays, read and stored without a call in the language: what loops over
// tables of texts, objects and times do most. All other subscripts are the methods' of the class.
#include "interpreter/builtins/numpy/array/array_items.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/dates/time_operators.h"
#include "interpreter/builtins/numpy/elements/boxed_classes.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"
#include "interpreter/builtins/numpy/texts/text_operands.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

bool is_whole_number(const Value& value) {
  return value.is_int() ||
         (is_numpy_scalar(value) && nd::is_integer(value.as<NumpyScalar>()->value().dtype()));
}

// Whether a subscript is one number for each axis.
bool tells_one_element(const Value& key, int rank) {
  if (is_whole_number(key)) return rank == 1;
  if (!is_tuple(key) || key.as<Tuple>()->size() != static_cast<std::size_t>(rank)) return false;
  for (const Value& part : key.as<Tuple>()->items())
    if (!is_whole_number(part)) return false;
  return rank > 0;
}

// An element of an array.
struct Element {
  Value pool;
  std::size_t index = 0;
  const Value* dtype = nullptr;

  explicit operator bool() const { return dtype != nullptr; }
  bool is_text() const { return is_text_pool(pool); }
  Value item() const {
    return is_text() ? text_pool_of(pool).item(index) : pool.as<List>()->items[index];
  }
  void store(const Value& value) const {
    if (is_text()) return text_pool_of(pool).set_item(index, value);
    // What is replaced dies when the list is whole.
    Value replaced = std::exchange(pool.as<List>()->items[index], value);
  }
};

std::size_t size_of_pool(const Value& pool) {
  return is_text_pool(pool) ? text_pool_of(pool).size() : pool.as<List>()->size();
}

// The element that a subscript tells; none where the methods of the class have to see to it.
Element find_element(const Value& self, const Value& key) {
  const BoxedClasses& classes = boxed();
  if (type_of(self) != classes.array) return {};
  const Value *places = boxed_part(self, BoxedPart::kPlaces),
              *pool = boxed_part(self, BoxedPart::kPool);
  if (!places || !pool || !is_array(*places) || !(is_text_pool(*pool) || is_list(*pool))) return {};
  const nd::Array& all = array_of(*places);
  if (key.is_int() && all.rank() == 1 && boxed_parts::is_whole(self)) {
    std::int64_t index = key.as_int() + (key.as_int() < 0 ? all.size() : 0);
    if (index >= 0 && static_cast<std::size_t>(index) < size_of_pool(*pool))
      return {*pool, static_cast<std::size_t>(index), boxed_part(self, BoxedPart::kDType)};
  }
  if (!tells_one_element(key, all.rank())) return {};
  Value place = get_array_item(*places, key);
  auto index = static_cast<std::size_t>(place.as<NumpyScalar>()->value().get<std::int64_t>());
  if (index >= size_of_pool(*pool)) return {};
  return {*pool, index, boxed_part(self, BoxedPart::kDType)};
}

// An element of an array of texts or bytes as a scalar; Empty of what is neither.
Value shown_element(const Value& item) {
  if (is_exact_text(item)) return make_instance<LongStr>(boxed().text, std::string(text_of(item)));
  if (is_exactly(item, Bytes::type_object()))
    return make_instance<Bytes>(boxed().bytes, std::string(item.as<Bytes>()->bytes()));
  return {};
}

// Whether a subscript, or part of one, keeps axes or makes new ones.
bool keeps_axes(const Value& key) {
  return key.has_layout(Layout::kSlice) || key.is_none() || identical(key, ellipsis());
}

// Whether a subscript tells a view: slices, new axes, and numbers beside them.
bool tells_view(const Value& key) {
  if (!is_tuple(key)) return keeps_axes(key);
  bool keeps = false;
  for (const Value& part : key.as<Tuple>()->items()) {
    if (!keeps_axes(part) && !is_whole_number(part)) return false;
    keeps |= keeps_axes(part);
  }
  return keeps;
}

// A view of an array, or elements picked from it; Empty where the methods have to see to it.
Value picked(const Value& self, const Value& key) {
  bool views = tells_view(key);
  if (!views && (!is_array(key) || is_subclass_array(key))) return {};
  const Value* places = boxed_attribute(self, boxed().places);
  if (!places || !is_array(*places)) return {};
  if (!views)
    if (Value taken = take_packed(self, array_of(key)); !taken.is_empty()) return taken;
  Value found = get_array_item(*places, key);
  if (views) return is_array(found) ? view_boxed(self, found) : Value();
  if (!is_time_array(self)) return pick_boxed(self, found);
  return is_array(found) ? make_time_array(array_of(found), *boxed_attribute(self, boxed().dtype))
                         : Value();
}

Value boxed_item(const Value& self, const Value& key) {
  Element element = find_element(self, key);
  if (!element) {
    Value found = is_boxed(self) ? picked(self, key) : Value();
    return found.is_empty() ? kUserSlots.get_item(self, key) : found;
  }
  Value shown = shown_item(element.item(), *element.dtype);
  return shown.is_empty() ? kUserSlots.get_item(self, key) : shown;
}

// Whether an array of texts of this dtype keeps a value as it is.
bool fits_as_text(const Value& dtype, const Value& value) {
  if (!is_exact_text(value) || text_of(value).ends_with('\0')) return false;
  const Value* bytes = dtype.object()->attributes()->find(boxed().itemsize);
  return bytes && bytes->is_int() && value.as<Str>()->size() * 4 <= bytes->as_int();
}

bool is_writeable(const Value& self) {
  return array_of(*self.object()->attributes()->find(boxed().places)).writeable();
}

bool is_full_slice(const Value& key) {
  if (!key.has_layout(Layout::kSlice)) return identical(key, ellipsis());
  const Slice& slice = *key.as<Slice>();
  return slice.start.is_none() && slice.stop.is_none() && slice.step.is_none();
}

// Whether a value is an array of texts, of the pool's kind, without elements.
bool is_empty_of(const TextPool& pool, const Value& value) {
  return boxed_parts::is_plain(value) && boxed_parts::places_of(value).size() == 0 &&
         boxed_parts::dtype_class(value) ==
             (pool.is_wide() ? boxed().text_dtype : boxed().bytes_dtype);
}

// Stores texts that are objects at places; false where they are not of the kind.
bool store_objects(TextPool& pool, const nd::Array& targets, const Value& value) {
  Texts given;
  if (targets.size() == 0 && is_empty_of(pool, value))
    return boxed_parts::places_of(value).shape() == targets.shape();
  if (is_list(value) || !read_texts(value, given) || given.are_texts() != pool.is_wide())
    return false;
  if (given.size() != 1 && given.shape != targets.shape()) return false;
  auto room = static_cast<std::int64_t>(pool.rows_letters());
  if (room == 0) return false;
  given.unpack();
  Values fresh;
  for (const Value& item : given.items) fresh.push_back(cut_text(item, room));
  nd::Array order = targets.contiguous(nd::DType::kInt64);
  const auto* places = order.as<std::int64_t>();
  if (fresh.empty()) return order.size() == 0;
  for (std::int64_t i = 0; i < order.size(); ++i)
    pool.set_item(static_cast<std::size_t>(places[i]),
                  fresh[fresh.size() == 1 ? 0 : static_cast<std::size_t>(i)]);
  return true;
}

// Stores texts at what a subscript tells; false where the methods have to see to it.
bool store_texts(const Value& self, const Value& key, const Value& value) {
  if (value.is_empty() || !is_boxed(self)) return false;
  if (!tells_view(key) && (!is_array(key) || is_subclass_array(key))) return false;
  const Value *pool = boxed_part(self, BoxedPart::kPool),
              *places = boxed_part(self, BoxedPart::kPlaces);
  if (!pool || !is_text_pool(*pool) || !places || !is_array(*places) || !is_writeable(self))
    return false;
  bool packed = text_pool_of(*pool).is_packed();
  if (packed && is_full_slice(key) && fill_packed(self, value)) return true;
  Value targets = identical(key, ellipsis()) ? *places : get_array_item(*places, key);
  if (!is_array(targets)) return false;
  return packed ? store_packed(self, array_of(targets), value)
                : store_objects(text_pool_of(*pool), array_of(targets), value);
}

void set_boxed_item(const Value& self, const Value& key, const Value& value) {
  if (store_texts(self, key, value)) return;
  Element element = value.is_empty() ? Element{} : find_element(self, key);
  if (!element || !is_writeable(self)) return kUserSlots.set_item(self, key, value);
  Type* kind = type_of(*element.dtype);
  bool fits = kind == boxed().object_dtype ||
              (kind == boxed().text_dtype && fits_as_text(*element.dtype, value)) ||
              (is_strings_dtype(*element.dtype) && fits_strings(value));
  if (!fits) return kUserSlots.set_item(self, key, value);
  element.store(value);
}

Value time_item(const Value& self, const Value& key) {
  const BoxedClasses& classes = boxed();
  if (type_of(self) != classes.time_array) return kUserSlots.get_item(self, key);
  Attributes& attributes = *self.object()->attributes();
  const Value *counts = attributes.find(classes.places), *dtype = attributes.find(classes.dtype);
  if (!counts || !dtype || !is_array(*counts)) return kUserSlots.get_item(self, key);
  if (!tells_one_element(key, array_of(*counts).rank())) {
    Value found = picked(self, key);
    return found.is_empty() ? kUserSlots.get_item(self, key) : found;
  }
  const Value* unit = dtype->object()->attributes()->find(classes.unit);
  if (!unit) return kUserSlots.get_item(self, key);
  Value found = get_array_item(*counts, key);
  return make_time(type_of(*dtype) == classes.moment_dtype ? classes.moment : classes.span,
                   found.as<NumpyScalar>()->value().get<Count>(), *unit);
}

}  // namespace

Value shown_item(const Value& item, const Value& dtype) {
  const Type* kind = type_of(dtype);
  if (kind == boxed().object_dtype || is_strings_dtype(dtype)) return item;
  bool texts = kind == boxed().text_dtype || kind == boxed().bytes_dtype;
  return texts ? shown_element(item) : Value();
}

namespace {

// What the places tell of themselves, a scalar where a subscript has made one of them.
Value told_by_places(const Value& array, const char* name) {
  const Value* places = boxed_attribute(array, boxed().places);
  return get_attribute(places ? *places : get_attribute(array, boxed().places), intern(name));
}

const nd::Array* places_in(const Value& array) {
  const Value* places = boxed_attribute(array, boxed().places);
  return places && is_array(*places) ? &array_of(*places) : nullptr;
}

}  // namespace

Value shape_of_boxed(const Parameters& p) {
  const nd::Array* places = places_in(p[0]);
  return places ? shape_tuple(places->shape()) : told_by_places(p[0], "shape");
}
Value rank_of_boxed(const Parameters& p) {
  const nd::Array* places = places_in(p[0]);
  return places ? Value::integer(places->rank()) : told_by_places(p[0], "ndim");
}
Value size_of_boxed(const Parameters& p) {
  const nd::Array* places = places_in(p[0]);
  return places ? Value::integer(places->size()) : told_by_places(p[0], "size");
}

Value address_of(const Parameters& p) {
  if (!is_array(p[0])) return Value::none();
  return Value::integer(
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(array_of(p[0]).data())));
}

namespace {

// Packed elements as scalars.
Value show_rows(const text_rows::Rows& rows) {
  text_rows::Views views(rows);
  if (!views.complete()) return {};
  Values shown;
  shown.reserve(rows.count);
  for (std::string_view text : views.all())
    shown.push_back(rows.wide ? Value(make_instance<LongStr>(boxed().text, std::string(text)))
                              : Value(make_instance<Bytes>(boxed().bytes, std::string(text))));
  return Value(make_list(std::move(shown)));
}

}  // namespace

Value show_items(const Parameters& p) {
  if (PackedTexts packed; packed_pool_of(p[0]) && packed.read_packed(p[0]))
    if (Value shown = show_rows(packed.rows); !shown.is_empty()) return shown;
  Values kept, shown;
  std::span<const Value> items = boxed_items(p[0], kept);
  shown.reserve(items.size());
  for (const Value& item : items) {
    Value scalar = shown_element(item);
    shown.push_back(scalar.is_empty() ? item : scalar);
  }
  return Value(make_list(std::move(shown)));
}

Value show_times(const Parameters& p) {
  nd::Array counts = to_array(p[0]).contiguous(nd::DType::kInt64);
  Type* cls = p[1].as<Type>();
  Values shown;
  shown.reserve(static_cast<std::size_t>(counts.size()));
  for (std::int64_t i = 0; i < counts.size(); ++i)
    shown.push_back(make_time(cls, counts.as<Count>()[i], p[2]));
  return Value(make_list(std::move(shown)));
}

Value quicken_time_arrays(const Parameters& p) {
  BoxedClasses& classes = boxed();
  classes.time_array = p[0].as<Type>();
  classes.moment_dtype = p[1].as<Type>();
  classes.span_dtype = p[2].as<Type>();
  classes.time_dtypes = p[3].as<Dict>();
  give_time_array_slots(*classes.time_array);
  classes.time_array->slots.get_item = time_item;
  give_time_operators(*classes.time_array);
  return Value::none();
}

Value quicken(const Parameters& p) {
  BoxedClasses& classes = boxed();
  classes.modules = Interpreter::current().modules;
  classes.array = p[0].as<Type>();
  classes.text_dtype = p[1].as<Type>();
  classes.bytes_dtype = p[2].as<Type>();
  classes.object_dtype = p[3].as<Type>();
  classes.text = p[4].as<Type>();
  classes.bytes = p[5].as<Type>();
  classes.known_dtypes = p[6].as<Dict>();
  classes.text_dtype_of = p[7].object();
  classes.objects = p[8].object();
  classes.short_dtypes = {};
  give_boxed_array_slots(*classes.array);
  classes.array->slots.get_item = boxed_item;
  classes.array->slots.set_item = set_boxed_item;
  return Value::none();
}

}  // namespace strider::lang
