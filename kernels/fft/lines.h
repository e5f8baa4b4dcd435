// Fourier transforms of lines in host memory. Knows no arrays.
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

// Lines before and after, of which `given` points are there. They are packed one after another; or,
// where there are several columns, so many lie side by side, in planes one after another.
struct LineSheet {
  const std::byte* from;
  std::byte* to;
  std::int64_t given, columns = 1;
};

// Whether lines that are columns can be transformed as they lie.
bool transforms_columns(const Transform& transform);

// Transforms lines: points beyond their length are cut off, missing ones are 0. What must be real
// of a spectrum's ends is taken to be. The complex side of a real transform is conjugated where
// that is forward to real, or backward to complex. Multiplies by `factor`.
void transform_lines(const Transform& transform, const LineSheet& sheet, double factor);

}  // namespace strider::nd
