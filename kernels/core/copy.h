// Copies elements between layouts and element types. Checks nothing but what its callers promise.
#pragma once

#include <strider/nd/array.h>

#include "kernels/backend/cpu/kernels.h"

namespace strider::nd {

// Copies every element of `source` (same shape) into `target`, converting; the two must not
// overlap unless they are the same elements in the same places.
void copy_elements(std::byte* target, const Dims& target_strides, DType target_dtype,
                   const std::byte* source, const Dims& source_strides, DType source_dtype,
                   const Dims& shape);

// The loop that converts one type to another.
inline CastLoop cast_loop(DType from, DType to) {
  return kernels().casts[static_cast<int>(from)][static_cast<int>(to)];
}

// True when the conversion can raise a floating-point condition.
bool cast_may_raise(DType from, DType to);

}  // namespace strider::nd
