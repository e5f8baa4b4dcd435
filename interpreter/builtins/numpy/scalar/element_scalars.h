// NumPy scalars of elements in memory. Knows no arrays: who asks has the address.
#pragma once

#include <cstddef>
#include <cstring>

#include "interpreter/builtins/numpy/array/array_object.h"

namespace strider::lang {

// np.True_ or np.False_, of which there is one each.
Value truth_scalar(bool value);

template <class T>
inline Value read_scalar_as(const std::byte* at) {
  T element;
  std::memcpy(&element, at, sizeof element);
  return make<NumpyScalar>(nd::Scalar(element));
}

// The element at an address; the types that loops over elements mostly meet come first.
inline Value read_scalar(nd::DType dtype, const std::byte* at) {
  switch (dtype) {
    case nd::DType::kFloat64:
      return read_scalar_as<double>(at);
    case nd::DType::kInt64:
      return read_scalar_as<std::int64_t>(at);
    case nd::DType::kBool:
      return truth_scalar(*at != std::byte{0});
    default:
      return make_scalar(nd::Scalar(dtype, at));
  }
}

}  // namespace strider::lang
