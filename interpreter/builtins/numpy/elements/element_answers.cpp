// Finds answers by names; what they do stands with the arrays (time_arrays, boxed_arrays).
#include "interpreter/builtins/numpy/elements/element_answers.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_lists.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/texts/text_operands.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

enum class Task { kKeep, kCopy, kRearrange, kJoin, kChoose, kSort, kOrder, kZerosLike };

const std::unordered_map<std::string_view, Task>& tasks() {
  static const auto& all = *new std::unordered_map<std::string_view, Task>{
      {"asarray", Task::kKeep},
      {"asanyarray", Task::kKeep},
      {"array", Task::kCopy},
      {"reshape", Task::kRearrange},
      {"ravel", Task::kRearrange},
      {"transpose", Task::kRearrange},
      {"swapaxes", Task::kRearrange},
      {"squeeze", Task::kRearrange},
      {"expand_dims", Task::kRearrange},
      {"flip", Task::kRearrange},
      {"fliplr", Task::kRearrange},
      {"flipud", Task::kRearrange},
      {"roll", Task::kRearrange},
      {"repeat", Task::kRearrange},
      {"tile", Task::kRearrange},
      {"diagonal", Task::kRearrange},
      {"take", Task::kRearrange},
      {"moveaxis", Task::kRearrange},
      {"concatenate", Task::kJoin},
      {"stack", Task::kJoin},
      {"vstack", Task::kJoin},
      {"hstack", Task::kJoin},
      {"where", Task::kChoose},
      {"sort", Task::kSort},
      {"argsort", Task::kOrder},
      {"zeros_like", Task::kZerosLike},
      {"empty_like", Task::kZerosLike},
  };
  return all;
}

bool is_known(const Value& value) {
  return value.has_layout(Layout::kInstance) &&
         (is_time_array(value) || is_boxed(value) || is_records(value));
}

std::span<const Value> sequence_items(const Value& value) {
  if (is_list(value)) return value.as<List>()->items;
  if (is_tuple(value)) return value.as<Tuple>()->items();
  return {};
}

// Whether a call names no other dtype than the array has, and nothing else.
bool leaves_dtype(const Arguments& arguments) {
  if (arguments.count + arguments.keyword_count > 2) return false;
  Value given;
  if (arguments.count == 2) given = arguments.values[1];
  if (arguments.keyword_count == 1) {
    if (arguments.keywords[0].name != boxed().dtype) return false;
    given = arguments.keywords[0].value;
  }
  if (given.is_empty() || given.is_none()) return true;
  Value dtype = read_boxed_dtype(given);
  return !dtype.is_empty() &&
         identical(dtype, *boxed_attribute(arguments.values[0], boxed().dtype));
}

// What array(a, dtype) and asarray(a, dtype) give for a dtype of numbers; Empty for others.
Value as_numbers(const Arguments& arguments) {
  static const Name as_type = intern("astype");
  Value wanted;
  if (arguments.count == 2 && arguments.keyword_count == 0) wanted = arguments.values[1];
  if (arguments.count == 1 && arguments.keyword_count == 1 &&
      arguments.keywords[0].name == boxed().dtype)
    wanted = arguments.keywords[0].value;
  bool numbers = !wanted.is_empty() && read_native_dtype(wanted);
  return numbers ? call_method(arguments.values[0], as_type, wanted) : Value();
}

// What functions give for an array of records.
Value answer_of_records(Task task, const Arguments& arguments) {
  const Value& array = arguments.values[0];
  if (task == Task::kKeep) return leaves_dtype(arguments) ? array : Value();
  bool alone = arguments.count == 1 && arguments.keyword_count == 0;
  return alone ? zero_records_like(array, false) : Value();
}

Value answer(Task task, const Value& function, const Arguments& arguments) {
  const Value& first = arguments.values[0];
  if (task == Task::kChoose && arguments.count == 3 && is_str(arguments.values[1]) &&
      (is_str(arguments.values[2]) || is_boxed(arguments.values[2])))
    return knows_boxed_classes() ? kBoxedAnswers.choose(function, arguments) : Value();
  bool sequence = task == Task::kJoin;
  if (sequence && sequence_items(first).empty()) return {};
  const Value& model = sequence ? sequence_items(first)[0]
                       : task == Task::kChoose && arguments.count == 3
                           ? arguments.values[is_known(arguments.values[1]) ? 1 : 2]
                           : first;
  if (is_records(first) && (task == Task::kKeep || task == Task::kZerosLike))
    return answer_of_records(task, arguments);
  bool plain_join = function.has_layout(Layout::kNativeFunction) &&
                    function.as<NativeFunction>()->name() == "concatenate";
  if (is_records(model))
    return task == Task::kJoin && plain_join ? join_records(function, arguments) : Value();
  if (!is_time_array(model) && !is_boxed(model)) return {};
  bool times = is_time_array(model);
  const ElementAnswers& answers = times ? kTimeAnswers : kBoxedAnswers;
  switch (task) {
    case Task::kKeep:
      return leaves_dtype(arguments) ? first : as_numbers(arguments);
    case Task::kCopy:
      if (!leaves_dtype(arguments)) return as_numbers(arguments);
      return times ? copy_of_times(first) : copy_of_boxed(first);
    case Task::kRearrange:
      return answers.rearrange(function, arguments);
    case Task::kJoin:
      return answers.join(function, arguments);
    case Task::kChoose:
      return answers.choose(function, arguments);
    case Task::kSort:
      return answers.sort(function, arguments);
    case Task::kOrder:
      return answers.order(function, arguments);
    default:
      return answers.zeros_like(function, arguments);
  }
}

}  // namespace

namespace {

std::unordered_set<std::string_view>& composed() {
  static auto& names = *new std::unordered_set<std::string_view>;
  return names;
}

}  // namespace

Value leave_to_functions(const Parameters& p) {
  Iteration names(p[0]);
  for (Value name; names.next(name);) composed().insert(text_of(intern(text_of(name))));
  return Value::none();
}

bool is_left_to_function(std::string_view name) { return composed().contains(name); }

bool rests_with_numpy(const Arguments& arguments) {
  for (std::size_t i = 1; i < arguments.count; ++i)
    if (arguments.values[i].is_object() && type_of(arguments.values[i])->has(Type::kUserDefined))
      return false;
  for (const KeywordArgument& keyword : arguments.named())
    if (keyword.name == boxed().out) return false;
  return true;
}

bool sorts_usually(const Parameters& p) {
  return p[1].is_int() && p[1].as_int() == -1 && p[2].is_none() && p[3].is_none() && p[4].is_none();
}

ArgumentList reshape_arguments(const Parameters& p) {
  static const Name names[] = {intern("shape"), intern("order"), intern("copy")};
  ArgumentList list;
  std::span<const Value> extents = p[1].as<Tuple>()->items();
  list.values.assign(extents.begin(), extents.end());
  for (std::size_t i = 0; i < 3; ++i)
    if (p.has(2 + i)) list.keywords.push_back({names[i], p[2 + i]});
  return list;
}

Value reshaped(const Value& array, const Parameters& p) {
  std::span<const Value> extents = p[1].as<Tuple>()->items();
  bool plain = !p.has(2) && !p.has(3) && !p.has(4) && !extents.empty() &&
               std::ranges::all_of(extents, [](const Value& each) { return each.is_int(); });
  if (!plain) return call_method(array, intern("reshape"), Arguments(reshape_arguments(p)));
  nd::Dims shape;
  for (const Value& extent : extents) shape.push_back(extent.as_int());
  return wrap_view(array_of(array).reshape(shape), array);
}

std::optional<nd::DType> read_native_dtype(const Value& value) {
  if (value.has_layout(Layout::kDType)) return to_dtype(value);
  if (value.has_layout(Layout::kType)) {
    const Type* type = value.as<Type>();
    if (type == &int_type() || type == &float_type() || type == &bool_type())
      return to_dtype(value);
    for (nd::DType dtype : {nd::DType::kFloat64, nd::DType::kInt64})
      if (type == &NumpyScalar::type_object(dtype)) return dtype;
    return {};
  }
  if (!is_str(value)) return {};
  bool swapped = false;
  std::optional<nd::DType> dtype = nd::parse_dtype(text_of(value), &swapped);
  return swapped ? std::nullopt : dtype;
}

bool concerns_elements(const Arguments& arguments) {
  for (std::size_t i = 0; i < std::min<std::size_t>(arguments.count, 3); ++i)
    if (is_known(arguments.values[i])) return true;
  if (arguments.count == 0) return false;
  if (arguments.count == 3 && is_str(arguments.values[1])) return true;  // where(x, "a", "b")
  std::span<const Value> items = sequence_items(arguments.values[0]);
  return !items.empty() && is_known(items[0]);
}

Value answer_for_elements(const Value& function, std::string_view name,
                          const Arguments& arguments) {
  auto found = tasks().find(name);
  if (found == tasks().end() || arguments.count == 0) return {};
  return answer(found->second, function, arguments);
}

namespace {

// The shape that an integer or a tuple of integers tells; none for others, and for odd ones.
std::optional<nd::Dims> read_shape(const Value& value) {
  nd::Dims shape;
  std::span<const Value> single(&value, 1);
  for (const Value& extent : is_tuple(value) ? value.as<Tuple>()->items() : single) {
    if (!extent.is_int() || extent.as_int() < 0 || extent.as_int() > kFewTimes) return {};
    shape.push_back(extent.as_int());
  }
  std::int64_t size = 1;
  for (std::int64_t extent : shape)
    if (size *= extent; size > kFewTimes) return {};
  return shape;
}

std::int64_t size_of_shape(const nd::Dims& shape) {
  std::int64_t size = 1;
  for (std::int64_t extent : shape) size *= extent;
  return size;
}

Value filled(const nd::Dims& shape, const Value& item, const Value& dtype) {
  return make_repeated(item, shape, dtype);
}

// An array of times of one class and unit in a list; Empty for others.
Value gather_times(std::span<const Value> items) {
  Type* type = type_of(items[0]);
  const Value* unit = boxed_attribute(items[0], boxed().scalar_unit);
  nd::Array counts =
      nd::Array::empty(nd::Dims{static_cast<std::int64_t>(items.size())}, nd::DType::kInt64);
  auto* made = counts.mutable_as<Count>();
  for (const Value& item : items) {
    if (!item.is_object() || type_of(item) != type) return {};
    const Value* count = boxed_attribute(item, boxed().scalar_count);
    const Value* own = boxed_attribute(item, boxed().scalar_unit);
    if (!count || !count->is_int() || !own || !is_str(*own)) return {};
    if (!identical(*own, *unit) && text_of(*own) != text_of(*unit)) return {};
    *made++ = count->as_int();
  }
  bool moments = type == boxed().moment;
  Value dtype = time_dtype(moments, *unit);
  return boxed().time_array ? make_time_array(std::move(counts), dtype) : Value();
}

// The longest of plain texts without zeros at their end; -1 where others are among them.
std::int64_t longest_text(std::span<const Value> items) {
  std::int64_t most = 1;
  for (const Value& item : items) {
    bool plain = item.is_object() && is_str(item) && item.as<Str>()->is_exact() &&
                 !text_of(item).ends_with('\0');
    if (!plain) return -1;
    most = std::max(most, item.as<Str>()->size());
  }
  return most;
}

// The same of bytes.
std::int64_t longest_bytes(std::span<const Value> items) {
  std::int64_t most = 1;
  for (const Value& item : items) {
    if (!item.is_object() || type_of(item) != &Bytes::type_object()) return -1;
    std::string_view bytes = item.as<Bytes>()->bytes();
    if (bytes.ends_with('\0')) return -1;
    most = std::max(most, static_cast<std::int64_t>(bytes.size()));
  }
  return most;
}

// The numbers that plain decimal texts stand for; Empty where others are among them.
Value numbers_from_texts(std::span<const Value> items, nd::DType dtype) {
  for (const Value& item : items)
    if (!item.is_object() || !is_str(item)) return {};
  nd::Array made = read_plain_numbers(items, dtype);
  return made ? wrap(std::move(made)) : Value();
}

bool is_plain_object(const Value& item) {
  return item.is_int() || item.is_float() || item.is_bool() || item.is_none() ||
         (is_str(item) && item.as<Str>()->is_exact());
}

// The dtype of texts of any length that a value is, or that a text names; Empty for others.
Value strings_dtype(const Value& value) {
  const Value* known = is_exact_text(value) && boxed().known_dtypes
                           ? boxed().known_dtypes->find(value)
                           : nullptr;
  const Value& dtype = known ? *known : value;
  return is_strings_dtype(dtype) ? dtype : Value();
}

Value gather_strings(std::span<const Value> items, const Value& wanted) {
  if (!items[0].is_object() || !wanted.is_object()) return {};
  Value dtype = strings_dtype(wanted);
  if (dtype.is_empty() || !std::ranges::all_of(items, fits_strings)) return {};
  return make_boxed(Values(items.begin(), items.end()),
                    nd::Dims{static_cast<std::int64_t>(items.size())}, dtype);
}

// array(list), array(list, dtype) of plain texts, of plain objects, of times of one unit.
Value gather_elements(const Arguments& arguments) {
  bool positional = arguments.count == 2 && arguments.keyword_count == 0;
  bool named = arguments.count == 1 && arguments.keyword_count == 1 &&
               arguments.keywords[0].name == boxed().dtype;
  bool alone = arguments.count == 1 && arguments.keyword_count == 0;
  if (!(positional || named || alone) || !is_list(arguments.values[0])) return {};
  std::span<const Value> items = sequence_items(arguments.values[0]);
  if (items.empty()) return {};
  if (!alone)
    if (Value made = gather_strings(items, positional ? arguments.values[1]
                                                      : arguments.keywords[0].value);
        !made.is_empty())
      return made;
  if (items.size() > static_cast<std::size_t>(kFewTimes)) return {};
  if (alone && is_time_scalar(items[0])) return gather_times(items);
  if (alone && (items[0].is_none() || items[0].is_object()))
    if (Value objects = gather_objects(items); !objects.is_empty()) return objects;
  if (!boxed().text_dtype) return {};
  nd::Dims shape{static_cast<std::int64_t>(items.size())};
  Values kept(items.begin(), items.end());
  if (alone) {
    bool bytes = items[0].is_object() && is_bytes(items[0]);
    std::int64_t length = bytes              ? longest_bytes(items)
                          : is_str(items[0]) ? longest_text(items)
                                             : -1;
    if (length < 0) return {};
    return make_boxed(std::move(kept), shape,
                      text_dtype(bytes ? *boxed().bytes_dtype : *boxed().text_dtype, length));
  }
  const Value& wanted = positional ? arguments.values[1] : arguments.keywords[0].value;
  bool text = items[0].is_object() && is_str(items[0]);
  if (!text && read_native_dtype(wanted)) return {};
  const Value listed = is_tuple(items[0]) ? listed_dtype(wanted) : Value();
  const Value& given = listed.is_empty() ? wanted : listed;
  if (is_records_dtype(given)) return make_listed_records(items, given);
  if (text)
    if (auto native = read_native_dtype(given);
        native == nd::DType::kFloat64 || native == nd::DType::kInt64)
      return numbers_from_texts(items, *native);
  Value dtype = read_boxed_dtype(given);
  if (dtype.is_empty()) return {};
  if (type_of(dtype) == boxed().moment_dtype && is_str(items[0]))
    return moments_from_texts(items, dtype);
  bool objects = type_of(dtype) == boxed().object_dtype;
  if (objects && !std::all_of(items.begin(), items.end(), is_plain_object)) return {};
  return make_kept(items, dtype);
}

// full(shape, text), full(shape, time)
Value make_full(const Arguments& arguments) {
  if (arguments.count != 2 || arguments.keyword_count > 0 || !boxed().text_dtype) return {};
  const Value& text = arguments.values[1];
  std::optional<nd::Dims> shape = read_shape(arguments.values[0]);
  if (shape && is_time_scalar(text)) return filled_with_time(*shape, text);
  bool plain = is_str(text) && text.as<Str>()->is_exact() && !text_of(text).ends_with('\0');
  if (!shape || !plain) return {};
  return filled(*shape, text, text_dtype(*boxed().text_dtype, text.as<Str>()->size()));
}

}  // namespace

Value make_blank(const nd::Dims& shape, const Value& dtype, bool zeros) {
  const Type* type = type_of(dtype);
  if (type == boxed().moment_dtype || type == boxed().span_dtype)
    return make_time_array(nd::Array::zeros(shape, nd::DType::kInt64), dtype);
  if (type == boxed().object_dtype)
    return filled(shape, zeros ? Value::integer(0) : Value::none(), dtype);
  const Value* bytes = boxed_attribute(dtype, boxed().itemsize);
  if (!bytes || !bytes->is_int() || bytes->as_int() == 0) return {};
  bool texts = type == boxed().text_dtype;
  return filled(shape, texts ? Value(make_str("")) : Value(make<Bytes>(std::string())), dtype);
}

Value make_kept(std::span<const Value> items, const Value& dtype) {
  nd::Dims shape{static_cast<std::int64_t>(items.size())};
  if (type_of(dtype) == boxed().object_dtype)
    return make_boxed(Values(items.begin(), items.end()), shape, dtype);
  return make_texts(items, dtype);
}

Value make_elements(const NativeFunction& function, const Arguments& arguments) {
  if (!knows_boxed_classes()) return {};
  bool alone = arguments.count == 1 && arguments.keyword_count == 0;
  bool number =
      arguments.count > 0 && (!arguments.values[0].is_object() || is_array(arguments.values[0]));
  if (alone && number) return {};
  std::string_view name = function.name();
  if (name == "frombuffer") return texts_in_buffer(function, arguments);
  if (name == "full") return make_full(arguments);
  if (name == "arange") return range_of_times(arguments);
  if (name == "array" || name == "asarray") return gather_elements(arguments);
  bool makes = name == "zeros" || name == "empty";
  if (!makes || arguments.count == 0 || arguments.count + arguments.keyword_count != 2) return {};
  bool positional = arguments.count == 2;
  if (!positional && arguments.keywords[0].name != boxed().dtype) return {};
  const Value& wanted = positional ? arguments.values[1] : arguments.keywords[0].value;
  if (read_native_dtype(wanted)) return {};
  std::optional<nd::Dims> shape = read_shape(arguments.values[0]);
  if (!shape) return {};
  const Value listed = listed_dtype(wanted);
  const Value& given = listed.is_empty() ? wanted : listed;
  if (is_records_dtype(given)) return make_zero_records(*shape, given, name == "zeros");
  if (Value strings = strings_dtype(given); !strings.is_empty())
    return make_boxed(Values(static_cast<std::size_t>(size_of_shape(*shape)), Value(make_str(""))),
                      *shape, strings);
  Value dtype = read_boxed_dtype(given);
  return dtype.is_empty() ? Value() : make_blank(*shape, dtype, name == "zeros");
}

}  // namespace strider::lang
