// Methods of arrays that change shape or layout, and copies: reshape, transpose, view, astype.
#include <strider/nd/join.h>
#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/elements/element_answers.h"
#include "interpreter/builtins/numpy/errors.h"
#include "interpreter/builtins/numpy/other_elements.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/support.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// Arguments given one by one or as one sequence: reshape(2, 3) and reshape((2, 3)).
Value spread_argument(const Value& arguments) {
  const Tuple& tuple = *arguments.as<Tuple>();
  return tuple.size() == 1 ? tuple[0] : arguments;
}

Value reshape(const Parameters& p) {
  const Tuple& given = *p[1].as<Tuple>();
  if (given.size() == 0) raise(errors::TypeError, "reshape() takes exactly 1 argument (0 given)");
  Value wanted = spread_argument(p[1]);
  nd::Array array = this_array(p[0]);
  if (wanted.is_none()) return view_result(array, p[0]);
  nd::Array result = array.reshape(to_shape(wanted), to_order(p[2]));
  if (p[3].is_bool() && p[3].as_bool()) result = result.copy();
  if (p[3].is_bool() && !p[3].as_bool() && !result.same_storage(array))
    raise(errors::ValueError, "Unable to avoid creating a copy while reshaping.");
  return wrap_view(result, p[0]);
}

Value ravel(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::Array flat = array.ravel(to_order(p[1]));
  if (flat.same_storage(array) || type_of(p[0]) != &ArrayObject::type_object())
    return wrap_view(flat, p[0]);
  return wrap_owner(flat);
}

Value flatten(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::Array flat = array.ravel(to_order(p[1]));
  if (flat.same_storage(array)) flat = flat.copy();
  return type_of(p[0]) == &ArrayObject::type_object() ? wrap_owner(flat) : wrap_view(flat, p[0]);
}

Value transpose(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  Value wanted = spread_argument(p[1]);
  bool all = wanted.is_none() || (is_tuple(wanted) && p[1].as<Tuple>()->size() == 0);
  if (all) return view_result(array.transpose(), p[0]);
  return view_result(array.transpose(to_axis_list(wanted)), p[0]);
}

Value swap_axes(const Parameters& p) {
  return view_result(this_array(p[0]).swap_axes(static_cast<int>(to_int64(p[1])),
                                                static_cast<int>(to_int64(p[2]))),
                     p[0]);
}

Value squeeze(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::Array made = p[1].is_none() ? array.squeeze() : array.squeeze(to_axis_tuple(p[1]));
  return is_array(p[0]) && made.rank() == array.rank() ? p[0] : view_result(made, p[0]);
}

Value copy(const Parameters& p) {
  nd::Array made = this_array(p[0]).copy(to_order(p[1]));
  return view_result(made, p[0]);
}

// The name of an element type in C, as messages of casts show it.
std::string_view c_name(nd::DType dtype) {
  switch (dtype) {
#define C_NAME(type, name) \
  case nd::DType::type:    \
    return name;
    C_NAME(kInt8, "byte")
    C_NAME(kUInt8, "ubyte")
    C_NAME(kInt16, "short")
    C_NAME(kUInt16, "ushort")
    C_NAME(kInt32, "int")
    C_NAME(kUInt32, "uint")
    C_NAME(kInt64, "long")
    C_NAME(kUInt64, "ulong")
    C_NAME(kFloat16, "half")
    C_NAME(kFloat32, "float")
    C_NAME(kFloat64, "double")
    C_NAME(kComplex64, "cfloat")
    C_NAME(kComplex128, "cdouble")
#undef C_NAME
    default:
      return nd::name(dtype);
  }
}

// casting='same_value': ValueError when an element changes by the cast.
void require_same_values(const nd::Array& array, nd::DType dtype) {
  if (dtype == nd::DType::kBool || dtype == array.dtype()) return;
  nd::Array made = array.astype(dtype), back = made.astype(array.dtype());
  nd::Array kept = nd::apply(nd::Op::kEqual, array, back);
  if (nd::is_integer(array.dtype()) && nd::is_integer(dtype)) {
    nd::Operand zero = nd::Operand::weak_int(0);
    nd::Array same_sign = nd::apply(nd::Op::kEqual, nd::apply(nd::Op::kLess, array, zero),
                                    nd::apply(nd::Op::kLess, made, zero));
    kept = nd::apply(nd::Op::kLogicalAnd, kept, same_sign);
  }
  if (nd::is_inexact(array.dtype()))  // NaN stays NaN, unless it cannot
    kept = nd::apply(nd::Op::kLogicalOr, kept,
                     nd::apply(nd::Op::kLogicalAnd, nd::apply(nd::Op::kIsNan, array),
                               nd::apply(nd::Op::kIsNan, back)));
  if (nd::all(kept).item().truth()) return;
  bool imaginary = nd::is_complex(array.dtype()) && !nd::is_complex(dtype);
  raise(errors::ValueError, "could not cast 'same_value' {} to {}{}", c_name(array.dtype()),
        c_name(dtype), imaginary ? ": imag is not 0" : "");
}

Value to_numbers(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  nd::DType dtype = to_dtype(p[1]);
  bool same_value = is_str(p[3]) && text_of(p[3]) == "same_value";
  if (same_value) require_same_values(array, dtype);
  nd::Casting casting = p[3].is_empty() || same_value ? nd::Casting::kUnsafe : to_casting(p[3]);
  if (!nd::can_cast(array.dtype(), dtype, casting))
    raise(errors::TypeError,
          "Cannot cast array data from dtype('{}') to dtype('{}') according to the rule '{}'",
          nd::name(array.dtype()), nd::name(dtype), text_of(p[3]));
  bool must_copy = !p[5].is_bool() || p[5].as_bool();
  warn_of_lost_parts(array.dtype(), dtype);
  nd::Order order = to_order(p[2], nd::Order::kKeep);
  if (!must_copy && dtype == array.dtype() && is_array(p[0])) {
    bool laid_out = order == nd::Order::kKeep || order == nd::Order::kAny ||
                    (order == nd::Order::kC ? array.is_c_contiguous() : array.is_f_contiguous());
    if (laid_out && (truth(p[4]) || !is_subclass_array(p[0]))) return p[0];
  }
  nd::Array made = array.astype(dtype, order, true);
  return truth(p[4])             ? view_result(std::move(made), p[0])
         : is_numpy_scalar(p[0]) ? wrap_result(std::move(made))
                                 : wrap(std::move(made));
}

Value as_type(const Parameters& p) {
  if (!names_boxed_dtype(p[1]) && !is_boxed_dtype(p[1])) try {
      return to_numbers(p);
    } catch (const UnsupportedElements&) {
    }
  Value casting = p[3].is_empty() ? Value(make_str("unsafe")) : p[3];
  if (is_str(casting) && text_of(casting) == "unsafe")
    if (Value texts = numbers_as_elements(p[0], p[1]); !texts.is_empty()) return texts;
  Value made = call_in_npx("_boxed_elements", {p[0], p[1], Value::boolean(true), casting});
  if (is_numpy_scalar(p[0])) return get_item(made, Value(empty_tuple()));
  bool kept = is_subclass_array(p[0]) && truth(p[4]) && is_boxed_array(made);
  return kept ? call_in_npx("_boxed_in_class", {made, p[0]}) : made;
}

// The same bytes as elements of another size, along the last axis.
nd::Array reinterpret(const nd::Array& array, nd::DType dtype) {
  std::int64_t before = nd::item_size(array.dtype()), after = nd::item_size(dtype);
  nd::Dims shape = array.shape(), strides = array.strides();
  if (before != after) {
    if (shape.empty())
      raise(errors::ValueError,
            "Changing the dtype of a 0d array is only supported if the itemsize is unchanged");
    if (strides.back() != before && shape.back() != 1 && array.size() > 0)
      raise(errors::ValueError,
            "To change to a dtype of a different size, the last axis must be contiguous");
    std::int64_t bytes = shape.back() * before;
    if (bytes % after != 0)
      raise(errors::ValueError,
            "When changing to a larger dtype, its size must be a divisor of the total size in "
            "bytes of the last axis of the array.");
    shape.back() = bytes / after;
    strides.back() = after;
  }
  nd::Array made = array.view(shape, strides, 0, dtype);
  return array.dtype() == nd::DType::kBool ? made : with_sound_truths(made);
}

// The bytes of each element from `offset` on, as a narrower type.
nd::Array field_of(const nd::Array& array, nd::DType dtype, std::int64_t offset) {
  std::int64_t size = nd::item_size(array.dtype()), wanted = nd::item_size(dtype);
  if (offset < 0) raise(errors::ValueError, "offset must be non-negative");
  if (wanted > size) raise(errors::ValueError, "new type is larger than original type");
  if (offset > size - wanted)
    raise(errors::ValueError, "new type plus offset is larger than original type");
  return array.view(array.shape(), array.strides(), offset, dtype);
}

Value get_field(const Parameters& p) {
  return wrap_view(field_of(this_array(p[0]), to_dtype(p[1]), to_int64(p[2])), p[0]);
}

Value set_field(const Parameters& p) {
  nd::Array field = field_of(this_array(p[0]), to_dtype(p[2]), to_int64(p[3]));
  field.assign(to_array(p[1]));
  return Value::none();
}

// Whether npx is to be asked what this names: no element that native arrays hold.
bool may_be_boxed(const Value& dtype) {
  if (is_boxed_dtype(dtype) || is_list(dtype) || dtype.has_layout(Layout::kDict)) return true;
  if (!is_str(dtype)) return false;
  if (names_boxed_dtype(dtype)) return true;
  try {
    to_dtype(dtype);
    return false;
  } catch (const UnsupportedElements&) {
    return true;
  }
}

Value view(const Parameters& p) {
  nd::Array array = this_array(p[0]);
  Value cls = p[2];
  Value dtype = p[1];
  bool first_is_class = dtype.has_layout(Layout::kType) &&
                        dtype.as<Type>()->is_subclass_of(&ArrayObject::type_object());
  if (first_is_class) std::swap(cls, dtype);
  if (cls.has_layout(Layout::kType) && !cls.as<Type>()->is_subclass_of(&ArrayObject::type_object()))
    raise(errors::ValueError, "Type must be a sub-type of ndarray type");
  if (may_be_boxed(dtype)) {
    if (cls.is_none())
      for (auto seen : {texts_in_array, times_in_array})
        if (Value made = seen(p[0], dtype); !made.is_empty()) return made;
    Value boxed = call_in_npx("_boxed_view", {p[0], dtype});
    bool has_class = cls.has_layout(Layout::kType) ? cls.as<Type>() != &ArrayObject::type_object()
                                                   : is_subclass_array(p[0]);
    if (has_class && is_boxed_array(boxed))
      return call_in_npx("_boxed_in_class",
                         {boxed, p[0], cls.has_layout(Layout::kType) ? cls : Value(type_of(p[0]))});
    if (!identical(boxed, not_implemented())) return boxed;
  }
  if (!dtype.is_none() && !dtype.is_empty()) array = reinterpret(array, to_dtype(dtype));
  if (is_numpy_scalar(p[0])) return wrap_result(array);
  if (!cls.has_layout(Layout::kType))
    return wrap_view(array.view(array.shape(), array.strides(), 0), p[0]);
  return wrap_as(cls.as<Type>(), array.view(array.shape(), array.strides(), 0), p[0]);
}

Value resize(const Parameters& p) {
  if (!is_array(p[0])) raise(errors::ValueError, "resize only works on arrays");
  nd::Array& array = p[0].as<ArrayObject>()->array;
  Value wanted = spread_argument(p[1]);
  if (wanted.is_none() || p[1].as<Tuple>()->size() == 0) return Value::none();
  nd::Dims shape = to_shape(wanted);
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; }))
    raise(errors::ValueError, "negative dimensions not allowed");
  if (!array.owns_data() && (array.size() > 0 || nd::element_count(shape) > 0))
    raise(errors::ValueError, "cannot resize this array: it does not own its data");
  bool fortran = array.is_f_contiguous() && !array.is_c_contiguous();
  nd::Array made = nd::Array::zeros(shape, array.dtype(), fortran ? nd::Order::kF : nd::Order::kC);
  std::int64_t count = std::min(made.size(), array.size());
  auto in_memory_order = [&](const nd::Array& each) {
    return fortran ? each.transpose().ravel() : each.ravel();
  };
  nd::Array source = in_memory_order(array), target = in_memory_order(made);
  nd::Dims length{count};
  if (count > 0)
    target.view(length, target.strides(), 0).assign(source.view(length, source.strides(), 0));
  array = made;
  return Value::none();
}

Value set_flags(const Parameters& p) {
  if (!p[3].is_none() && truth(p[3]))
    raise(errors::ValueError, "cannot set WRITEBACKIFCOPY flag to True");
  if (is_array(p[0]) && !p[1].is_none()) {
    const nd::Array& array = array_of(p[0]);
    bool on = truth(p[1]);
    if (on && array.base() && !array.base().writeable())
      raise(errors::ValueError, "cannot set WRITEABLE flag to True of this array");
    nd::Array(array).set_writeable(on);
  }
  if (is_array(p[0]) && !p[2].is_none()) p[0].as<ArrayObject>()->called_unaligned = !truth(p[2]);
  return Value::none();
}

// An array in the class of `self`; of a plain array and without axes it may become a scalar.
Value wrapped(const Parameters& p) {
  if (!is_array(p[1])) return p[1];
  bool given = p.has(3) && !p[3].is_none();
  bool decays = given ? truth(p[3]) : !is_array(p[0]);
  if (is_subclass_array(p[0]))
    return type_of(p[0]) == type_of(p[1]) ? p[1] : wrap_as(type_of(p[0]), array_of(p[1]), p[0]);
  if (decays && array_of(p[1]).rank() == 0) return wrap_result(array_of(p[1]));
  return is_subclass_array(p[1]) ? plain_view(array_of(p[1]), p[1]) : p[1];
}

const NativeRow kMethods[] = {
    {"reshape(self, /, *args, order='C', copy=None)", reshape,
     "The same elements in another shape; a view where possible."},
    {"ravel(self, /, order='C')", ravel, "Flattened; a view where possible."},
    {"flatten(self, /, order='C')", flatten, "A flattened copy."},
    {"transpose(self, /, *axes)", transpose, "A view with the axes reversed or in another order."},
    {"swapaxes(self, axis1, axis2, /)", swap_axes, "A view with two axes exchanged."},
    {"squeeze(self, /, axis=None)", squeeze, "A view without axes of length one."},
    {"copy(self, /, order='C')", copy, "A copy."},
    {"__copy__(self, /)",
     [](const Parameters& p) { return view_result(this_array(p[0]).copy(nd::Order::kKeep), p[0]); },
     "A copy, for the module copy."},
    {"__deepcopy__(self, memo, /)",
     [](const Parameters& p) { return view_result(this_array(p[0]).copy(nd::Order::kKeep), p[0]); },
     "A copy, for the module copy."},
    {"getfield(self, /, dtype, offset=0)", get_field,
     "A view of a part of each element, as another type."},
    {"setfield(self, /, val, dtype, offset=0)", set_field,
     "Puts values into a part of each element."},
    {"astype(self, /, dtype, order='K', casting=<none>, subok=True, copy=True)", as_type,
     "The elements converted to another type."},
    {"__array_finalize__(self, obj, /)", [](const Parameters&) { return Value::none(); },
     "Told about every new instance of a class that extends ndarray."},
    {"__array_wrap__(self, array, context=None, return_scalar=<none>, /)", wrapped,
     "An array in the class of this one."},
    {"view(self, /, dtype=None, type=None)", view,
     "A view of the same memory, with another element type or class."},
    {"resize(self, /, *new_shape, refcheck=True)", resize,
     "Changes shape and size in place; new elements are zero."},
    {"setflags(self, /, write=None, align=None, uic=None)", set_flags,
     "Sets whether the array may be written, and whether its flags say that it is aligned."},
};

}  // namespace

std::span<const NativeRow> array_shape_methods() { return kMethods; }

}  // namespace strider::lang
