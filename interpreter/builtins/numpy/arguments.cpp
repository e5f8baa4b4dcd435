// Conversions of arguments that the functions of numpy share.
#include "interpreter/builtins/numpy/arguments.h"

#include <algorithm>

#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

std::vector<nd::Array> to_arrays(const Value& sequence) {
  std::vector<nd::Array> arrays;
  Iteration items(sequence);
  Value item;
  while (items.next(item)) arrays.push_back(to_array(item));
  return arrays;
}

std::vector<nd::Array> to_stacked_arrays(const Value& sequence) {
  const Slots& slots = type_of(sequence)->slots;
  if (!slots.get_item)
    raise(errors::TypeError,
          "arrays to stack must be passed as a \"sequence\" type such as list or tuple.");
  return to_arrays(sequence);
}

std::optional<nd::DType> type_beside_numbers(const Value& sequence) {
  if (!is_list(sequence) && !is_tuple(sequence)) return std::nullopt;
  auto is_number = [](const Value& item) {
    return item.is_int() || item.is_float() || item.has_layout(Layout::kComplex);
  };
  Values items;
  Iteration iteration(sequence);
  for (Value item; iteration.next(item);) items.push_back(item);
  if (std::ranges::none_of(items, is_number)) return std::nullopt;
  std::vector<OperandKeeper> keepers(items.size());
  std::vector<nd::Array> arrays(items.size());
  std::vector<nd::Operand> operands;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_number(items[i])) {
      operands.push_back(to_operand(items[i], keepers[i]));
    } else {
      arrays[i] = to_array(items[i]);
      operands.emplace_back(arrays[i]);
    }
  }
  return nd::result_type(operands);
}

nd::Array to_positions(const Value& value) {
  nd::Array array = to_array(value);
  nd::DType dtype = array.dtype();
  bool made_whole = array.size() == 0 || nd::is_floating(dtype) || dtype == nd::DType::kUInt64;
  return !is_array(value) && made_whole ? array.astype(nd::DType::kInt64) : array;
}

bool try_count(const Value& value, std::int64_t& count) {
  if (is_array(value) && (array_of(value).rank() > 0 || !nd::is_integer(array_of(value).dtype())))
    return false;
  if (is_numpy_scalar(value) && !nd::is_integer(scalar_dtype(value))) return false;
  if (is_boxed_array(value)) return false;
  return try_index(value, count);
}

std::optional<int> to_optional_axis(const Value& value) {
  if (!is_given(value)) return std::nullopt;
  if (value.is_bool()) raise(errors::TypeError, "an integer is required for the axis");
  return to_axis_number(value);
}

int to_axis_number(const Value& value) { return static_cast<int>(to_int64(value)); }

bool is_given(const Value& value) { return !value.is_empty() && !value.is_none(); }

Value array_tuple(std::vector<nd::Array> arrays) {
  Values items;
  items.reserve(arrays.size());
  for (nd::Array& array : arrays) items.push_back(wrap(std::move(array)));
  return make_tuple(std::move(items));
}

std::string to_path(const Value& value) {
  require_outside();
  if (is_str(value)) return std::string(text_of(value));
  if (is_bytes(value)) return std::string(to_bytes(value));
  Value convert = find_special(value, intern("__fspath__"));
  if (!convert.is_empty()) return to_path(call(convert));
  raise(errors::TypeError, "expected str, bytes or os.PathLike object, not {}", type_name(value));
}

}  // namespace strider::lang
