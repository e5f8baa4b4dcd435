// Numbers of C++ as numbers of the language.
#pragma once

#include <strider/nd/scalar.h>

#include <type_traits>

#include "interpreter/builtins/numpy/array/array_object.h"

namespace strider::lang {

// bool, int, float or complex, as ndarray.item() gives them.
template <class T>
Value python_number(T number) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>)
    return Value::real(number);
  else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, std::uint64_t> &&
                     !std::is_same_v<T, bool>)
    return Value::integer(number);
  else
    return to_python(nd::Scalar(number));
}

}  // namespace strider::lang
