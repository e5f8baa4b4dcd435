// Methods of arrays about their elements: item, tolist, bytes, fill, clip, round, conversions.
#include <strider/nd/format.h>
#include <strider/nd/signal.h>
#include <strider/nd/ufunc.h>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/array/python_number.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/device/device_arguments.h"
#include "interpreter/builtins/numpy/functions/array_function.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/builtins/numpy/scalar/recorded_operators.h"
#include "interpreter/builtins/numpy/scalar/scalar_operators.h"
#include "interpreter/builtins/numpy/ufunc/elementwise_functions.h"
#include "interpreter/builtins/numpy/ufunc/operators.h"
#include "interpreter/builtins/numpy/ufunc/result_class.h"
#include "interpreter/builtins/numpy/ufunc/ufunc_object.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/import.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/bytes.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/numbers/number.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value item(const Parameters& p) {
  nd::Array array = read_array(p[0]);
  Value index = p[1];
  if (index.as<Tuple>()->size() == 1) index = (*index.as<Tuple>())[0];
  if (is_tuple(index) && index.as<Tuple>()->size() == 0) {
    if (array.size() != 1)
      raise(errors::ValueError, "can only convert an array of size 1 to a Python scalar");
    return to_python(array.item());
  }
  if (!is_tuple(index)) {
    std::int64_t position = to_int64(index);
    if (position < -array.size() || position >= array.size())
      raise(errors::IndexError, "index {} is out of bounds for {}size {}", position,
            array.rank() == 1 ? "axis 0 with " : "", array.size());
    return to_python(nd::flat_element(array, position));
  }
  if (static_cast<int>(index.as<Tuple>()->size()) != array.rank())
    raise(errors::ValueError, "incorrect number of indices for array");
  return to_python(nd::get(array, IndexItemList(index)).item());
}

// The innermost axis, whose elements are all of one type.
Value list_of_numbers(const std::byte* bytes, const nd::Array& array) {
  std::int64_t step = array.strides()[array.rank() - 1], count = array.shape()[array.rank() - 1];
  Values items;
  items.reserve(static_cast<std::size_t>(count));
  nd::dispatch(array.dtype(), [&](auto zero) {
    using T = decltype(zero);
    for (std::int64_t i = 0; i < count; ++i)
      items.push_back(python_number(*reinterpret_cast<const T*>(bytes + i * step)));
  });
  return make_list(std::move(items));
}

Value nested_list(const std::byte* bytes, const nd::Array& array, int axis) {
  if (axis + 1 == array.rank()) return list_of_numbers(bytes, array);
  std::int64_t step = array.strides()[axis], count = array.shape()[axis];
  Values items;
  items.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i, bytes += step)
    items.push_back(nested_list(bytes, array, axis + 1));
  return make_list(std::move(items));
}

Value to_nested_list(const Parameters& p) {
  nd::Array array = read_array(p[0]);
  if (array.rank() == 0) return to_python(array.item());
  return nested_list(array.data(), array, 0);
}

Value to_byte_string(const Parameters& p) {
  nd::Array array = read_array(p[0]);
  nd::Order order = to_order(p[1]);
  bool fortran = order == nd::Order::kF ||
                 (order == nd::Order::kAny && array.is_f_contiguous() && !array.is_c_contiguous());
  nd::Array flat = (fortran ? array.transpose() : array).contiguous();
  return make<Bytes>(std::string(reinterpret_cast<const char*>(flat.data()),
                                 static_cast<std::size_t>(flat.byte_count())));
}

Value fill(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  array.assign(to_scalar(p[1], array.dtype()));
  return Value::none();
}

Value swap_bytes(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::Array swapped = array.copy(nd::Order::kKeep);
  auto count = static_cast<std::int64_t>(swapped.byte_count());
  nd::reverse_bytes(swapped.mutable_data(), count, nd::item_size(nd::real_of(array.dtype())));
  if (truth(p[1])) {
    array.assign(swapped);
    return p[0];
  }
  return view_result(swapped, p[0]);
}

Value as_complex(const Parameters& p) {
  const nd::Array& array = array_of(p[0]);
  if (array.rank() != 0)
    raise(errors::TypeError, "only 0-dimensional arrays can be converted to Python scalars");
  return make_complex(array.item().to_complex());
}

Value to_other_array(const Parameters& p) {
  std::optional<nd::DType> dtype = to_optional_dtype(p[1]);
  if (is_array(p[0]) && (!dtype || *dtype == array_of(p[0]).dtype()) && !p[2].is_bool())
    return is_subclass_array(p[0]) ? plain_view(array_of(p[0]), p[0]) : p[0];
  return wrap(to_new_array(p[0], dtype));
}

Value divmod(const Parameters& p) {
  bool refused =
      defers_to(p[1]) || (is_numpy_scalar(p[0]) && refuses(BinaryOperator::kFloorDiv, p[0], p[1]));
  return refused ? not_implemented() : apply_divmod(p[0], p[1]);
}

Value reflected_divmod(const Parameters& p) {
  bool refused = is_numpy_scalar(p[0]) && refuses(BinaryOperator::kFloorDiv, p[0], p[1]);
  return refused ? not_implemented() : apply_divmod(p[1], p[0]);
}

Value absolute(const Parameters& p) {
  if (has_override(p[0])) return call(make_ufunc(nd::Op::kAbsolute), p[0]);
  if (is_pending_scalar(p[0])) {
    Value recorded = record_unary(nd::Op::kAbsolute, p[0]);
    if (!recorded.is_empty()) return recorded;
  }
  if (nd::Scalar number;
      is_numpy_scalar(p[0]) && nd::apply_scalar(nd::Op::kAbsolute, scalar_of(p[0]), number))
    return make_scalar(number);
  return wrap_by_model(nd::apply(nd::Op::kAbsolute, this_array(p[0])), class_model({&p[0], 1}),
                       nd::Op::kAbsolute, {&p[0], 1});
}

Value conjugate(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  if (is_given(p[1])) {
    to_out(p[1])->assign(nd::apply(nd::Op::kConjugate, array));
    return p[1];
  }
  if (!nd::is_complex(array.dtype())) return p[0];
  return wrap_like(nd::apply(nd::Op::kConjugate, array), p[0]);
}

// dumps(self) and dump(self, file), as the module pickle writes arrays by NumPy's protocol.
Value dumps(const Parameters& p) {
  constexpr std::int64_t kProtocol = 2;
  Value pickle = import_module("pickle");
  return call_method(pickle, intern("dumps"), p[0], Value::integer(kProtocol));
}

// What rebuilds the array, as pickle and classes that extend it have it.
Value parts(const Parameters& p) {
  Value arrays = import_module("pickle._arrays");
  return call_method(arrays, intern("_parts_of_array"), p[0]);
}

Value set_parts(const Parameters& p) {
  if (!is_array(p[0])) raise(errors::TypeError, "scalars have no state that could be set");
  Value made = call_method(import_module("pickle._arrays"), intern("_array_of_state"), p[1]);
  p[0].as<ArrayObject>()->array = array_of(made);
  return Value::none();
}

Value dump(const Parameters& p) {
  return call(find_in_namespace("numpy", "_dump_to"), p[1], dumps(p));
}

Value numpy_namespace(const Parameters& p) {
  constexpr std::string_view kVersions[] = {"2021.12", "2022.12", "2023.12", "2024.12"};
  if (is_str(p[1]) && std::ranges::find(kVersions, text_of(p[1])) == std::end(kVersions))
    raise(errors::ValueError, "Version \"{}\" of the Array API Standard is not supported.",
          text_of(p[1]));
  return import_module("numpy");
}

// __dlpack__(self, *, stream, max_version, dl_device, copy)
Value to_capsule(const Parameters& p) {
  return call(find_in_namespace("numpy", "_to_capsule"), p[0], p[1], p[2], p[3], p[4]);
}

Value bring_to_device(const Parameters& p) { return is_array(p[0]) ? on_device(p[0], p[1]) : p[0]; }

// A copy in host memory, as CuPy's method gives.
Value get(const Parameters& p) {
  nd::Array made = this_array(p[0]).copy(to_order(p[2]));
  nd::move_to(made, {nd::DeviceChoice::Kind::kHost, 0});
  if (p[3].is_none()) return wrap(made);
  if (!is_array(p[3])) raise(errors::TypeError, "out must be an array, not {}", type_name(p[3]));
  array_of(p[3]).assign(made);
  return p[3];
}

// The elements of an array of the same type and shape, as CuPy's method takes them.
Value set(const Parameters& p) {
  nd::Array array = this_array(p[0]), given = to_array(p[1]);
  if (given.dtype() != array.dtype())
    raise(errors::TypeError, "{} array cannot be set to {} array", nd::name(given.dtype()),
          nd::name(array.dtype()));
  if (given.shape() != array.shape())
    raise(errors::ValueError, "Shape mismatch. Old shape: {}, new shape: {}",
          nd::shape_text(array.shape()), nd::shape_text(given.shape()));
  array.assign(given);
  return Value::none();
}

// As NumPy counts it: a head with extents and strides, and the elements if they are the array's
// own.
Value size_in_memory(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  std::int64_t item = nd::item_size(array.dtype());
  if (!is_array(p[0])) return Value::integer(24 + item);
  Value flags = get_attribute(p[0], intern("flags"));
  bool owns = truth(get_attribute(flags, intern("owndata")));
  return Value::integer(96 + 16 * array.rank() + (owns ? item * array.size() : 0));
}

// ufunc.method(*inputs, **kwargs): what a class that overrides ufuncs falls back to. Inputs that
// override them themselves are left to their classes.
Value apply_ufunc(const Parameters& p) {
  ArgumentList arguments;
  const Tuple& inputs = *p[3].as<Tuple>();
  for (const Value& each : inputs.items())
    if (has_override(each)) return not_implemented();
  arguments.values.assign(inputs.items().begin(), inputs.items().end());
  for (const Dict::Entry& entry : p[4].as<Dict>()->entries())
    arguments.keywords.push_back({intern(entry.key.as<Str>()), entry.value});
  std::string_view method = to_text(p[2], "method");
  if (method == "__call__") return call(p[1], arguments);
  return call(get_attribute(p[1], intern(method)), arguments);
}

const NativeRow kMethods[] = {
    {"__array_ufunc__(self, ufunc, method, /, *inputs, **kwargs)", apply_ufunc,
     "Applies a ufunc; classes override it."},
    {"__array_function__(self, /, func, types, args, kwargs)", run_implementation,
     "Calls a function of numpy; classes override it."},
    {"item(self, /, *args)", item, "One element as a bool, int, float or complex."},
    {"tolist(self, /)", to_nested_list, "The elements as nested lists of Python numbers."},
    {"tobytes(self, /, order='C')", to_byte_string, "The elements' bytes."},
    {"fill(self, value, /)", fill, "Sets every element to a value."},
    {"byteswap(self, /, inplace=False)", swap_bytes, "Every element with its bytes reversed."},
    {"clip(self, /, min=None, max=None, out=None, **kwargs)", clip_function,
     "The elements limited to an interval."},
    {"round(self, /, decimals=0, out=None)", round_function,
     "The elements rounded to a number of decimals."},
    {"conj(self, out=None, /)", conjugate, "The complex conjugates."},
    {"conjugate(self, out=None, /)", conjugate, "The complex conjugates."},
    {"to_device(self, device, /, *, stream=None)", bring_to_device,
     "The array itself, its elements brought to 'cpu', 'cuda' or 'cuda:N'."},
    {"get(self, stream=None, order='C', out=None, blocking=True)", get,
     "A copy whose elements are in host memory."},
    {"set(self, arr, stream=None)", set, "Takes the elements of an array of this type and shape."},
    {"__reduce__(self, /)", parts, "What rebuilds the array."},
    {"__reduce_ex__(self, protocol, /)", parts, "What rebuilds the array."},
    {"__setstate__(self, state, /)", set_parts, "Takes over what __reduce__ told."},
    {"dumps(self, /)", dumps, "The array pickled, as bytes."},
    {"dump(self, file, /)", dump, "Writes the array, pickled, to a file."},
    {"__array_namespace__(self, /, *, api_version=None)", numpy_namespace, "The module numpy."},
    {"__dlpack__(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)", to_capsule,
     "What from_dlpack takes the array from."},
    {"__dlpack_device__(self, /)",
     [](const Parameters&) {
       return Value(make_tuple({Value::integer(1), Value::integer(0)}));
     },
     "The kind and number of the device: host memory."},
    {"__sizeof__(self, /)", size_in_memory, "Bytes of memory, with the elements that it owns."},
    {"__abs__(self, /)", absolute, "The magnitudes."},
    {"__divmod__(self, other, /)", divmod, "Quotients and remainders."},
    {"__rdivmod__(self, other, /)", reflected_divmod, "Quotients and remainders, reflected."},
    {"__complex__(self, /)", as_complex, "The single element as a complex number."},
    {"__array__(self, dtype=None, /, *, copy=None)", to_other_array, "The array itself."},
};

}  // namespace

std::span<const NativeRow> array_value_methods() { return kMethods; }

}  // namespace strider::lang
