// unique and isin: distinct values found by sorting.
#include <strider/nd/error.h>
#include <strider/nd/index.h>
#include <strider/nd/sort.h>

#include <algorithm>

#include "kernels/sort/keys.h"

namespace strider::nd {
namespace {

template <class T>
bool is_nan(T value) {
  if constexpr (kIsComplex<T>)
    return value.real() != value.real() || value.imag() != value.imag();
  else if constexpr (kIsFloating<T>)
    return to_key(value) == static_cast<KeyOf<T>>(~KeyOf<T>{0});
  else
    return false;
}

template <class T>
bool are_same(T a, T b, bool equal_nan) {
  if (is_nan(a) || is_nan(b)) return equal_nan && is_nan(a) && is_nan(b);
  return !comes_before(a, b) && !comes_before(b, a);
}

// One where an element differs from the one before it.
Array first_of_each(const Array& sorted, bool equal_nan) {
  Array starts = Array::empty({sorted.size()}, DType::kBool);
  auto flags = reinterpret_cast<std::uint8_t*>(starts.mutable_data());
  dispatch(sorted.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* values = sorted.as<T>();
    for (std::int64_t i = 0; i < sorted.size(); ++i)
      flags[i] = i == 0 || !are_same(values[i - 1], values[i], equal_nan);
  });
  return starts;
}

Array masked(const Array& array, const Array& mask) {
  IndexItem item = IndexItem::of_array(mask);
  return get(array, {&item, 1});
}

// The differences of the starts, closed by the number of elements.
Array run_lengths(const Array& starts, std::int64_t size) {
  Array counts = Array::empty(starts.shape(), DType::kInt64);
  const std::int64_t* from = starts.as<std::int64_t>();
  std::int64_t* to = counts.mutable_as<std::int64_t>();
  std::int64_t runs = starts.size();
  for (std::int64_t i = 0; i < runs; ++i) to[i] = (i + 1 < runs ? from[i + 1] : size) - from[i];
  return counts;
}

Array value_numbers(const Array& order, const Array& starts) {
  Array numbers = Array::empty(order.shape(), DType::kInt64);
  const std::int64_t* places = order.as<std::int64_t>();
  auto flags = reinterpret_cast<const std::uint8_t*>(starts.data());
  std::int64_t* to = numbers.mutable_as<std::int64_t>();
  std::int64_t number = -1;
  for (std::int64_t i = 0; i < order.size(); ++i) to[places[i]] = number += flags[i];
  return numbers;
}

}  // namespace

Unique unique(const Array& array, bool want_index, bool want_inverse, bool want_counts,
              bool equal_nan) {
  Array flat = array.reshape({array.size()});
  Unique result;
  Array order, sorted;
  if (want_index || want_inverse) {
    order = argsort(flat, 0);
    sorted = take(flat, order, 0);
  } else {
    sorted = sort(flat, 0);
  }
  Array starts = first_of_each(sorted, equal_nan);
  result.values = masked(sorted, starts);
  if (want_index) result.index = masked(order, starts);
  if (want_inverse) result.inverse = value_numbers(order, starts).reshape(array.shape());
  if (want_counts) result.counts = run_lengths(flatnonzero(starts), flat.size());
  return result;
}

Array isin(const Array& elements, const Array& test_elements, bool invert) {
  DType dtype = promote(elements.dtype(), test_elements.dtype());
  Array wanted = elements.contiguous(dtype);
  Array tests = sort(test_elements.astype(dtype), std::nullopt);
  Array places = searchsorted(tests, wanted);
  Array result = Array::empty(elements.shape(), DType::kBool);
  const std::int64_t* at = places.as<std::int64_t>();
  auto to = reinterpret_cast<std::uint8_t*>(result.mutable_data());
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    const T *values = wanted.as<T>(), *known = tests.as<T>();
    for (std::int64_t i = 0; i < wanted.size(); ++i)
      to[i] = (at[i] < tests.size() && are_same(known[at[i]], values[i], false)) != invert;
  });
  return result;
}

}  // namespace strider::nd
