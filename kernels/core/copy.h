// Copies elements between layouts and element types. Checks nothing but what its callers promise.
#pragma once

#include <strider/nd/array.h>

#include <cstring>

#include "kernels/backend/cpu/kernels.h"

namespace strider::nd {

// Copies every element of `source` (same shape) into `target`, converting; the two must not
// overlap unless they are the same elements in the same places.
void copy_elements(std::byte* target, const Dims& target_strides, DType target_dtype,
                   const std::byte* source, const Dims& source_strides, DType source_dtype,
                   const Dims& shape);

// As std::memmove, but never slow: see backend/cpu/copying.cpp.
inline void move_bytes(std::byte* target, const std::byte* source, std::int64_t count) {
  constexpr std::int64_t kShort = 1024;
  bool apart = target + count <= source || source + count <= target;
  if (count < kShort || !apart)
    std::memmove(target, source, static_cast<std::size_t>(count));
  else
    kernels().copy_run(target, source, count);
}

// The loop that converts one type to another.
inline CastLoop cast_loop(DType from, DType to) {
  return kernels().casts[static_cast<int>(from)][static_cast<int>(to)];
}

// True when the conversion can raise a floating-point condition.
bool cast_may_raise(DType from, DType to);

}  // namespace strider::nd
