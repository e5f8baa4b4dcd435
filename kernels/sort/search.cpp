// searchsorted and digitize: binary search in sorted values.
#include <strider/nd/error.h>
#include <strider/nd/index.h>
#include <strider/nd/sort.h>
#include <strider/nd/threads.h>
#include <strider/nd/ufunc.h>

#include <algorithm>

#include "kernels/index/arranging.h"
#include "kernels/sort/keys.h"

namespace strider::nd {
namespace {

// The first place in sorted[begin, end) whose element does not come before `value` (`kRight`: that
// comes after it).
template <bool kRight, class T>
std::int64_t find_place(const T* sorted, std::int64_t begin, std::int64_t end, T value) {
  while (begin < end) {
    std::int64_t middle = begin + (end - begin) / 2;
    bool after =
        kRight ? !comes_before(value, sorted[middle]) : comes_before(sorted[middle], value);
    begin = after ? middle + 1 : begin;
    end = after ? end : middle;
  }
  return begin;
}

// The same among all of `size` numbers for a number, in as many steps for every one: nothing is to
// be guessed. NaN come last and are before none.
template <bool kRight, class T>
std::int64_t find_place_evenly(const T* sorted, std::int64_t size, T value) {
  auto is_before = [value](T element) { return kRight ? element <= value : element < value; };
  const T* first = sorted;
  std::int64_t rest = size;
  while (rest > 1) {
    std::int64_t half = rest / 2;
    const T* behind = first + half;
    first = is_before(behind[-1]) ? behind : first;
    rest -= half;
  }
  return first - sorted + (rest == 1 && is_before(*first));
}

// Places of many values; among many elements, rising values start where the last one was found.
template <bool kRight, class T>
void find_places(const T* sorted, std::int64_t size, const T* values, std::int64_t count,
                 std::int64_t* places) {
  if constexpr (std::is_arithmetic_v<T>) {
    constexpr std::int64_t kInFirstCache = 1 << 12, kMany = 8;
    if (size <= kInFirstCache && count >= kMany) {
      for (std::int64_t i = 0; i < count; ++i)
        places[i] = values[i] == values[i] ? find_place_evenly<kRight>(sorted, size, values[i])
                                           : find_place<kRight>(sorted, 0, size, values[i]);
      return;
    }
  }
  std::int64_t begin = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0 && comes_before(values[i], values[i - 1])) begin = 0;
    begin = find_place<kRight>(sorted, begin, size, values[i]);
    places[i] = begin;
  }
}

void check_sorted_rank(const Array& sorted) {
  if (sorted.rank() == 0)
    throw Error(ErrorKind::kValue, "object of too small depth for desired array");
  if (sorted.rank() > 1) throw Error(ErrorKind::kValue, "object too deep for desired array");
}

Array apply_sorter(const Array& sorted, const Array& sorter) {
  if (!is_integer(sorter.dtype()))
    throw Error(ErrorKind::kType, "sorter must only contain integers");
  if (sorter.rank() != 1) throw Error(ErrorKind::kType, "could not parse sorter argument");
  if (sorter.size() != sorted.size())
    throw Error(ErrorKind::kValue, "sorter.size must equal a.size");
  Array places = sorter.contiguous(DType::kInt64);
  const std::int64_t *first = places.as<std::int64_t>(), size = sorted.size();
  bool fits = std::all_of(first, first + places.size(),
                          [size](std::int64_t place) { return place >= 0 && place < size; });
  if (!fits) throw Error(ErrorKind::kValue, "Sorter index out of range.");
  return take(sorted, places, 0);
}

// The search on a device; null where that has nothing for it.
Array search_there(const Array& ordered, const Array& wanted, bool right) {
  Workbench bench = find_workbench({&ordered, &wanted});
  if (!bench) return Array();
  Array places = bench.make(wanted.shape(), DType::kInt64);
  const std::byte *from = bench.read(ordered), *values = bench.read(wanted);
  bool done = bench.arranger->search(ordered.dtype(), from, ordered.size(), values, wanted.size(),
                                     right, bench.write_as<std::int64_t>(places));
  return done ? places : Array();
}

}  // namespace

Array searchsorted(const Array& sorted, const Array& values, bool right, const Array* sorter) {
  check_sorted_rank(sorted);
  DType dtype = promote(sorted.dtype(), values.dtype());
  Array ordered = (sorter ? apply_sorter(sorted, *sorter) : sorted).contiguous(dtype);
  Array wanted = values.contiguous(dtype);
  if (Array places = search_there(ordered, wanted, right)) return places;
  Array result = Array::empty(wanted.shape(), DType::kInt64);
  std::int64_t* places = result.mutable_as<std::int64_t>();
  dispatch(dtype, [&](auto zero) {
    using T = decltype(zero);
    auto search = right ? find_places<true, T> : find_places<false, T>;
    const T *from = ordered.as<T>(), *value = wanted.as<T>();
    parallel_for(wanted.size(), 4096, [&](std::int64_t begin, std::int64_t end) {
      search(from, ordered.size(), value + begin, end - begin, places + begin);
    });
  });
  return result;
}

namespace {

// +1 rising, -1 falling, 0 neither; a constant sequence rises. The first two that are not equal
// tell, and NaN, which is neither more nor less than anything, is in nobody's way.
int direction_of(const Array& bins) {
  Array values = bins.contiguous(DType::kFloat64);
  const double* at = values.as<double>();
  std::int64_t size = values.size(), first = 1;
  while (first < size && at[first - 1] == at[first]) ++first;
  if (first >= size) return 1;
  bool rises = at[first - 1] < at[first];
  for (std::int64_t i = first; i < size; ++i) {
    if (rises ? at[i - 1] > at[i] : at[i - 1] < at[i]) return 0;
  }
  return rises ? 1 : -1;
}

}  // namespace

Array digitize(const Array& values, const Array& bins, bool right) {
  if (is_complex(values.dtype())) throw Error(ErrorKind::kType, "x may not be complex");
  check_sorted_rank(bins);
  int direction = direction_of(bins);
  if (direction == 0)
    throw Error(ErrorKind::kValue, "bins must be monotonically increasing or decreasing");
  if (direction > 0) return searchsorted(bins, values, !right);
  std::int64_t size = bins.size();
  Array turned = bins.view({size}, {-bins.strides()[0]}, (size - 1) * bins.strides()[0]);
  return apply(Op::kSubtract, Operand(Scalar(size)), searchsorted(turned, values, !right));
}

}  // namespace strider::nd
