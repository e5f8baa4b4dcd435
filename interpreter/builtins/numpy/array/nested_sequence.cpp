// Two passes: the first finds shape and element type, the second stores the leaves.
#include "interpreter/builtins/numpy/array/nested_sequence.h"

#include <strider/nd/eval.h>

#include <cmath>
#include <cstring>

#include "interpreter/builtins/numpy/array/array_protocols.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/scalar/pending_scalar.h"
#include "interpreter/builtins/numpy/scalar/precision.h"
#include "interpreter/builtins/numpy/scalar/scalar_cast.h"
#include "interpreter/runtime/call/recursion.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

using nd::DType;

[[noreturn]] void report_change(std::string_view how) {
  raise(errors::RuntimeError,
        "Inconsistent object during array creation? Content of sequences changed ({}).", how);
}

// The items of a list or tuple; nothing for anything else.
std::optional<std::span<const Value>> items_of(const Value& value) {
  if (is_list(value)) return value.as<List>()->items;
  if (is_tuple(value)) return value.as<Tuple>()->items();
  return std::nullopt;
}

// The elements that bytearray, memoryview or array.array shows; Empty if there is no such dtype.
Value buffer_array(const Value& value) {
  const BufferOffer* offer = find_buffer(value);
  Buffer buffer = offer->describe(value);
  std::optional<DType> dtype = nd::parse_dtype(buffer.format);
  bool is_one_letter = buffer.format.size() == 1 || buffer.format[0] == 'Z';
  if (is_memory_view(value) && buffer.format != "c" && (!is_one_letter || !dtype))
    refuse_elements(buffer.format);
  if (buffer.format == "c" || !dtype) return Value();
  nd::Dims shape;
  for (std::int64_t length : buffer.shape) shape.push_back(length);
  std::string content =
      is_memory_view(value) ? copy_memory_view(value) : std::string(buffer_bytes(value, *offer));
  nd::Array flat = nd::Array::copy_of(content.data(), element_count(buffer.shape), *dtype);
  return wrap(flat.reshape(shape));
}

// False for what fails when it is asked for its length.
bool has_length(const Value& value) {
  try {
    length(value);
    return true;
  } catch (const Raised& raised) {
    const Type& type = *raised.exception->type();
    if (!type.is_subclass_of(&errors::Exception()) ||
        type.is_subclass_of(&errors::RecursionError()) ||
        type.is_subclass_of(&errors::MemoryError()))
      throw;
    return false;
  }
}

// The elements of an array of objects as numbers.
Value numbers_of(const Value& array, std::optional<DType> dtype) {
  if (!dtype) refuse_elements("object");
  return call_in_npx("_unboxed_numbers", {array, make_dtype(*dtype)});
}

// Whether CPython and NumPy have the class in C.
bool is_built_in(const Type& type) {
  return !type.has(Type::kUserDefined) || type.module.starts_with("numpy");
}

// Lists stand for other sequences, arrays for objects that know how to become one; Empty if the
// value is a single element.
Value converted(const Value& value, std::optional<DType> wanted) {
  if (!value.is_object() || is_str(value) || value.has_layout(Layout::kType)) return Value();
  if (is_bytes(value)) return Value();
  if (is_bytes_like(value)) return buffer_array(value);
  Value method = find_special(value, names().array);
  if (!method.is_empty()) {
    Value made = call(method);
    if (is_boxed_array(made)) return numbers_of(made, wanted);
    if (!is_array(made))
      raise(errors::ValueError, "object __array__ method not producing an array");
    return made;
  }
  if (Value made = array_by_interface(value); !made.is_empty()) return made;
  const Slots& slots = type_of(value)->slots;
  bool sequence = slots.length && slots.get_item && !value.has_layout(Layout::kDict) &&
                  !value.has_layout(Layout::kSet) && !value.has_layout(Layout::kFrozenSet) &&
                  !value.has_layout(Layout::kDType);
  if (!sequence) return Value();
  // Mappings of the program's are what their iterators give; those built in are single elements.
  if (is_built_in(*type_of(value)) && !find_special(value, intern("keys")).is_empty())
    return Value();
  if (!has_length(value)) return Value();
  try {
    return to_list(value);
  } catch (const Raised& raised) {  // a mapping after all
    if (!raised.exception->type()->is_subclass_of(&errors::KeyError())) throw;
    return Value();
  }
}

std::optional<DType> leaf_type(const Value& value) {
  if (value.is_float() || is_float(value)) return default_float();
  if (value.is_int()) return DType::kInt64;
  if (value.is_bool()) return DType::kBool;
  if (is_numpy_scalar(value)) return scalar_dtype(value);
  if (value.has_layout(Layout::kComplex)) return default_complex();
  if (value.is_object() && is_integer(value)) {
    Integer integer = to_integer(value);
    if (exact_int(value).is_int()) return DType::kInt64;
    if (integer > 0 && integer <= std::numeric_limits<std::uint64_t>::max()) return DType::kUInt64;
  }
  return std::nullopt;
}

// Whether a value is a single element whatever its class says: numbers of the language's own
// classes and numpy's scalars.
bool is_plain_leaf(const Value& value) {
  return !value.is_object() || is_numpy_scalar(value) || is_exactly(value, Complex::type_object());
}

}  // namespace

bool converts_itself(const Value& value) {
  if (!is_subclass_array(value) || array_of(value).rank() > 0) return false;
  return type_of(value)->slots.to_float != ArrayObject::type_object().slots.to_float;
}

void NestedSequence::promote(DType dtype) {
  if (found_ != dtype) found_ = found_ ? nd::promote(*found_, dtype) : dtype;
}

void NestedSequence::limit_depth(int depth) {
  if (depth > max_depth_ || (depth_fixed_ && depth < max_depth_) || depth < shape_.size())
    ragged_ = true;
  depth_fixed_ = true;
  if (depth < max_depth_) max_depth_ = depth;
  if (shape_.size() > max_depth_) shape_.resize(max_depth_);
}

void NestedSequence::measure_length(std::int64_t length, int depth) {
  if (depth >= max_depth_) {
    if (!depth_fixed_)
      raise(errors::ValueError,
            "setting an array element with a sequence. The requested array would exceed the "
            "maximum number of dimension of {}.",
            nd::kMaxRank);
    ragged_ = true;
  } else if (shape_.size() == depth) {
    shape_.push_back(length);
  } else if (shape_[depth] != length) {
    limit_depth(depth);
  }
}

void NestedSequence::measure_array(const nd::Array& array, int depth) {
  promote(array.dtype());
  for (int axis = 0; axis < array.rank(); ++axis) measure_length(array.shape()[axis], depth + axis);
  limit_depth(depth + array.rank());
}

void NestedSequence::measure_leaf(const Value& value, int depth) {
  limit_depth(depth);
  if (is_pending_scalar(value)) pending_.push_back(value);
  if (std::optional<DType> type = leaf_type(value)) return promote(*type);
  if (wanted_) return;
  if (is_str(value)) refuse_elements("str");
  if (is_bytes(value)) refuse_elements("bytes");
  refuse_elements("object");
}

void NestedSequence::measure(const Value& value, int depth) {
  if (is_array(value)) return measure_array(array_of(value), depth);
  if (auto items = items_of(value)) {
    check_stack();
    std::size_t count = items->size();
    measure_length(static_cast<std::int64_t>(count), depth);
    if (depth >= max_depth_) return;
    for (std::size_t index = 0; index < count; ++index) {
      items = items_of(value);  // code of a program may have changed the list
      if (items->size() != count) report_change("length inconsistent");
      const Value& item = (*items)[index];
      if (is_plain_leaf(item))
        measure_leaf(item, depth + 1);
      else
        measure(Value(item), depth + 1);
    }
    return;
  }
  if (is_plain_leaf(value)) return measure_leaf(value, depth);
  Value other = is_boxed_array(value) ? numbers_of(value, wanted_) : converted(value, wanted_);
  converted_.push_back(other);
  if (other.is_empty()) return measure_leaf(value, depth);
  measure(other, depth);
}

std::int64_t NestedSequence::step_at(int depth) const { return result_.strides()[depth]; }

void NestedSequence::fill_array(const nd::Array& array, int depth, std::byte* target) {
  nd::Dims shape, strides;
  for (int axis = depth; axis < result_.rank(); ++axis) {
    shape.push_back(result_.shape()[axis]);
    strides.push_back(step_at(axis));
  }
  array.data();  // computed here, the elements are also assigned here, and the target stays put
  result_.view(shape, strides, target - result_.mutable_data()).assign(array);
}

template <class T>
void put(std::byte* target, T value) {
  std::memcpy(target, &value, sizeof value);
}

// Stores a numpy scalar, or a complex number, of the elements' own type; false for all else.
static bool store_object(const Value& item, DType dtype, std::byte* target) {
  if (is_numpy_scalar(item)) {
    if (is_pending_scalar(item) || scalar_dtype(item) != dtype) return false;
    std::memcpy(target, scalar_of(item).data(), static_cast<std::size_t>(nd::item_size(dtype)));
    return true;
  }
  if (dtype != DType::kComplex128 || !is_exactly(item, Complex::type_object())) return false;
  return put(target, item.as<Complex>()->value), true;
}

// Stores a number that an element type of its kind has room for; false for all else.
static bool store_plainly(const Value& item, DType dtype, std::byte* target) {
  if (item.is_float()) {
    double number = item.as_float();
    if (dtype == DType::kFloat64) return put(target, number), true;
    if (dtype != DType::kFloat32 || std::fabs(number) > 3e38) return false;
    return put(target, static_cast<float>(number)), true;
  }
  if (item.is_object()) return store_object(item, dtype, target);
  if (item.is_bool() && dtype == DType::kBool) return put(target, item.as_bool()), true;
  if (!item.is_int()) return false;
  std::int64_t number = item.as_int();
  switch (dtype) {
    case DType::kFloat32:
      return put(target, static_cast<float>(static_cast<double>(number))), true;
    case DType::kInt64:
      return put(target, number), true;
    case DType::kFloat64:
      return put(target, static_cast<double>(number)), true;
    case DType::kInt32:
      return number == static_cast<std::int32_t>(number) &&
             (put(target, static_cast<std::int32_t>(number)), true);
    case DType::kUInt8:
      return number == static_cast<std::uint8_t>(number) &&
             (put(target, static_cast<std::uint8_t>(number)), true);
    default:
      return false;
  }
}

void NestedSequence::fill_items(const Value& sequence, int depth, std::byte* target) {
  if (depth >= result_.rank()) report_change("length inconsistent");
  std::int64_t count = result_.shape()[depth];
  std::int64_t step = step_at(depth);
  DType dtype = result_.dtype();
  bool last = depth + 1 == result_.rank();
  std::span<const Value> items = *items_of(sequence);
  for (std::int64_t index = 0; index < count; ++index, target += step) {
    if (static_cast<std::int64_t>(items.size()) != count) report_change("length inconsistent");
    const Value& item = items[index];
    if (!last || !store_plainly(item, dtype, target)) {
      fill(Value(item), depth + 1, target);
      items = *items_of(sequence);  // the code of an item's class may have changed the list
    }
  }
}

void NestedSequence::fill(const Value& value, int depth, std::byte* target) {
  bool itself = is_array(value) && converts_itself(value);
  if (is_array(value) && !itself) return fill_array(array_of(value), depth, target);
  if (items_of(value)) return fill_items(value, depth, target);
  if (!is_plain_leaf(value) && !itself) {
    if (cursor_ == converted_.size()) report_change("cache not consumed");
    Value other = converted_[cursor_++];
    if (!other.is_empty()) return fill(other, depth, target);
  }
  if (depth != result_.rank()) report_change("length inconsistent");
  nd::Scalar scalar =
      depth == 0 ? converted_scalar(value, result_.dtype()) : to_scalar(value, result_.dtype());
  std::memcpy(target, scalar.data(), static_cast<std::size_t>(nd::item_size(result_.dtype())));
}

nd::Array NestedSequence::to_array(std::optional<DType> dtype) {
  wanted_ = dtype;
  measure(value_, 0);
  if (ragged_)
    raise(errors::ValueError,
          "setting an array element with a sequence. The requested array has an inhomogeneous "
          "shape after {} dimensions. The detected shape was {} + inhomogeneous part.",
          shape_.size(), repr_text(shape_tuple(shape_)));
  result_ = nd::Array::empty(shape_, dtype ? *dtype : found_.value_or(default_float()));
  if (result_.size() == 0) return result_;
  settle_together(pending_);
  fill(value_, 0, result_.mutable_data());
  if (cursor_ != converted_.size()) report_change("cache not consumed");
  return result_;
}

namespace {

nd::Array range_array(const Range& range, DType dtype) {
  return nd::Array::arange(nd::Scalar(range.start), nd::Scalar(range.step), range.size(), dtype);
}

// A copy, because the array may be written to and the scalar may not.
nd::Array scalar_array(const Value& value) {
  if (is_pending_scalar(value) && nd::recording().on()) return pending_array(value).copy();
  return nd::Array::scalar(scalar_of(value));
}

}  // namespace

nd::Array to_array(const Value& value, std::optional<DType> dtype) {
  if (is_array(value)) {
    const nd::Array& array = array_of(value);
    if (!dtype || *dtype == array.dtype()) return array;
    warn_of_lost_parts(array.dtype(), *dtype);
    return array.astype(*dtype);
  }
  if (value.has_layout(Layout::kRange) && dtype.value_or(DType::kInt64) == DType::kInt64)
    return range_array(*value.as<Range>(), DType::kInt64);
  if (is_numpy_scalar(value) && !dtype) return scalar_array(value);
  if (Value native = in_this_order(value); is_array(native)) return to_array(native, dtype);
  return NestedSequence(value).to_array(dtype);
}

nd::Array to_new_array(const Value& value, std::optional<DType> dtype) {
  if (!is_array(value)) {
    nd::Array made = to_array(value, dtype);
    return made.base() ? made.copy(nd::Order::kKeep) : made;
  }
  const nd::Array& array = array_of(value);
  if (dtype && *dtype != array.dtype()) {
    warn_of_lost_parts(array.dtype(), *dtype);
    return array.astype(*dtype);
  }
  return array.copy(nd::Order::kKeep);
}

}  // namespace strider::lang
