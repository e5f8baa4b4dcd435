// What numpy's functions give for arrays of times and of boxed elements where no rule in npx has to
// be asked: answers that are found by the function's name.
#pragma once

#include <strider/nd/ops.h>

#include <optional>

#include "interpreter/builtins/numpy/elements/boxed_classes.h"

namespace strider::lang {

inline constexpr std::int64_t kFewTimes = 4096;  // beyond, native loops of the library are faster

// The answers for one kind of arrays; Empty results: npx has to see to it.
struct ElementAnswers {
  using Answer = Value (*)(const Value& function, const Arguments& arguments);
  Answer rearrange, join, choose, sort, order, zeros_like;
};
extern const ElementAnswers kTimeAnswers;
extern const ElementAnswers kBoxedAnswers;

// What a ufunc gives for two operands of which one is an array of texts or bytes; Empty where npx
// has to see to it.
Value combine_texts(nd::Op op, const Value& first, const Value& second);
// The elements of an array of texts, bytes or objects at places that an array, or a scalar, tells.
Value pick_boxed(const Value& self, const Value& places);
// An item of such an array as its subscripts show it; Empty for other elements.
Value shown_item(const Value& item, const Value& dtype);

// A copy of an array; Empty where npx has to see to it.
Value copy_of_times(const Value& self);
Value copy_of_boxed(const Value& self);

// An array of moments from texts such as "2024-03-01"; Empty where npx has to see to it.
Value moments_from_texts(std::span<const Value> texts, const Value& dtype);

// The native element type that a value names at once; none for others.
std::optional<nd::DType> read_native_dtype(const Value& value);

// Whether what stands behind the first argument of a function leaves the answer to numpy: no object
// of a program's class, and no output.
bool rests_with_numpy(const Arguments& arguments);
// What reshape(self, *extents, shape, order, copy) was called with behind itself, and what a native
// array gives for that.
ArgumentList reshape_arguments(const Parameters& p);
Value reshaped(const Value& array, const Parameters& p);

// Whether a call is of such arrays: one of its first arguments is, or an item of the first.
bool concerns_elements(const Arguments& arguments);
// What the function gives; Empty where npx has to see to it.
Value answer_for_elements(const Value& function, std::string_view name, const Arguments& arguments);
// The same of zeros, empty, full and frombuffer, of which the arguments name the dtype.
Value make_elements(const NativeFunction& function, const Arguments& arguments);
// array.view(dtype) of a native array and a dtype of texts or bytes; Empty where npx has to see to
// it.
Value texts_in_array(const Value& array, const Value& dtype);
// The same of a dtype of times.
Value times_in_array(const Value& array, const Value& dtype);
// frombuffer(buffer, dtype, count, offset) of a dtype of texts or bytes.
Value texts_in_buffer(const NativeFunction& function, const Arguments& arguments);

// An array of nothing of a dtype of texts, bytes, times or objects; `zeros`: of objects 0, else
// None.
Value make_blank(const nd::Dims& shape, const Value& dtype, bool zeros);
// An array of one axis that keeps these items as they are; Empty where a dtype changes some.
Value make_kept(std::span<const Value> items, const Value& dtype);

// The same of texts or bytes, which a dtype may cut or turn into the other kind.
Value make_texts(std::span<const Value> items, const Value& dtype);
// An array of whole numbers as texts or bytes of a dtype; Empty where npx has to see to it.
Value numbers_as_texts(const Value& self, const Value& dtype);
// A native array as objects, times, texts or bytes of a dtype; Empty as above.
Value numbers_as_elements(const Value& self, const Value& dtype);
// An array of objects of items that are none of numbers and texts alone; Empty where npx has to
// find out what they are.
Value gather_objects(std::span<const Value> items);
// arange(start, stop, step, dtype) of moments or lengths of time; Empty as above.
Value range_of_times(const Arguments& arguments);
// An array of one moment, or length of time, that repeats.
Value filled_with_time(const nd::Dims& shape, const Value& time);

// Arrays of records: of nothing, of a list of tuples, like another one; Empty where fields are of
// records or of arrays, and where npx has to see to an element. `of_objects`: fields of objects,
// too.
Value make_zero_records(const nd::Dims& shape, const Value& dtype, bool of_objects);
Value make_listed_records(std::span<const Value> rows, const Value& dtype);
Value join_records(const Value& function, const Arguments& arguments);
Value zero_records_like(const Value& array, bool of_objects);
bool is_records_dtype(const Value& dtype);
// The dtype that a list of pairs of texts, name and kind, tells; Empty for other values.
Value listed_dtype(const Value& value);
bool is_records(const Value& array);

// Whether a method sort(axis, kind, order, stable) is asked for its default way.
bool sorts_usually(const Parameters& p);

// leave_to_functions(names): functions of numpy in npx that are made of others, for which arrays
// may be of boxed elements or times: they are called at once.
Value leave_to_functions(const Parameters& p);
bool is_left_to_function(std::string_view name);

// Gives the class of arrays of times, or of boxed elements, native subscripts and methods.
void give_time_array_slots(Type& type);
void give_boxed_array_slots(Type& type);

// isnat(x): NotImplemented of what is no time of numpy's own classes.
Value is_no_time(const Parameters& p);

}  // namespace strider::lang
