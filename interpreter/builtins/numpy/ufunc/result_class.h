// The class of what ufuncs return: that of the input with the highest __array_priority__, whose
// __array_wrap__ makes it. Knows nothing of loops.
#pragma once

#include <strider/nd/ufunc.h>

#include <span>

#include "interpreter/builtins/numpy/array/array_object.h"

namespace strider::lang {

// Whether an input may decide the class of the results: no plain array, number or list does.
inline bool may_decide_class(const Value& value) {
  return is_subclass_array(value) || (value.is_object() && type_of(value)->has(Type::kUserDefined));
}
// Whether the class has an __array_wrap__ written in the language.
bool wraps_itself(const Value& value);
// The input that decides the class of the results; Empty where they are plain arrays.
Value class_model(std::span<const Value> inputs);
// Result number `index` of ufunc(*inputs) in the class of the model; a scalar where it has no axes
// and there is no model.
Value wrap_by_model(nd::Array result, const Value& model, nd::Op op, std::span<const Value> inputs,
                    int index = 0);
// The same for a ufunc that is not made of instructions.
Value wrap_by_model(nd::Array result, const Value& model, const Value& ufunc,
                    std::span<const Value> inputs, int index = 0);
// What an array is reduced or accumulated to, in its class; a scalar where that is a plain array
// and the result has no axes.
Value wrap_reduced(nd::Array result, const Value& array);
// The same, or `out` where that was given; warns where it holds no imaginary parts.
Value reduced_result(nd::Array result, const Value& out, const Value& array);

}  // namespace strider::lang
