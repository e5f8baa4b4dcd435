// Arguments and results that the methods of Generator and RandomState share.
#include "interpreter/builtins/numpy/random/random_arguments.h"

#include <strider/nd/index.h>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/call/call.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {

nd::Array to_parameter(const Value& value) {
  try {
    return to_array(value);
  } catch (const UnsupportedElements&) {
  }
  if (is_list(value) || is_tuple(value)) return to_array(value, nd::DType::kFloat64);
  if (is_boxed_array(value))
    raise(errors::TypeError,
          "Cannot cast array data from {} to dtype('float64') according to the rule 'safe'",
          repr_text(get_attribute(value, intern("dtype"))));
  if (is_str(value)) return nd::Array::scalar(nd::Scalar(parse_float(text_of(value))));
  return nd::Array::scalar(nd::Scalar(to_double(value)));
}

nd::DType to_integer_type(const Value& dtype, const char* function) {
  if (!is_given(dtype)) return nd::DType::kInt64;
  try {
    return to_dtype(dtype);
  } catch (const UnsupportedElements&) {
  }
  Value boxed = call_in_npx("_boxed_dtype", {dtype});
  if (text_of(get_attribute(boxed, intern("byteorder"))) != ">")
    raise(errors::TypeError, "Unsupported dtype {} for {}", repr_text(boxed), function);
  constexpr std::string_view kRefusal =
      "Providing a dtype with a non-native byteorder is not supported. If you require "
      "platform-independent byteorder, call byteswap when required.";
  if (function == std::string_view("integers")) raise_message(errors::ValueError(), kRefusal);
  warn(errors::DeprecationWarning(), std::string(kRefusal) +
                                         "\nIn future version, providing byteorder will raise a "
                                         "ValueError");
  return to_dtype(call_method(boxed, intern("newbyteorder"), make_str("=")));
}

void warn_of_views(const Value& items) {
  if (is_list(items)) return;
  Value sequence = get_attribute(import_module("collections.abc"), intern("Sequence"));
  if (is_instance_of(items, sequence)) return;
  warn(errors::UserWarning(),
       fmt::format("you are shuffling a '{}' object which is not a subclass of 'Sequence'; "
                   "`shuffle` is not guaranteed to behave correctly. E.g., non-numpy array/tensor "
                   "objects with view semantics may contain duplicates after shuffling.",
                   type_name(items)));
}

nd::random::Size to_size(const Value& value) {
  if (!is_given(value)) return std::nullopt;
  return to_shape(value);
}

Value drawn(nd::Array result, const Value& size) {
  if (!is_given(size) && result.rank() == 0) return to_python(result.item());
  return wrap(std::move(result));
}

void append_words(const Value& integer, std::vector<std::uint32_t>& words) {
  if (integer_is_negative(integer)) raise(errors::ValueError, "expected non-negative integer");
  Integer rest = to_integer(integer);
  do {
    words.push_back(static_cast<std::uint32_t>(Integer(rest & 0xffffffffu)));
    rest >>= 32;
  } while (rest != 0);
}

Value boxed_population(const Value& value) {
  if (is_boxed_array(value)) return value;
  try {
    to_array(value);
    return Value();
  } catch (const UnsupportedElements&) {
  }
  return call_in_npx("_boxed_array", {value});
}

[[noreturn]] static void refuse_single(const Value& value, const char* refusal) {
  if (refusal) raise_message(errors::ValueError(), refusal);
  raise(errors::ValueError, "a must be a sequence or an integer, not {}",
        repr_text(Value(type_of(value))));
}

Population::Population(const Value& value, const Value& axis, const char* refusal) {
  if (try_count(value, size_)) return;
  items_ = boxed_population(value);
  if (!items_.is_empty()) {
    if (to_shape(get_attribute(items_, intern("shape"))).size() == 0) refuse_single(value, refusal);
    axis_ = to_axis_number(axis);
    size_ = length(with_axis_first(items_, axis_));
    return;
  }
  array_ = to_array(value);
  if (array_.rank() == 0) refuse_single(value, refusal);
  axis_ = nd::normalize_axis(to_int64(axis), array_.rank());
  size_ = array_.shape()[axis_];
}

void swap_items(void* sequence, std::int64_t i, std::int64_t j) {
  const Value& items = *static_cast<const Value*>(sequence);
  if (is_list(items)) {
    auto& listed = items.as<List>()->items;
    return std::swap(listed[static_cast<std::size_t>(i)], listed[static_cast<std::size_t>(j)]);
  }
  Value first = get_item(items, Value::integer(i)), second = get_item(items, Value::integer(j));
  set_item(items, Value::integer(i), second);
  set_item(items, Value::integer(j), first);
}

void reorder_boxed(const Value& array, const nd::Array& order) {
  set_item(array, ellipsis(), get_item(array, wrap(order)));
}

Value with_axis_first(const Value& array, int axis) {
  Value first = Value::integer(0);
  return axis == 0 ? array : call_method(array, intern("swapaxes"), first, Value::integer(axis));
}

Value take_boxed(const Value& array, const Value& places, int axis) {
  return axis == 0 ? get_item(array, places)
                   : call_method(array, intern("take"), places, Value::integer(axis));
}

void Population::refuse_empty(const Value& size, const char* message) const {
  if (size_ != 0 || (!array_ && items_.is_empty())) return;
  if (!is_given(size) || nd::element_count(to_shape(size)) != 0)
    raise_message(errors::ValueError(), message);
}

Value Population::pick(const nd::Array& positions, bool single) const {
  if (!items_.is_empty()) {
    if (single) return take_boxed(items_, to_python(positions.item()), axis_);
    if (positions.rank() > 0) return take_boxed(items_, wrap(positions), axis_);
    Value chosen = take_boxed(items_, wrap(positions.reshape({1})), axis_);
    return call_method(chosen, intern("squeeze"), Value::integer(axis_));
  }
  if (!array_) return single ? to_python(positions.item()) : wrap(positions);
  nd::Array chosen = nd::take(array_, positions, axis_);
  return single ? wrap_result(std::move(chosen)) : wrap(std::move(chosen));
}

namespace {

// Where the end of a half-open interval is 2**64, which no array holds, makes it the last number
// and answers true. ValueError for ends beyond it.
bool close_interval(Value& high, nd::DType dtype) {
  if (!high.has_layout(Layout::kBigInt)) return false;
  const Integer& end = high.as<BigInt>()->value;
  if (end < (Integer(1) << 64)) return false;
  if (end > (Integer(1) << 64))
    raise(errors::ValueError, "high is out of bounds for {}", nd::name(dtype));
  high = from_uint64(~std::uint64_t{0});
  return true;
}

}  // namespace

IntegerBounds to_bounds(Value low, Value high, nd::DType dtype, bool endpoint) {
  if (high.is_none()) {
    high = low;
    low = Value::integer(0);
  }
  if (!endpoint) endpoint = close_interval(high, dtype);
  try {
    return {to_array(low), to_array(high), endpoint};
  } catch (const UnsupportedElements&) {
    Value bounds = call(find_in_namespace("numpy.random", "_whole_bounds"), low, high,
                        Value(make_str(nd::name(dtype))), Value::boolean(endpoint));
    return {to_array(get_item(bounds, Value::integer(0))),
            to_array(get_item(bounds, Value::integer(1))), true};
  }
}

}  // namespace strider::lang
