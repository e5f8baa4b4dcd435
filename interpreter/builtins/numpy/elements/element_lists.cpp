// _element_lists: elements of boxed arrays, which lie in lists, picked, stored, compared and
// ordered. Knows nothing of dtypes.
#include "interpreter/builtins/numpy/elements/element_lists.h"

#include <strider/nd/generate.h>
#include <strider/nd/memory.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/texts/packed_elements.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/objects/singletons.h"
#include "interpreter/types/support.h"

namespace strider::lang {

std::span<const Value> items_of(const Value& list) {
  if (is_tuple(list)) return list.as<Tuple>()->items();
  if (!is_list(list)) raise(errors::TypeError, "elements are no list");
  return {list.as<List>()->items.data(), list.as<List>()->size()};
}

std::size_t common_size(std::size_t first, std::size_t second) {
  if (first != second && first != 1 && second != 1)
    raise(errors::ValueError, "lists of {} and {} items do not go together", first, second);
  return first == 1 ? second : first;
}

bool view_texts(std::span<const Value> items, std::vector<std::string_view>& views) {
  if (items.empty()) return false;
  views.reserve(items.size());
  bool texts = is_str(items[0]);
  for (const Value& item : items) {
    if (texts ? !is_exact_text(item) : !is_bytes(item)) return false;
    views.push_back(texts ? text_of(item) : item.as<Bytes>()->bytes());
  }
  return true;
}

int order_of(std::string_view a, std::string_view b) {
  int order = std::memcmp(a.data(), b.data(), std::min(a.size(), b.size()));
  return order ? order : a.size() < b.size() ? -1 : a.size() > b.size();
}

namespace {

using nd::DType;

// Places in a list, checked, in C order.
std::span<const std::int64_t> places_of(const nd::Array& places, std::size_t size) {
  std::span<const std::int64_t> all(places.as<std::int64_t>(),
                                    static_cast<std::size_t>(places.size()));
  for (std::int64_t place : all)
    if (static_cast<std::uint64_t>(place) >= size) raise(errors::IndexError, "no such place");
  return all;
}

// places(shape): those of a new array in a list of its own.
Value new_places(const Parameters& p) {
  nd::Dims shape = to_shape(p[0]);
  std::int64_t count = 1;
  for (std::int64_t extent : shape) count *= extent;
  nd::Array row = nd::generate_range(nd::Scalar(std::int64_t{0}), nd::Scalar(std::int64_t{1}),
                                     count, DType::kInt64);
  return shape.size() == 1 ? wrap(std::move(row)) : wrap_owner(row.reshape(shape));
}

Value as_shape(const Parameters& p) { return shape_tuple(to_shape(p[0])); }

// Those of a pool: a pool again, or, `as_list`, a list.
Value pick_texts(const Value& pool, const nd::Array& places, bool as_list) {
  const TextPool& texts = text_pool_of(pool);
  std::span<const std::int64_t> all = places_of(places, texts.size());
  if (as_list) return Value(make_list(texts.at(all)));
  if (!texts.is_packed() || all.size() <= TextPool::kFew)
    return make<TextPool>(texts.at(all), texts.width(), texts.is_wide());
  nd::Array memory = text_memory(all.size(), texts.width());
  text_rows::gather(texts.rows(), all.data(), all.size(), memory.mutable_data());
  return make<TextPool>(std::move(memory), texts.width(), texts.is_wide());
}

Value pick(const Parameters& p);

Value items_at(const Parameters& p) {
  if (is_list(p[0])) return pick(p);
  if (p[1].is_none()) return Value(make_list(text_pool_of(p[0]).all()));
  return pick_texts(p[0], to_array(p[1]).contiguous(DType::kInt64), true);
}

Value pick(const Parameters& p) {
  nd::Array places = to_array(p[1]).contiguous(DType::kInt64);
  if (is_text_pool(p[0])) return pick_texts(p[0], places, false);
  std::span<const Value> items = items_of(p[0]);
  Values picked;
  picked.reserve(static_cast<std::size_t>(places.size()));
  for (std::int64_t place : places_of(places, items.size()))
    picked.push_back(items[static_cast<std::size_t>(place)]);
  return Value(make_list(std::move(picked)));
}

// store(pool, places, values) of texts: of another pool, which is a copy, or a list.
Value store_in_pool(TextPool& pool, std::span<const std::int64_t> targets, const Value& values) {
  const TextPool* given = is_text_pool(values) ? &text_pool_of(values) : nullptr;
  std::size_t count = given ? given->size() : items_of(values).size();
  if (count != 1 && count != targets.size())
    raise(errors::ValueError, "{} values for {} places", count, targets.size());
  if (given && given->is_packed() && pool.is_packed() && given->is_wide() == pool.is_wide()) {
    text_rows::scatter(given->rows(), targets.data(), targets.size(), pool.mutable_rows(),
                       pool.width(), pool.size());
    return Value::none();
  }
  Values items = given ? given->all() : Values();
  std::span<const Value> all =
      given ? std::span<const Value>(items.data(), items.size()) : items_of(values);
  for (std::size_t i = 0; i < targets.size(); ++i)
    pool.set_item(static_cast<std::size_t>(targets[i]), all[count == 1 ? 0 : i]);
  return Value::none();
}

Value store(const Parameters& p) {
  nd::Array places = to_array(p[1]).contiguous(DType::kInt64);
  if (is_text_pool(p[0]))
    return store_in_pool(text_pool_of(p[0]), places_of(places, text_pool_of(p[0]).size()), p[2]);
  RepeatedItems values(p[2]);
  if (!is_list(p[0])) raise(errors::TypeError, "elements are no list");
  std::span<const std::int64_t> targets = places_of(places, p[0].as<List>()->size());
  if (values.size() != 1 && values.size() != targets.size())
    raise(errors::ValueError, "{} values for {} places", values.size(), targets.size());
  Values kept;  // what is replaced dies when the list is whole
  kept.reserve(targets.size());
  Values& items = p[0].as<List>()->items;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Value fresh = values[i];  // which may be an item that is replaced
    kept.push_back(std::exchange(items[static_cast<std::size_t>(targets[i])], std::move(fresh)));
  }
  return Value::none();
}

constexpr std::pair<std::string_view, CompareOperator> kComparisons[] = {
    {"equal", CompareOperator::kEq},   {"not_equal", CompareOperator::kNotEq},
    {"less", CompareOperator::kLt},    {"less_equal", CompareOperator::kLtE},
    {"greater", CompareOperator::kGt}, {"greater_equal", CompareOperator::kGtE}};

CompareOperator comparison(std::string_view name) {
  for (const auto& [text, op] : kComparisons)
    if (text == name) return op;
  raise(errors::ValueError, "no comparison is named {}", name);
}

bool says(CompareOperator op, int order) {
  switch (op) {
    case CompareOperator::kEq:
      return order == 0;
    case CompareOperator::kNotEq:
      return order != 0;
    case CompareOperator::kLt:
      return order < 0;
    case CompareOperator::kLtE:
      return order <= 0;
    case CompareOperator::kGt:
      return order > 0;
    default:
      return order >= 0;
  }
}

Value compare_lists(const Parameters& p) {
  CompareOperator op = comparison(text_of(p[0]));
  bool only_equality = op == CompareOperator::kEq || op == CompareOperator::kNotEq;
  Value first_list = p[1], second_list = p[2];  // classes of elements may do anything
  RepeatedItems first(first_list), second(second_list);
  std::size_t count = common_size(first.size(), second.size());
  nd::Array made = nd::Array::empty(nd::Dims{static_cast<std::int64_t>(count)}, DType::kBool);
  bool* results = made.mutable_as<bool>();
  for (std::size_t i = 0; i < count; ++i) {
    const Value &a = first[i], &b = second[i];
    if (!is_exact_text(a) || !is_exact_text(b))
      results[i] = truth(compare(op, Value(a), Value(b)));
    else if (only_equality)
      results[i] = (text_of(a) == text_of(b)) == (op == CompareOperator::kEq);
    else
      results[i] = says(op, order_of(text_of(a), text_of(b)));
  }
  return wrap(std::move(made));
}

constexpr std::pair<std::string_view, BinaryOperator> kOperators[] = {
    {"add", BinaryOperator::kAdd},           {"subtract", BinaryOperator::kSub},
    {"multiply", BinaryOperator::kMult},     {"divide", BinaryOperator::kDiv},
    {"true_divide", BinaryOperator::kDiv},   {"floor_divide", BinaryOperator::kFloorDiv},
    {"remainder", BinaryOperator::kMod},     {"mod", BinaryOperator::kMod},
    {"power", BinaryOperator::kPow},         {"float_power", BinaryOperator::kPow},
    {"left_shift", BinaryOperator::kLShift}, {"right_shift", BinaryOperator::kRShift},
    {"bitwise_or", BinaryOperator::kBitOr},  {"bitwise_xor", BinaryOperator::kBitXor},
    {"bitwise_and", BinaryOperator::kBitAnd}};

Value calculate(const Parameters& p) {
  const auto* row =
      std::ranges::find(kOperators, text_of(p[0]), [](auto& each) { return each.first; });
  if (row == std::end(kOperators)) return Value::none();
  Value first_list = p[1], second_list = p[2];
  RepeatedItems first(first_list), second(second_list);
  std::size_t count = common_size(first.size(), second.size());
  Values made;
  made.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(binary(row->second, Value(first[i]), Value(second[i])));
  return Value(make_list(std::move(made)));
}

bool is_plain_number(const Value& item) {
  return item.is_bool() || item.is_int() || item.is_float();
}

Value are_numbers(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  return Value::boolean(std::all_of(items.begin(), items.end(), is_plain_number));
}

Value are_plain(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  return Value::boolean(std::all_of(items.begin(), items.end(), [](const Value& item) {
    return is_plain_number(item) || is_exact_text(item) || is_bytes(item) || item.is_none();
  }));
}

// Whether the arrays of a list are known to nobody else, nor their elements.
Value are_held_once(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  return Value::boolean(std::all_of(items.begin(), items.end(), [](const Value& item) {
    return is_array(item) && item.object()->references() == 1 && nd::is_held_once(array_of(item));
  }));
}

// An array of float64 of such numbers; None where others are among them.
Value floats(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  nd::Array made =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(items.size())}, DType::kFloat64);
  double* results = made.mutable_as<double>();
  for (const Value& item : items) {
    if (!is_plain_number(item)) return Value::none();
    *results++ = to_double(item);
  }
  return wrap(std::move(made));
}

Value are_tuples(const Parameters& p) {
  std::span<const Value> items = items_of(p[0]);
  auto size = static_cast<std::size_t>(to_int64(p[1]));
  return Value::boolean(std::all_of(items.begin(), items.end(), [=](const Value& item) {
    return is_tuple(item) && item.as<Tuple>()->is_exact() && item.as<Tuple>()->size() == size;
  }));
}

// choose(condition, first, second): an item of the first list where the condition holds.
Value choose(const Parameters& p) {
  nd::Array condition = to_array(p[0]).contiguous(DType::kBool);
  RepeatedItems first(p[1]), second(p[2]);
  auto count = static_cast<std::size_t>(condition.size());
  for (const RepeatedItems* list : {&first, &second})
    if (list->size() != 1 && list->size() != count)
      raise(errors::ValueError, "{} items for {} conditions", list->size(), count);
  Values made;
  made.reserve(count);
  const bool* holds = condition.as<bool>();
  for (std::size_t i = 0; i < count; ++i) made.push_back(holds[i] ? first[i] : second[i]);
  return Value(make_list(std::move(made)));
}

// interleave(contents, places, sizes, itemsize, count)
Value interleave(const Parameters& p) {
  std::span<const Value> contents = items_of(p[0]), places = items_of(p[1]), sizes = items_of(p[2]);
  auto width = static_cast<std::size_t>(to_int64(p[3]));
  auto count = static_cast<std::size_t>(to_int64(p[4]));
  for (std::size_t k = 0; k < contents.size(); ++k) {
    auto size = static_cast<std::size_t>(to_int64(sizes[k]));
    auto place = static_cast<std::size_t>(to_int64(places[k]));
    if (!is_bytes(contents[k]) || place > width || size > width - place)
      raise(errors::ValueError, "a field lies outside of its record");
  }
  std::string made(count * width, '\0');
  for (std::size_t k = 0; k < contents.size(); ++k) {
    std::string_view bytes = contents[k].as<Bytes>()->bytes();
    auto size = static_cast<std::size_t>(to_int64(sizes[k]));
    char* target = made.data() + to_int64(places[k]);
    for (std::size_t i = 0; i < count && (i + 1) * size <= bytes.size(); ++i)
      std::memcpy(target + i * width, bytes.data() + i * size, size);
  }
  return make<Bytes>(std::move(made));
}

const NativeRow kFunctions[] = {
    {"new_places(shape, /)", new_places, "The places of the elements of a new array of a shape."},
    {"as_shape(shape, /)", as_shape, "The shape that a number or several tell, as a tuple."},
    {"pick(items, places, /)", pick, "The items at the places that an array tells."},
    {"items_at(items, places, /)", items_at,
     "The same as a list, where the items are those of a pool of texts, too; all where no places "
     "are told."},
    {"text_pool(items, itemsize, wide, /)", make_text_pool,
     "A pool of texts, or of bytes, of a list or of another pool, for an array of that itemsize."},
    {"text_pool_over(memory, itemsize, wide, /)", make_text_pool_over,
     "A pool whose elements lie in memory, a native array of bytes."},
    {"repeated_texts(item, count, itemsize, wide, /)", repeated_texts,
     "A pool of so many texts that are all the same."},
    {"packed_memory(pool, packs=True, /)", packed_memory,
     "The native array of bytes in which the elements of a pool of texts lie from now on; None of "
     "lists, and of elements without bytes."},
    {"store(items, places, values, /)", store,
     "Stores values, or one value, at the places that an array tells."},
    {"compare(name, first, second, /)", compare_lists,
     "An array of what a comparison says of the items of two lists; one item repeats."},
    {"calculate(name, first, second, /)", calculate,
     "What the operator of a ufunc gives for the items of two lists; one item repeats. None where "
     "it has no operator."},
    {"are_numbers(items, /)", are_numbers, "Whether all items are bool, float or 64-bit int."},
    {"are_held_once(arrays, /)", are_held_once,
     "Whether the arrays of a list are known to nobody else, nor views of them."},
    {"floats(items, /)", floats, "An array of float64 of such numbers; None for others."},
    {"are_tuples(items, size, /)", are_tuples, "Whether all items are tuples of that size."},
    {"choose(condition, first, second, /)", choose,
     "Items of the first list where the condition holds, else of the second; one item repeats."},
    {"quicken(array, text_dtype, bytes_dtype, object_dtype, text, bytes, known, make_dtype, "
     "objects, /)",
     quicken, "Has arrays of texts and of objects subscripted, compared and copied natively."},
    {"quicken_time_arrays(array, moment_dtype, span_dtype, dtypes, /)", quicken_time_arrays,
     "Has single elements of arrays of times read natively, and operators."},
    {"quicken_records(array, record, dtype, attribute_array, attribute_record, /)", quicken_records,
     "Has single records of arrays, and fields of records, read and stored natively."},
    {"interleave(contents, places, sizes, itemsize, count, /)", interleave,
     "Bytes of records of bytes of their fields, each of a size and at a place of a record."},
    {"shape_of(array, /)", shape_of_boxed, "The shape of an array that has places."},
    {"rank_of(array, /)", rank_of_boxed, "How many axes an array has that has places."},
    {"size_of(array, /)", size_of_boxed, "How many elements an array has that has places."},
    {"address(array, /)", address_of, "Where the memory of a native array begins; None of others."},
    {"show_records(array, /)", show_records, "The records of an array, in C order."},
    {"show_items(array, /)", show_items, "The scalars of an array of texts or bytes, as a list."},
    {"show_times(counts, cls, unit, /)", show_times,
     "The scalars of an array of counts of a unit."},
    {"are_plain(items, /)", are_plain,
     "Whether all items are such numbers, texts, bytes or None: nothing that nests."},
};

}  // namespace

const NativeModule kElementListsModule = {
    "_element_lists", "Elements of boxed arrays in lists.", kFunctions, {}};

}  // namespace strider::lang
