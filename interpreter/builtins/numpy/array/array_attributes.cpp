// Attributes of arrays and scalars: shape, dtype, T, real, flat, flags and their kin.
#include <strider/nd/device.h>
#include <strider/nd/error.h>
#include <strider/nd/index.h>

#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/numpy_module.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/program/interpreter.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/bytes/memory_view.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

Value integer(std::int64_t value) { return Value::integer(value); }

void refuse_deletion(const Value& value, const char* name) {
  if (value.is_empty()) raise(errors::AttributeError, "Cannot delete array {}", name);
}

void set_shape(const Value& self, const Value& value) {
  refuse_deletion(value, "shape");
  if (!is_array(self)) raise(errors::AttributeError, "attribute 'shape' is not writable");
  nd::Array& array = self.as<ArrayObject>()->array;
  nd::Array reshaped = array.reshape(to_shape(value));
  if (!reshaped.same_storage(array))
    raise(errors::AttributeError,
          "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the "
          "desired shape.");
  if (is_subclass_array(self)) reshaped = array_of(wrap_view(reshaped, self));  // as it has them
  bool was_owner = array.owns_data();
  array = reshaped;
  if (was_owner) self.as<ArrayObject>()->owner = Value::none();
}

void set_strides(const Value& self, const Value& value) {
  refuse_deletion(value, "strides");
  if (!is_array(self)) raise(errors::AttributeError, "attribute 'strides' is not writable");
  warn(errors::DeprecationWarning(),
       "Setting the strides on a NumPy array has been deprecated in NumPy 2.4.\nAs an alternative, "
       "you can create a new view using np.lib.stride_tricks.as_strided.");
  if (value.is_none()) raise(errors::TypeError, "invalid strides");
  nd::Array& array = self.as<ArrayObject>()->array;
  nd::Dims strides = to_shape(value);
  if (strides.size() != array.rank())
    raise(errors::ValueError, "strides must be  same length as shape ({})", array.rank());
  bool was_owner = array.owns_data();
  try {
    array = nd::as_strided(array, array.shape(), strides, array.writeable());
  } catch (const nd::Error&) {
    raise(errors::ValueError, "strides is not compatible with available memory");
  }
  if (was_owner) self.as<ArrayObject>()->owner = Value::none();
}

void set_dtype(const Value& self, const Value& value) {
  refuse_deletion(value, "dtype");
  if (!is_array(self)) raise(errors::AttributeError, "attribute 'dtype' is not writable");
  Value viewed = call_method(self, intern("view"), value);
  if (!is_array(viewed))
    raise(errors::TypeError, "an array of numbers cannot become one of {} in place: use view()",
          repr_text(get_attribute(viewed, intern("dtype"))));
  self.as<ArrayObject>()->array = array_of(viewed);
}

// A text, or, in programs that import cupy, what its cuda._device_of makes of it.
Value get_device(const Value& self) {
  Value place(make_str(nd::device_of(peek_array(self))));
  Value* cuda = Interpreter::current().modules->find(Value(intern("cupy.cuda")));
  Value naming = cuda ? find_attribute(*cuda, intern("_device_of")) : Value();
  return naming.is_empty() ? place : call(naming, place);
}

Value get_base(const Value& self) {
  if (!is_array(self)) return Value::none();
  const Value& owner = self.as<ArrayObject>()->owner;
  if (!owner.is_empty()) return owner;
  nd::Array base = array_of(self).base();
  return base ? wrap(base) : Value::none();
}

Value matrix_transpose(const Value& self) {
  nd::Array array = this_array(self);
  if (array.rank() < 2) raise(errors::ValueError, "matrix transpose with ndim < 2 is undefined");
  return view_result(array.swap_axes(-1, -2), self);
}

Value get_real(const Value& self) {
  if (is_pending_scalar(self) && !nd::is_complex(scalar_dtype(self))) return self;
  if (is_array(self) && !nd::is_complex(peek_array(self).dtype())) return self;
  return view_result(this_array(self).real(), self);
}

Value get_imaginary(const Value& self) {
  nd::Array array = this_array(self);
  if (nd::is_complex(array.dtype())) return view_result(array.imag(), self);
  nd::Array zeros = array.imag();
  return is_array(self) ? wrap_view(zeros, self) : wrap_result(zeros);
}

void require_array(const Value& self, const char* name) {
  if (!is_array(self))
    raise(errors::AttributeError, "attribute '{}' of 'numpy.generic' objects is not writable",
          name);
}

void set_real(const Value& self, const Value& value) {
  require_array(self, "real");
  array_of(self).real().assign(to_array(value));
}

void set_imaginary(const Value& self, const Value& value) {
  require_array(self, "imag");
  if (!nd::is_complex(array_of(self).dtype()))
    raise(errors::TypeError, "array does not have imaginary part to set");
  array_of(self).imag().assign(to_array(value));
}

void set_flat(const Value& self, const Value& value) {
  require_array(self, "flat");
  assign_flat(self, value);
}

Value array_interface(const Value& self) {
  nd::Array array = this_array(self);
  Ref<Dict> result = make_dict();
  auto address = reinterpret_cast<std::intptr_t>(array.expose());
  Value data = make_tuple({integer(address), Value::boolean(!array.writeable())});
  bool plain = array.is_c_contiguous();
  result->set(intern("data"), data);
  result->set(intern("strides"), plain ? Value::none() : shape_tuple(array.strides()));
  Value dtype = make_dtype(array.dtype());
  result->set(intern("descr"), get_attribute(dtype, intern("descr")));
  result->set(intern("typestr"), get_attribute(dtype, intern("str")));
  result->set(intern("shape"), shape_tuple(array.shape()));
  result->set(intern("version"), integer(3));
  return result;
}

Value get_data(const Value& self) {
  Value array = is_array(self) ? self : wrap(this_array(self));
  return call(Value(&memory_view_type()), array);
}

const PropertyRow kProperties[] = {
    {"data", get_data, nullptr, "The memory of the elements, as a memoryview."},
    {"shape", [](const Value& self) { return shape_tuple(peek_array(self).shape()); }, set_shape,
     "The length of each axis."},
    {"ndim", [](const Value& self) { return integer(peek_array(self).rank()); }, nullptr,
     "The number of axes."},
    {"size", [](const Value& self) { return integer(peek_array(self).size()); }, nullptr,
     "The number of elements."},
    {"dtype", [](const Value& self) { return make_dtype(peek_array(self).dtype()); }, set_dtype,
     "The type of the elements."},
    {"itemsize", [](const Value& self) { return integer(nd::item_size(peek_array(self).dtype())); },
     nullptr, "Bytes of an element."},
    {"nbytes", [](const Value& self) { return integer(peek_array(self).byte_count()); }, nullptr,
     "Bytes of all elements."},
    {"strides", [](const Value& self) { return shape_tuple(peek_array(self).strides()); },
     set_strides, "Bytes from one element to the next, along each axis."},
    {"base", get_base, nullptr, "The array this one is a view of, or None."},
    {"T", [](const Value& self) { return view_result(this_array(self).transpose(), self); },
     nullptr, "A view with the axes reversed."},
    {"mT", matrix_transpose, nullptr, "A view with the last two axes exchanged."},
    {"real", get_real, set_real, "The real parts."},
    {"imag", get_imaginary, set_imaginary, "The imaginary parts."},
    {"flat",
     [](const Value& self) { return make_flat(is_array(self) ? self : wrap(this_array(self))); },
     set_flat, "The elements one by one, in C order."},
    {"flags",
     [](const Value& self) { return make_flags(is_array(self) ? self : wrap(this_array(self))); },
     nullptr, "What is known about the memory."},
    {"device", get_device, nullptr,
     "Where the elements lie, or would if they were computed now: 'cpu', 'cuda:0'."},
    {"ctypes",
     [](const Value& self) { return call(find_in_namespace("numpy", "_memory_address"), self); },
     nullptr, "Where the memory lies; no library in C can be called."},
    {"__array_interface__", array_interface, nullptr, "Address, shape and type of the memory."},
    {"__array_priority__", [](const Value&) { return Value::real(0.0); }, nullptr, "0."},
};

}  // namespace

std::span<const PropertyRow> array_properties() { return kProperties; }

}  // namespace strider::lang
