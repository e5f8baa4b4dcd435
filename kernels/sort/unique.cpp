// unique and isin: distinct values found by sorting; members by a table where integers lie close
// together, one by one where they are few.
#include <strider/nd/error.h>
#include <strider/nd/index.h>
#include <strider/nd/sort.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/index/arranging.h"
#include "kernels/sort/keys.h"
#include "kernels/sort/unique_table.h"
#include "kernels/sort/unique_there.h"

namespace strider::nd {
namespace {

template <class T>
bool is_nan(T value) {
  if constexpr (kIsComplex<T>)
    return value.real() != value.real() || value.imag() != value.imag();
  else if constexpr (kIsFloating<T>)
    return to_key(value) > to_key(std::bit_cast<T>(kInfinityBits<KeyOf<T>>));
  else
    return false;
}

template <class T>
bool are_same(T a, T b, bool equal_nan) {
  if (is_nan(a) || is_nan(b)) return equal_nan && is_nan(a) && is_nan(b);
  return !comes_before(a, b) && !comes_before(b, a);
}

template <class T>
bool differ(T a, T b, bool equal_nan) {
  if constexpr (std::is_arithmetic_v<T>)
    return (a != b) & !(equal_nan & (a != a) & (b != b));
  else
    return !are_same(a, b, equal_nan);
}

// Whether complex numbers end with several NaN, of which the first to stand there is kept.
bool ends_with_nan(const Array& sorted) {
  bool several = false;
  dispatch(sorted.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (kIsComplex<T>)
      several = sorted.size() > 1 && is_nan(sorted.as<T>()[sorted.size() - 2]);
  });
  return several;
}

// The first `count` elements, as an array of its own where much else would be kept.
Array first_elements(const Array& array, std::int64_t count) {
  Array view = array.view({count}, {item_size(array.dtype())}, 0);
  return count == array.size() ? array : view.copy();
}

// Calls keep(i) for the places of sorted values where a new one begins; what does not count is
// overwritten, so that nothing branches where values and repetitions mix. Returns how many count.
template <class T, class Keep>
std::int64_t keep_new(const T* values, std::int64_t size, bool equal_nan, Keep&& keep) {
  constexpr std::int64_t kBlock = 32;
  std::int64_t count = 0, i = 0;
  if (size > 0) keep(count++, i++);
  for (; i < size; i = std::min(i + kBlock, size)) {
    std::int64_t end = std::min(i + kBlock, size);
    // Between equal values all are equal.
    if (!differ(values[i - 1], values[end - 1], equal_nan)) continue;
    std::uint8_t flags[kBlock];
    for (std::int64_t k = 0; k < end - i; ++k)
      flags[k] = differ(values[i + k - 1], values[i + k], equal_nan);
    for (std::int64_t k = 0; k < end - i; ++k) {
      keep(count, i + k);
      count += flags[k];
    }
  }
  return count;
}

// The distinct values of sorted ones.
Array distinct_values(const Array& sorted, bool equal_nan) {
  Array values = Array::empty(sorted.shape(), sorted.dtype());
  std::int64_t count = 0;
  dispatch(sorted.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = sorted.as<T>();
    T* to = values.mutable_as<T>();
    count = keep_new(from, sorted.size(), equal_nan,
                     [=](std::int64_t at, std::int64_t i) { to[at] = from[i]; });
  });
  return first_elements(values, count);
}

// Where each distinct value of sorted ones begins.
Array starts_of_values(const Array& sorted, bool equal_nan) {
  Array starts = Array::empty(sorted.shape(), DType::kInt64);
  std::int64_t* to = starts.mutable_as<std::int64_t>();
  std::int64_t count = 0;
  dispatch(sorted.dtype(), [&](auto zero) {
    using T = decltype(zero);
    count = keep_new(sorted.as<T>(), sorted.size(), equal_nan,
                     [=](std::int64_t at, std::int64_t i) { to[at] = i; });
  });
  return first_elements(starts, count);
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

// The number of the value of each element, by the order of the elements and the starts of values.
Array value_numbers(const Array& order, const Array& starts) {
  Array numbers = Array::empty(order.shape(), DType::kInt64);
  const std::int64_t *places = order.as<std::int64_t>(), *from = starts.as<std::int64_t>();
  std::int64_t* to = numbers.mutable_as<std::int64_t>();
  for (std::int64_t number = 0; number < starts.size(); ++number) {
    std::int64_t end = number + 1 < starts.size() ? from[number + 1] : order.size();
    for (std::int64_t i = from[number]; i < end; ++i) to[places[i]] = number;
  }
  return numbers;
}

}  // namespace

Unique unique(const Array& array, bool want_index, bool want_inverse, bool want_counts,
              bool equal_nan) {
  Array flat = array.reshape({array.size()});
  if (find_workbench({&flat})) {
    Unique result = unique_there(flat, want_index, want_inverse, want_counts, equal_nan);
    if (want_inverse) result.inverse = result.inverse.reshape(array.shape());
    return result;
  }
  Unique result;
  if (!want_index && !want_inverse && !want_counts) {
    Array sorted = sort(flat, 0);
    result.values = equal_nan && ends_with_nan(sorted) ? sort(unique_by_table(flat, equal_nan), 0)
                                                       : distinct_values(sorted, equal_nan);
    return result;
  }
  Array order, sorted;
  if (want_index || want_inverse) {
    order = argsort(flat, 0, SortKind::kStable);
    sorted = take(flat, order, 0);
  } else {
    sorted = sort(flat, 0);
  }
  Array starts = starts_of_values(sorted, equal_nan);
  result.values = take(sorted, starts, 0);
  if (want_index) result.index = take(order, starts, 0);
  if (want_inverse) result.inverse = value_numbers(order, starts).reshape(array.shape());
  if (want_counts) result.counts = run_lengths(starts, flat.size());
  return result;
}

Array unique_values(const Array& array, bool equal_nan) {
  if (is_kept_in_table(array.dtype()))
    return unique_by_table(array.reshape({array.size()}), equal_nan);
  return unique(array, false, false, false, equal_nan).values;
}

namespace {

// Integers as 64 bits, of which differences are right whatever the sign.
template <class T>
std::uint64_t widen(T value) {
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
  return static_cast<std::uint64_t>(static_cast<Wide>(value));
}

// Marks members among integers that span no more than some times the number of elements; whether
// they did.
template <class T>
bool look_up(std::span<const T> values, std::span<const T> tests, bool invert, std::uint8_t* to) {
  if (tests.empty()) return false;
  auto [least, most] = std::minmax_element(tests.begin(), tests.end());
  std::uint64_t first = widen(*least), span = widen(*most) - first;
  if (span > 6 * (values.size() + tests.size())) return false;
  std::vector<std::uint8_t> known(span + 1, invert);
  for (T test : tests) known[widen(test) - first] = !invert;
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t at = widen(values[i]) - first;
    to[i] = at <= span ? known[at] : invert;
  }
  return true;
}

// Compares all with each of few tests.
template <class T>
void compare_each(std::span<const T> values, std::span<const T> tests, bool invert,
                  std::uint8_t* to) {
  std::fill_n(to, values.size(), invert);
  constexpr std::size_t kBlock = 2048;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    std::size_t end = std::min(values.size(), begin + kBlock);
    for (T test : tests)
      for (std::size_t i = begin; i < end; ++i)
        to[i] = static_cast<std::uint8_t>((to[i] != invert) | (values[i] == test)) ^ invert;
  }
}

// Marks members without sorting the tests, where that is quicker; whether it was.
bool mark_members(const Array& wanted, const Array& tests, bool invert, std::uint8_t* to) {
  constexpr std::int64_t kFew = 32;
  bool found = false;
  dispatch(wanted.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_arithmetic_v<T>) {
      std::span<const T> values(wanted.as<T>(), static_cast<std::size_t>(wanted.size()));
      std::span<const T> known(tests.as<T>(), static_cast<std::size_t>(tests.size()));
      if constexpr (std::is_integral_v<T>) found = look_up(values, known, invert, to);
      if (found || tests.size() > kFew) return;
      compare_each(values, known, invert, to);
      found = true;
    }
  });
  return found;
}

}  // namespace

Array isin(const Array& elements, const Array& test_elements, bool invert) {
  DType dtype = promote(elements.dtype(), test_elements.dtype());
  Array wanted = elements.contiguous(dtype);
  if (!find_workbench({&test_elements, &wanted})) {
    Array result = Array::empty(elements.shape(), DType::kBool);
    auto to = reinterpret_cast<std::uint8_t*>(result.mutable_data());
    if (mark_members(wanted, test_elements.contiguous(dtype), invert, to)) return result;
  }
  Array tests = sort(test_elements.astype(dtype), std::nullopt);
  Array places = searchsorted(tests, wanted);
  if (find_workbench({&tests, &wanted})) return compare_found(tests, wanted, places, invert);
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
