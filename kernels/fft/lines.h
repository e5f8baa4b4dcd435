// Fourier transforms of packed lines in host memory. Knows no arrays and no axes.
#pragma once

#include "kernels/backend/library.h"

namespace strider::nd {

// The points of a line before and after a transform.
inline std::int64_t points_given(const Transform& transform) {
  bool half = transform.kind == TransformKind::kComplexToReal;
  return half ? transform.length / 2 + 1 : transform.length;
}
inline std::int64_t points_made(const Transform& transform) {
  bool half = transform.kind == TransformKind::kRealToComplex;
  return half ? transform.length / 2 + 1 : transform.length;
}

// Transforms lines of which `given` points are there: more are cut off, missing ones are 0. What
// must be real of a spectrum's ends is taken to be. The complex side of a real transform is
// conjugated where that is forward to real, or backward to complex. Multiplies by `factor`.
void transform_lines(const Transform& transform, std::int64_t given, const std::byte* from,
                     std::byte* to, double factor);

}  // namespace strider::nd
