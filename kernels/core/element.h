// Elements of arrays as scalars. Knows nothing of where they lie.
#pragma once

#include <strider/nd/scalar.h>

#include <cstddef>

#include "kernels/core/unaligned.h"

namespace strider::nd {

// The element of this type that stands there, copied as what it is rather than as so many bytes.
inline Scalar load_element(DType dtype, const std::byte* at) {
  return dispatch(dtype, [at](auto element) {
    return Scalar(load<decltype(element)>(at));
  });
}

}  // namespace strider::nd
