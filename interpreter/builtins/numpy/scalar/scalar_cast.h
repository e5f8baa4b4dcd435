// Single elements as elements of another type: converted as whole arrays are, or refused.
#pragma once

#include <strider/nd/scalar.h>

#include "interpreter/runtime/value/value.h"

namespace strider::lang {

// An element converted as astype converts it; overflow and invalid values are those of a cast.
nd::Scalar cast_scalar(const nd::Scalar& value, nd::DType dtype);
// A number of Python's in an inexact type: nothing is told of what becomes too small for it.
nd::Scalar rounded_scalar(const nd::Scalar& number, nd::DType dtype);
// What a NumPy scalar stores in an array of `dtype`: signed integers refuse NaN and what does not
// fit them, all others take what a cast gives.
nd::Scalar stored_scalar(const nd::Scalar& value, nd::DType dtype);
// What np.array(value, dtype) holds of a number: NumPy scalars and arrays without axes are cast.
nd::Scalar converted_scalar(const Value& value, nd::DType dtype);

}  // namespace strider::lang
