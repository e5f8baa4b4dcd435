// Elements of arrays as scalars. Knows nothing of where they lie.
#pragma once

#include <strider/nd/scalar.h>

#include <cstddef>
#include <cstring>

namespace strider::nd {

// The element of this type that stands there, copied as what it is rather than as so many bytes.
inline Scalar load_element(DType dtype, const std::byte* at) {
  return dispatch(dtype, [at](auto element) {
    std::memcpy(&element, at, sizeof element);
    return Scalar(element);
  });
}

}  // namespace strider::nd
