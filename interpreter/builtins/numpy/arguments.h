// Conversions of arguments that the functions of numpy share: lists of arrays, optional axes,
// results in tuples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/builtins/numpy/array/array_object.h"

namespace strider::lang {

// The arrays of a sequence; an array is a sequence of its rows. TypeError for what is no sequence.
std::vector<nd::Array> to_arrays(const Value& sequence);
// As to_arrays; TypeError in the words of numpy.stack for what is no sequence.
std::vector<nd::Array> to_stacked_arrays(const Value& sequence);
// The type that the items share where Python's numbers, which are among them, yield to arrays and
// NumPy's scalars; none where there are no such numbers.
std::optional<nd::DType> type_beside_numbers(const Value& sequence);
// Positions: as to_array, where an empty list has integers.
nd::Array to_positions(const Value& value);
// True and `count` set for what counts as one integer: no array with axes.
bool try_count(const Value& value, std::int64_t& count);
// An axis, or none for None.
std::optional<int> to_optional_axis(const Value& value);
int to_axis_number(const Value& value);
// Neither absent nor None.
bool is_given(const Value& value);
// A tuple of array objects.
Value array_tuple(std::vector<nd::Array> arrays);
// The path meant by a str, bytes or an object with __fspath__; TypeError otherwise.
std::string to_path(const Value& value);

}  // namespace strider::lang
