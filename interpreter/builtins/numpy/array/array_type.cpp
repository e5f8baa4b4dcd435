// numpy.ndarray as a type of the language: its slots and construction. Arithmetic stands in
// operators.cpp, items in array_items.cpp, methods in array_methods_*.cpp.
#include <strider/nd/format.h>

#include <algorithm>

#include "interpreter/builtins/numpy/array/array_items.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/builtins/numpy/print_options.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/runtime/call/native_arguments.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/buffer.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/numbers/integer.h"
#include "interpreter/types/objects/generic_alias.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value array_repr(const Value& self) {
  if (!repr_override().is_none()) return call(repr_override(), self);
  std::string_view name = self.as<ArrayObject>()->type()->name();
  return make_str(
      nd::array_repr(array_of(self), *print_options(), name == "numpy.ndarray" ? "array" : name));
}

Value array_str(const Value& self) {
  return make_str(nd::array_str(array_of(self), *print_options()));
}

Value array_format(const Value& self, const Value& spec) {
  if (array_of(self).rank() == 0) return format(make_scalar(array_of(self).item()), spec);
  if (text_of(spec).empty()) return array_str(self);
  raise(errors::TypeError, "unsupported format string passed to {}.__format__", type_name(self));
}

bool array_truth(const Value& self) {
  const nd::Array& array = array_of(self);
  std::int64_t size = array.size();
  if (size == 1) return array.item().truth();
  if (size == 0)
    raise(errors::ValueError,
          "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
          "array is not empty.");
  raise(errors::ValueError,
        "The truth value of an array with more than one element is ambiguous. Use a.any() or "
        "a.all()");
}

std::int64_t array_length(const Value& self) {
  const nd::Array& array = array_of(self);
  if (array.rank() == 0) raise(errors::TypeError, "len() of unsized object");
  return array.shape()[0];
}

bool array_contains(const Value& self, const Value& item) {
  Value equal = compare_arrays(CompareOperator::kEq, self, item);
  if (is_array(equal)) return nd::any(array_of(equal)).item().truth();
  return !equal.is_empty() && truth(equal);
}

const nd::Array& only_scalar(const Value& self) {
  const nd::Array& array = array_of(self);
  if (array.rank() != 0)
    raise(errors::TypeError, "only 0-dimensional arrays can be converted to Python scalars");
  return array;
}

Value array_to_int(const Value& self) {
  Value scalar = make_scalar(only_scalar(self).item());
  return type_of(scalar)->slots.to_int(scalar);
}

Value array_to_float(const Value& self) {
  return Value::real(only_scalar(self).item().to_double());
}

Value array_to_index(const Value& self) {
  const nd::Array& array = array_of(self);
  if (array.rank() != 0 || !nd::is_integer(array.dtype()))
    raise(errors::TypeError, "only integer scalar arrays can be converted to a scalar index");
  return to_python(array.item());
}

Value reflected_array(BinaryOperator op, const Value& self, const Value& other) {
  return binary_arrays(op, other, self);
}

void let_go(void* held) { delete static_cast<HeldBuffer*>(held); }

// All bytes of a buffer, which the array keeps alive.
nd::Array bytes_of_buffer(const Value& buffer) {
  if (is_array(buffer)) {
    const nd::Array& base = array_of(buffer);
    if (!base.is_c_contiguous()) raise(errors::ValueError, "ndarray is not C-contiguous");
    return base.view(nd::Dims{base.byte_count()}, nd::Dims{1}, 0, nd::DType::kUInt8);
  }
  std::string_view bytes = to_bytes(buffer);
  auto count = static_cast<std::int64_t>(bytes.size());
  const BufferOffer* offer = find_buffer(buffer);
  bool writeable = offer && offer->describe(buffer).writable;
  return nd::Array::on_memory(const_cast<char*>(bytes.data()), count, nd::Dims{count},
                              nd::DType::kUInt8, new HeldBuffer(buffer), let_go, writeable);
}

nd::Dims dense_strides(const nd::Dims& shape, std::int64_t step, bool by_columns) {
  nd::Dims strides(shape.size());
  for (int i = 0; i < shape.size(); ++i) {
    int axis = by_columns ? i : shape.size() - 1 - i;
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

// Whether all elements lie in `count` bytes, the first at `offset`.
bool lies_within(const nd::Dims& shape, const nd::Dims& strides, std::int64_t size,
                 std::int64_t offset, std::int64_t count) {
  std::int64_t low = offset, high = offset + size;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 0) return offset <= count;
    std::int64_t reach = (shape[axis] - 1) * strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  return low >= 0 && high <= count;
}

// numpy.ndarray(shape, dtype, buffer, offset, strides, order): an array on the buffer's memory.
nd::Array on_buffer(const Value& buffer, const nd::Dims& shape, nd::DType dtype,
                    std::int64_t offset, const Value& steps, bool by_columns) {
  std::int64_t total = nd::item_size(dtype);
  for (std::int64_t extent : shape) {
    if (extent < 0) raise(errors::ValueError, "negative dimensions are not allowed");
    if (extent > 0 && __builtin_mul_overflow(total, extent, &total))
      raise(errors::ValueError,
            "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible "
            "size.");
  }
  if (offset < 0) raise(errors::ValueError, "offset must be non-negative");
  nd::Array bytes = bytes_of_buffer(buffer);
  std::int64_t size = nd::item_size(dtype);
  nd::Dims strides = steps.is_none() ? dense_strides(shape, size, by_columns) : to_shape(steps);
  if (strides.size() != shape.size())
    raise(errors::ValueError, "strides, if given, must be the same length as shape");
  bool fits = lies_within(shape, strides, size, offset, bytes.byte_count());
  if (!fits && steps.is_none()) raise(errors::TypeError, "buffer is too small for requested array");
  if (!fits)
    raise(errors::ValueError,
          "strides is incompatible with shape of requested array and size of buffer");
  return with_sound_truths(bytes.view(shape, strides, offset, dtype));
}

// A new array, of which its class is told.
Value made_new(Type* cls, nd::Array array) {
  Value made = make_instance<ArrayObject>(cls, std::move(array));
  if (cls == &ArrayObject::type_object()) return made;
  Value hook = find_special(made, intern("__array_finalize__"));
  if (!hook.is_empty() && !hook.is_none()) call(hook, Value::none());
  return made;
}

Value construct_numbers(Type* cls, const Arguments& arguments) {
  static const Signature& signature =
      *new Signature("ndarray(shape, dtype=None, buffer=None, offset=0, strides=None, order=None)");
  Value p[6];
  check_named_arguments(NamedCall("ndarray", signature, arguments));
  signature.bind(arguments, p);
  nd::Dims shape = to_shape(p[0]);
  nd::DType dtype = to_dtype(p[1]);
  nd::Order order = to_order(p[5]);
  if (!p[2].is_none())
    return made_new(cls,
                    on_buffer(p[2], shape, dtype, to_int64(p[3]), p[4], order == nd::Order::kF));
  if (!p[4].is_none() && to_shape(p[4]).size() != shape.size())
    raise(errors::ValueError, "strides, if given, must be the same length as shape");
  nd::Array array = nd::Array::zeros(shape, dtype, order);
  if (!p[4].is_none()) array = nd::as_strided(array, shape, to_shape(p[4]));
  return made_new(cls, std::move(array));
}

Value construct(Type* cls, const Arguments& arguments) {
  try {
    return construct_numbers(cls, arguments);
  } catch (const UnsupportedElements&) {
  }
  ArgumentList list;
  for (const Value& value : arguments.positional()) list.values.push_back(value);
  for (const KeywordArgument& keyword : arguments.named()) list.keywords.push_back(keyword);
  Value made = call(find_in_namespace("numpy", "_boxed_blank"), list);
  if (cls == &ArrayObject::type_object()) return made;
  return call_in_npx("_boxed_in_class", {made, Value::none(), Value(cls)});
}

const NativeRow kMethods[] = {
    {"classmethod __class_getitem__(cls, item, /)",
     [](const Parameters& p) { return make_generic_alias(p[0], p[1], 1, 2); },
     "ndarray[Any, dtype]."},
};

}  // namespace

Type& ArrayObject::type_object() {
  static bool ready = false;
  static Type& type = new_type("numpy.ndarray", Type::object_type());
  if (ready) return type;
  ready = true;
  type.module = "numpy";
  type.qualified_name = "ndarray";
  type.doc = "An array of numbers of one type in any number of dimensions.";
  type.instance_layout = Layout::kArray;
  type.set(Type::kSubclassable);
  Slots& slots = type.slots;
  slots.repr = array_repr;
  slots.str = array_str;
  slots.format = array_format;
  slots.hash = nullptr;
  slots.truth = array_truth;
  slots.length = array_length;
  slots.get_item = get_array_item;
  slots.set_item = set_array_item;
  slots.contains = array_contains;
  slots.iterate = iterate_array;
  slots.binary = binary_arrays;
  slots.reflected = reflected_array;
  slots.inplace = inplace_array;
  slots.unary = unary_array;
  slots.compare = compare_arrays;
  slots.to_int = array_to_int;
  slots.to_float = array_to_float;
  slots.to_index = array_to_index;
  slots.construct = construct;
  offer_array_buffer(type);
  add_array_methods(type);
  type.add(kMethods);
  guard_methods(type, {"sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "cumsum",
                       "cumprod", "trace", "dot", "searchsorted", "clip", "take", "choose"});
  return type;
}

}  // namespace strider::lang
