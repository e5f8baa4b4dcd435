// The rule of numpy.arange.
#pragma once

#include <strider/nd/scalar.h>

namespace strider::nd {

// Elements are start + position * step, computed in the type of the terms and then converted:
// floats in their own type (halves in float32), integers in uint64.
struct RangeTerms {
  Scalar start, step;
};

// For values start, start + step, …: the step of floats is the difference of the first two elements
// as stored, as NumPy's fill has it.
RangeTerms range_terms(const Scalar& start, const Scalar& step, DType dtype);

}  // namespace strider::nd
