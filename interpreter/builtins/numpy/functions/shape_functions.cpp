// Shapes as functions of numpy: reshape, transpose, expand_dims, broadcast_to, ndim, size.
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/device/device_arguments.h"
#include "interpreter/builtins/numpy/functions/functions.h"
#include "interpreter/builtins/numpy/ufunc/elementwise_functions.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// reshape(a, shape, order, *, copy)
Value reshape(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::Array result = array.reshape(to_shape(p[1]), to_order(p[2]));
  if (p[3].is_bool() && p[3].as_bool()) result = result.copy();
  if (p[3].is_bool() && !p[3].as_bool() && !result.same_storage(array))
    raise(errors::ValueError, "Unable to avoid creating a copy while reshaping.");
  return wrap_view(result, p[0]);
}

Value ravel(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::Array flat = array.ravel(to_order(p[1]));
  bool viewed = flat.same_storage(array) || is_subclass_array(p[0]);
  return viewed ? wrap_view(flat, p[0]) : wrap_owner(flat);
}

Value transpose(const Parameters& p) {
  if (is_numpy_scalar(p[0]) && p[1].is_none()) return p[0];
  nd::Array array = this_array(p[0]);
  return wrap_view(p[1].is_none() ? array.transpose() : array.transpose(to_axis_list(p[1])), p[0]);
}

Value matrix_transpose(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  if (array.rank() < 2)
    raise(errors::ValueError, "Input array must be at least 2-dimensional, but it is {}",
          array.rank());
  return wrap_view(array.swap_axes(-1, -2), p[0]);
}

Value swap_axes(const Parameters& p) {
  return wrap_view(this_array(p[0]).swap_axes(static_cast<int>(to_int64(p[1])),
                                              static_cast<int>(to_int64(p[2]))),
                   p[0]);
}

Value squeeze(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::Array result = p[1].is_none() ? array.squeeze() : array.squeeze(to_axis_tuple(p[1]));
  if (is_array(p[0]) && result.rank() == array.rank()) return p[0];
  return is_numpy_scalar(p[0]) ? view_result(result, p[0]) : wrap_view(result, p[0]);
}

Value expand_dims(const Parameters& p) {
  bool several = is_tuple(p[1]) || is_list(p[1]);
  std::vector<int> axes =
      several ? to_axis_list(p[1]) : std::vector<int>{static_cast<int>(to_int64(p[1]))};
  return wrap_view(this_array(p[0]).expand_dims(axes), p[0]);
}

Value broadcast_to(const Parameters& p) {
  nd::Array made = this_array(p[0]).broadcast_to(to_shape(p[1]));
  return truth(p[2]) ? wrap_view(std::move(made), p[0]) : plain_view(std::move(made), p[0]);
}

// The attribute of numbers and arrays; sequences become arrays first.
Value number_part(const Value& value, const char* name) {
  const Slots& slots = type_of(value)->slots;
  bool sequence = slots.length && !is_array(value);
  return get_attribute(sequence ? wrap(to_array(value)) : value, intern(name));
}

Value real_part(const Parameters& p) { return number_part(p[0], "real"); }
Value imaginary_part(const Parameters& p) { return number_part(p[0], "imag"); }

Value shape_of(const Parameters& p) { return shape_tuple(peek_array(p[0]).shape()); }
Value rank_of(const Parameters& p) { return Value::integer(peek_array(p[0]).rank()); }

Value size_of(const Parameters& p) {
  nd::Array array = peek_array(p[0]);
  if (p[1].is_none()) return Value::integer(array.size());
  std::int64_t size = 1;
  for (int axis : to_axis_list(p[1])) size *= array.shape()[nd::normalize_axis(axis, array.rank())];
  return Value::integer(size);
}

// astype(x, dtype, /, *, copy, device)
Value as_type(const Parameters& p) {
  if (!is_array(p[0]) && !is_numpy_scalar(p[0]))
    raise(errors::TypeError, "Input should be a NumPy array or scalar. It is a {} instead.",
          repr_text(Value(type_of(p[0]))));
  nd::DType dtype = to_dtype(p[1]);
  if (!truth(p[2]) && is_array(p[0]) && array_of(p[0]).dtype() == dtype) return p[0];
  return view_result(this_array(p[0]).astype(dtype), p[0]);
}

const NativeRow kFunctions[] = {
    {"reshape(a, /, shape, order='C', *, copy=None)", reshape,
     "The same elements in another shape; a view where possible."},
    {"ravel(a, order='C')", ravel, "Flattened; a view where possible."},
    {"transpose(a, axes=None)", transpose, "A view with the axes reversed or in another order."},
    {"matrix_transpose(x, /)", matrix_transpose, "A view with the last two axes exchanged."},
    {"swapaxes(a, axis1, axis2)", swap_axes, "A view with two axes exchanged."},
    {"squeeze(a, axis=None)", squeeze, "A view without axes of length one."},
    {"expand_dims(a, axis)", expand_dims, "A view with new axes of length one."},
    {"broadcast_to(array, shape, subok=False)", broadcast_to,
     "A read-only view repeated to a shape without a copy."},
    {"real(val)", real_part, "The real parts."},
    {"imag(val)", imaginary_part, "The imaginary parts."},
    {"shape(a)", shape_of, "The length of each axis."},
    {"ndim(a)", rank_of, "The number of axes."},
    {"size(a, axis=None)", size_of, "The number of elements, or the length of axes."},
    {"astype(x, dtype, /, *, copy=True, device=None)", placed<as_type, 3>,
     "Converted to another type."},
    {"clip(a, a_min=<none>, a_max=<none>, out=None, **kwargs)", clip_function,
     "The elements limited to an interval."},
    {"round(a, decimals=0, out=None)", round_function,
     "The elements rounded to a number of decimals."},
    {"around(a, decimals=0, out=None)", round_function,
     "The elements rounded to a number of decimals."},
};

}  // namespace

std::span<const NativeRow> shape_functions() { return kFunctions; }

}  // namespace strider::lang
