// The tables of methods and attributes that arrays and NumPy scalars share, by file, and what
// their functions have in common.
#pragma once

#include <span>

#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/runtime/call/call.h"

namespace strider::lang {

// Adds every table to ndarray or numpy.generic.
void add_array_methods(Type& type);

std::span<const NativeRow> array_reduction_methods();
std::span<const NativeRow> array_shape_methods();
std::span<const NativeRow> array_value_methods();
std::span<const PropertyRow> array_properties();

// `self` of a method as an array: a scalar is a 0-d one.
nd::Array this_array(const Value& self);
// The same for whoever looks at the elements at once: a pending scalar is settled.
nd::Array read_array(const Value& self);
// The same for whoever does not look at them: a pending scalar is not copied, either.
nd::Array peek_array(const Value& self);
// The result of a method that gives views: a scalar for a scalar, else a view of `self`.
Value view_result(nd::Array result, const Value& self);
// An array of truths as it is, unless bytes of other programs are neither 0 nor 1: then a copy.
nd::Array with_sound_truths(const nd::Array& array);
// What a function with out= returns: the object given, else the result.
Value out_result(nd::Array result, const Value& out, const Value& model = Value());

// numpy.ndarray.flags and numpy.ndarray.flat of an array object.
Value make_flags(const Value& array);
Value make_flat(const Value& array);
Type& flat_iterator_type();
void assign_flat(const Value& array, const Value& values);

}  // namespace strider::lang
