// Subscripts and methods of arrays of times that are done without a call in the language, and what
// numpy's functions give for such arrays.
#include <strider/nd/sort.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "interpreter/builtins/numpy/array/array_items.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/dates/time_operators.h"
#include "interpreter/builtins/numpy/dates/unit_change.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/type/dunder.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/support.h"

namespace strider::lang {
namespace {

using nd::DType;

const Value& counts_of(const Value& self) { return *boxed_attribute(self, boxed().places); }
const Value& dtype_of(const Value& self) { return *boxed_attribute(self, boxed().dtype); }

// An array of times of numpy's own class, whose dtype is one of these here.
bool is_plain(const Value& self) {
  if (!is_time_array(self)) return false;
  const Value* counts = boxed_attribute(self, boxed().places);
  const Value* dtype = boxed_attribute(self, boxed().dtype);
  return counts && is_array(*counts) && dtype &&
         (type_of(*dtype) == boxed().moment_dtype || type_of(*dtype) == boxed().span_dtype);
}

bool holds_moments(const Value& self) { return type_of(dtype_of(self)) == boxed().moment_dtype; }
const Value& unit_of(const Value& dtype) { return *boxed_attribute(dtype, boxed().unit); }

// --- Subscripts ---

bool is_plain_key(const Value& key) {
  return key.is_int() || key.has_layout(Layout::kSlice) ||
         (is_array(key) && !is_subclass_array(key));
}

bool identical_unit(const Value& time, const Value& dtype) {
  const Value* unit = boxed_attribute(time, boxed().scalar_unit);
  return unit && is_str(*unit) && text_of(*unit) == text_of(unit_of(dtype));
}

// The count of a time as an array of a dtype keeps it; false where npx has to see to it.
bool read_count(const Value& dtype, const Value& time, Count& count) {
  const Value *given = boxed_attribute(time, boxed().scalar_count),
              *unit = boxed_attribute(time, boxed().scalar_unit);
  bool moments = type_of(dtype) == boxed().moment_dtype;
  if (type_of(time) != (moments ? boxed().moment : boxed().span) || !given || !given->is_int() ||
      !unit || !is_str(*unit))
    return false;
  count = given->as_int();
  if (identical_unit(time, dtype)) return true;
  auto change = moments ? convert_moment : convert_span;
  TimeUnit wanted = read_time_unit(text_of(unit_of(dtype)));
  if (wanted == TimeUnit::kOther && count != kNoTime) return false;
  return change(count, read_time_unit(text_of(*unit)), wanted, count);
}

void set_time_item(const Value& self, const Value& key, const Value& value) {
  Count count = 0;
  bool plain = !value.is_empty() && is_plain(self) && is_plain_key(key) &&
               array_of(counts_of(self)).writeable();
  if (plain && is_time_scalar(value) && read_count(dtype_of(self), value, count))
    return set_array_item(counts_of(self), key, Value::integer(count));
  bool alike = plain && key.has_layout(Layout::kSlice) && is_plain(value) &&
               identical(dtype_of(self), dtype_of(value));
  if (alike) return set_array_item(counts_of(self), key, counts_of(value));
  return kUserSlots.set_item(self, key, value);
}

std::int64_t time_array_length(const Value& self) {
  const Value* counts = boxed_attribute(self, boxed().places);
  if (!counts || !is_array(*counts) || array_of(*counts).rank() == 0)
    return kUserSlots.length(self);
  return array_of(*counts).shape()[0];
}

// --- Other units and types ---

// Counts in the unit of another dtype; none where npx has to see to it.
std::optional<nd::Array> converted(const Value& self, const Value& dtype) {
  TimeUnit from = read_time_unit(text_of(unit_of(dtype_of(self))));
  TimeUnit to = read_time_unit(text_of(unit_of(dtype)));
  if (from == TimeUnit::kOther || to == TimeUnit::kOther) return {};
  nd::Array made = array_of(counts_of(self)).astype(DType::kInt64);
  std::span counts(made.mutable_as<Count>(), static_cast<std::size_t>(made.size()));
  if (!change_units(counts, holds_moments(self), from, to)) return {};
  return made;
}

// The elements as Python's own objects; Empty where npx has to see to it.
Value as_objects(const Value& self, const Value& dtype) {
  Value given[] = {counts_of(self), make_str(holds_moments(self) ? "M" : "m"),
                   unit_of(dtype_of(self))};
  Value made = time_objects(Parameters(given, 3));
  if (!is_list(made)) return {};
  return make_boxed(Values(made.as<List>()->items), array_of(counts_of(self)).shape(), dtype);
}

// --- Methods ---

// astype(dtype, order, casting, subok, copy) of a new array in any order.
Value convert_times(const Parameters& p) {
  const Value& self = p[0];
  bool usual = is_plain(self) && is_text(p[2], "K") && is_text(p[3], "unsafe") && p[5].is_bool() &&
               p[5].as_bool();
  if (usual) {
    if (std::optional<DType> dtype = read_native_dtype(p[1]))
      return wrap(array_of(counts_of(self)).astype(*dtype));
    Value dtype = read_boxed_dtype(p[1]);
    if (!dtype.is_empty() && type_of(dtype) == boxed().object_dtype)
      if (Value objects = as_objects(self, dtype); !objects.is_empty()) return objects;
    if (!dtype.is_empty() && type_of(dtype) == type_of(dtype_of(self))) {
      bool same = identical(dtype, dtype_of(self)) || is_text(unit_of(dtype), "generic");
      if (same)
        return make_time_array(array_of(counts_of(self)).copy(nd::Order::kKeep), dtype_of(self));
      if (auto made = converted(self, dtype)) return make_time_array(*made, dtype);
    }
  }
  return call_general(*boxed().time_array, "astype", p);
}

Value copy_times(const Parameters& p) {
  if (!is_plain(p[0]) || !is_text(p[1], "C")) return call_general(*boxed().time_array, "copy", p);
  return make_time_array(array_of(counts_of(p[0])).copy(nd::Order::kC), dtype_of(p[0]));
}

constexpr Count kSortedHere = 64;  // more are sorted faster by the library

// NaT comes last.
Count order_key(Count count) { return static_cast<Count>(static_cast<std::uint64_t>(count) - 1); }
Count count_of_key(Count key) { return static_cast<Count>(static_cast<std::uint64_t>(key) + 1); }
bool comes_before(Count a, Count b) { return order_key(a) < order_key(b); }

// One axis of elements that follow each other.
bool sorts_plainly(const Value& self) {
  if (!is_plain(self)) return false;
  const nd::Array& counts = array_of(counts_of(self));
  return counts.rank() == 1 && counts.is_c_contiguous();
}

// Sorts counts that follow each other, in place.
void sort_counts(nd::Array counts) {
  auto* first = counts.mutable_as<Count>();
  Count* end = first + counts.size();
  if (counts.size() <= kSortedHere) return std::sort(first, end, comes_before);
  std::transform(first, end, first, order_key);
  nd::sort_in_place(counts);
  first = counts.mutable_as<Count>();
  std::transform(first, first + counts.size(), first, count_of_key);
}

// sort(axis, kind, order, stable)
Value sort_times(const Parameters& p) {
  bool usual = sorts_plainly(p[0]) && sorts_usually(p) && array_of(counts_of(p[0])).writeable();
  if (!usual) return call_general(*boxed().time_array, "sort", p);
  sort_counts(array_of(counts_of(p[0])));
  return Value::none();
}

// argsort(axis, kind, order, stable)
Value order_times(const Parameters& p) {
  bool usual = sorts_plainly(p[0]) && sorts_usually(p);
  if (!usual) return call_general(*boxed().time_array, "argsort", p);
  const nd::Array& counts = array_of(counts_of(p[0]));
  nd::Array keys = nd::Array::empty(counts.shape(), DType::kInt64);
  const Count* first = counts.as<Count>();
  std::transform(first, first + counts.size(), keys.mutable_as<Count>(), order_key);
  return wrap(nd::argsort(keys, 0, nd::SortKind::kCompared));
}

// reshape(*extents, shape, order, copy): a view of the counts where they allow one.
Value reshape_times(const Parameters& p) {
  if (!is_plain(p[0])) {
    ArgumentList list = reshape_arguments(p);
    list.values.insert(list.values.begin(), p[0]);
    return call_general_with(*boxed().time_array, "reshape", list);
  }
  Value made = reshaped(counts_of(p[0]), p);
  if (array_of(made).same_storage(array_of(counts_of(p[0])))) return view_boxed(p[0], made);
  return make_time_array(array_of(made), dtype_of(p[0]));
}

// view(dtype, type): the counts as other numbers of eight bytes.
Value view_times(const Parameters& p) {
  static const Name view = intern("view");
  if (is_plain(p[0]) && p[2].is_none())
    if (std::optional<DType> dtype = read_native_dtype(p[1]); dtype && nd::item_size(*dtype) == 8)
      return call_method(counts_of(p[0]), view, p[1]);
  return call_general(*boxed().time_array, "view", p);
}

// item(*key): the element that one number counts in order, or the only one, as Python's own object.
Value item_of_times(const Parameters& p) {
  std::span<const Value> key = items_of(p[1]);
  if (is_plain(p[0]) && key.size() <= 1 && (key.empty() || key[0].is_int())) {
    const nd::Array& counts = array_of(counts_of(p[0]));
    std::int64_t place = key.empty() ? 0 : key[0].as_int();
    if (place < 0) place += counts.size();
    bool known = counts.is_c_contiguous() && place >= 0 && place < counts.size() &&
                 (!key.empty() || counts.size() == 1);
    if (known) {
      Value made = time_object(counts.as<Count>()[place], holds_moments(p[0]),
                               read_time_unit(text_of(unit_of(dtype_of(p[0])))));
      if (!made.is_empty()) return made;
    }
  }
  ArgumentList list;
  list.values.push_back(p[0]);
  for (const Value& each : key) list.values.push_back(each);
  return call_general_with(*boxed().time_array, "item", list);
}

const NativeRow kMethods[] = {
    {"item(self, *key)", item_of_times, "One element as Python's own object."},
    {"reshape(self, *extents, shape=<none>, order=<none>, copy=<none>)", reshape_times,
     "The elements in another shape."},
    {"astype(self, dtype, order='K', casting='unsafe', subok=True, copy=True)", convert_times,
     "A copy with elements of another dtype."},
    {"copy(self, order='C')", copy_times, "A copy."},
    {"view(self, dtype=None, type=None)", view_times, "The same elements, seen as others."},
    {"sort(self, axis=-1, kind=None, order=None, stable=None)", sort_times,
     "Sorts the array in place; NaT comes last."},
    {"argsort(self, axis=-1, kind=None, order=None, stable=None)", order_times,
     "The places of the elements in ascending order."},
};

// --- What functions give ---

// A native result of counts as times, and what a native result of several holds.
Value times_of(const Value& made, const Value& model) {
  if (is_numpy_scalar(made))
    return make_time(holds_moments(model) ? boxed().moment : boxed().span,
                     scalar_of(made).as(DType::kInt64).get<Count>(), unit_of(dtype_of(model)));
  if (!is_array(made)) return {};
  if (array_of(made).same_storage(array_of(counts_of(model)))) return view_boxed(model, made);
  return make_time_array(array_of(made), dtype_of(model));
}

// The function called with counts in place of the first argument.
Value rearrange_times(const Value& function, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  if (!is_plain(self) || array_of(counts_of(self)).rank() == 0 || !rests_with_numpy(arguments))
    return {};
  ArgumentList list;
  list.append_all(arguments);
  list.values[0] = counts_of(self);
  return times_of(call(function, list), self);
}

// The same where the first argument is a list of arrays of one dtype.
Value join_times(const Value& function, const Arguments& arguments) {
  for (const KeywordArgument& keyword : arguments.named())
    if (keyword.name != boxed().axis) return {};
  if (arguments.count > 2) return {};
  Values counts;
  std::span<const Value> given = items_of(arguments.values[0]);
  for (const Value& each : given) {
    if (!is_plain(each) || !identical(dtype_of(each), dtype_of(given[0]))) return {};
    counts.push_back(counts_of(each));
  }
  ArgumentList list;
  list.append_all(arguments);
  list.values[0] = Value(make_list(std::move(counts)));
  Value made = call(function, list);
  return is_array(made) ? make_time_array(array_of(made), dtype_of(given[0])) : Value();
}

// where(condition, x, y) of two arrays of one dtype, or of one and a time.
Value choose_times(const Value& function, const Arguments& arguments) {
  if (arguments.count != 3 || arguments.keyword_count > 0) return {};
  Value values[] = {arguments.values[0], arguments.values[1], arguments.values[2]};
  const Value& model = is_plain(values[1]) ? arguments.values[1] : arguments.values[2];
  if (!is_plain(model) || !is_array(values[0]) || is_subclass_array(values[0])) return {};
  for (Value& value : {std::ref(values[1]), std::ref(values[2])}) {
    Count count = 0;
    if (is_plain(value) && identical(dtype_of(value), dtype_of(model)))
      value = counts_of(value);
    else if (is_time_scalar(value) && identical_unit(value, dtype_of(model)) &&
             read_count(dtype_of(model), value, count))
      value = make_scalar(nd::Scalar(count));
    else
      return {};
  }
  Value made = call(function, Arguments(values, 3));
  return is_array(made) ? make_time_array(array_of(made), dtype_of(model)) : times_of(made, model);
}

Value sort_times_anew(const Value&, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  bool usual = arguments.count == 1 && arguments.keyword_count == 0 && is_plain(self);
  if (!usual || array_of(counts_of(self)).rank() != 1) return {};
  Value made = make_time_array(array_of(counts_of(self)).copy(nd::Order::kC), dtype_of(self));
  sort_counts(array_of(counts_of(made)));
  return made;
}

Value order_times_of(const Value&, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  if (arguments.count != 1 || arguments.keyword_count > 0 || !sorts_plainly(self)) return {};
  Value given[] = {self, Value::integer(-1), Value::none(), Value::none(), Value::none()};
  return order_times(Parameters(given, 5));
}

Value zeros_like_times(const Value&, const Arguments& arguments) {
  const Value& self = arguments.values[0];
  if (arguments.count != 1 || arguments.keyword_count > 0 || !is_plain(self)) return {};
  return make_time_array(nd::Array::zeros(array_of(counts_of(self)).shape(), DType::kInt64),
                         dtype_of(self));
}

}  // namespace

Value moments_from_texts(std::span<const Value> texts, const Value& dtype) {
  TimeUnit wanted = read_time_unit(text_of(unit_of(dtype)));
  if (wanted == TimeUnit::kOther || wanted == TimeUnit::kW) return {};
  nd::Array made =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(texts.size())}, DType::kInt64);
  auto* count = made.mutable_as<Count>();
  for (const Value& text : texts) {
    int parts = 0;
    if (!is_exact_text(text) || !read_moment(text_of(text), *count, parts)) return {};
    TimeUnit told = unit_of_parts(parts);
    if (told > wanted || !convert_moment(*count, told, wanted, *count)) return {};
    ++count;
  }
  return make_time_array(std::move(made), dtype);
}

Value times_in_array(const Value& array, const Value& wanted) {
  if (!is_array(array) || is_subclass_array(array)) return {};
  const nd::Array& numbers = array_of(array);
  Value dtype = read_boxed_dtype(wanted);
  bool times = !dtype.is_empty() && (type_of(dtype) == boxed().moment_dtype ||
                                     type_of(dtype) == boxed().span_dtype);
  if (!times || nd::item_size(numbers.dtype()) != sizeof(Count)) return {};
  return make_time_array(numbers.view(numbers.shape(), numbers.strides(), 0, DType::kInt64), dtype);
}

Value copy_of_times(const Value& self) {
  if (!is_plain(self)) return {};
  return make_time_array(array_of(counts_of(self)).copy(nd::Order::kKeep), dtype_of(self));
}

// isnat(x): NotImplemented of what is no time of numpy's own classes.
Value is_no_time(const Parameters& p) {
  Value made = counts_time(p[0]) ? change_times(nd::Op::kIsNan, p[0]) : Value();
  return made.is_empty() ? not_implemented() : made;
}

void give_time_array_slots(Type& type) {
  for (const NativeRow& row : kMethods) add_native_method(type, row);
  type.slots.set_item = set_time_item;
  type.slots.length = time_array_length;
}

const ElementAnswers kTimeAnswers = {rearrange_times, join_times,     choose_times,
                                     sort_times_anew, order_times_of, zeros_like_times};

}  // namespace strider::lang
