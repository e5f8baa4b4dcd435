// Copies elements between layouts and element types. Checks nothing but what its callers promise.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

// Copies every element of `source` (same shape) into `target`, converting; the two must not
// overlap unless they are the same elements in the same places.
void copy_elements(std::byte* target, const Dims& target_strides, DType target_dtype,
                   const std::byte* source, const Dims& source_strides, DType source_dtype,
                   const Dims& shape);

// A loop that converts `count` elements with these steps in bytes.
using CastLoop = void (*)(const std::byte* source, std::int64_t source_step, std::byte* target,
                          std::int64_t target_step, std::int64_t count);
CastLoop cast_loop(DType from, DType to);

// True when the conversion can raise a floating-point condition.
bool cast_may_raise(DType from, DType to);

}  // namespace strider::nd
