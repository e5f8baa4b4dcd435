// Helpers of the array tests: arrays from lists, values back, the message of an error.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/error.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace strider::nd {

template <class T>
Array array_of(std::initializer_list<T> values) {
  return Array::copy_of(values.begin(), static_cast<std::int64_t>(values.size()), dtype_of<T>);
}

inline Array counting(const Dims& shape, DType dtype = DType::kInt64) {
  Scalar zero = Scalar(std::int64_t{0}), one = Scalar(std::int64_t{1});
  return Array::arange(zero, one, element_count(shape), DType::kInt64).astype(dtype).reshape(shape);
}

template <class T>
std::vector<T> values_of(const Array& array) {
  Array packed = array.contiguous(dtype_of<T>);
  const T* first = packed.as<T>();
  return std::vector<T>(first, first + packed.size());
}

// What the call complains of; empty when it does not.
template <class Call>
std::string complaint(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace strider::nd
