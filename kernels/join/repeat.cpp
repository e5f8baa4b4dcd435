// repeat, tile, roll, flip: one array's elements again, shifted or turned round.
#include <strider/nd/error.h>
#include <strider/nd/index.h>
#include <strider/nd/join.h>
#include <strider/nd/reduce.h>
#include <strider/nd/sort.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/core/copy.h"
#include "kernels/graph/graph.h"
#include "kernels/index/arranging.h"
#include "kernels/index/walk.h"

namespace strider::nd {
namespace {

// The counts as int64, checked against the extent they repeat.
Array checked_counts(const Array& counts, std::int64_t extent) {
  if (!can_cast(counts.dtype(), DType::kInt64, Casting::kSafe))
    throw Error(ErrorKind::kType, "Cannot cast array data from dtype('" +
                                      std::string(name(counts.dtype())) +
                                      "') to dtype('int64') according to the rule 'safe'");
  if (counts.rank() > 1) throw Error(ErrorKind::kValue, "object too deep for desired array");
  Array result = counts.ravel().contiguous(DType::kInt64);
  const std::int64_t count = result.size();
  if (count != 1 && count != extent)
    throw Error(ErrorKind::kValue, "operands could not be broadcast together with shape (" +
                                       std::to_string(extent) + ",) (" + std::to_string(count) +
                                       ",)");
  const std::int64_t* at = result.as<std::int64_t>();
  if (extent > 0 && std::any_of(at, at + count, [](std::int64_t each) { return each < 0; })) {
    if (count == 1) throw Error(ErrorKind::kValue, "negative dimensions are not allowed");
    throw Error(ErrorKind::kValue, "repeats may not contain negative values.");
  }
  return result;
}

// Repeats each of `extent` elements this often.
template <class T, int kTimes>
std::byte* repeat_items_evenly(const std::byte* from, std::int64_t extent, std::byte* to) {
  for (std::int64_t i = 0; i < extent; ++i, to += kTimes * sizeof(T)) {
    T value;
    std::memcpy(&value, from + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    for (int n = 0; n < kTimes; ++n) std::memcpy(to + n * sizeof(T), &value, sizeof(T));
  }
  return to;
}

// A number of copies that are written at once: a vector of them, and no fewer than four.
template <class T>
struct Copies {
  static constexpr std::int64_t kSize = sizeof(T), kVector = 16;
  static constexpr std::int64_t kCount = std::max<std::int64_t>(4, kVector / kSize);
  typedef T Vector __attribute__((vector_size(kVector)));

  explicit Copies(T value) : values(Vector{} + value) {}
  void write(std::byte* to) const {
    for (std::int64_t n = 0; n < kCount * kSize; n += kVector)
      std::memcpy(to + n, &values, kVector);
  }
  Vector values;
};
template <>
struct Copies<Word128> {
  static constexpr std::int64_t kCount = 4;

  explicit Copies(Word128 value) : values(value) {}
  void write(std::byte* to) const {
    for (std::int64_t n = 0; n < kCount; ++n) std::memcpy(to + n * 16, &values, 16);
  }
  Word128 values;
};

// Each element as often as its count says, from the first on, while there is room for `Copies`: so
// many are written without a look, and the next element's begin where this one's end. Returns how
// many elements were done; moves `to`.
template <class T>
std::int64_t repeat_few_times(const std::byte* from, std::int64_t extent,
                              const std::int64_t* counts, std::byte*& to, const std::byte* end) {
  constexpr std::int64_t kAtOnce = Copies<T>::kCount, kSize = sizeof(T);
  std::byte* at = to;  // what is stored may be anything, as far as the compiler knows, but this
  std::int64_t i = 0;
  for (; i < extent && end - at >= kAtOnce * kSize && counts[i] <= kAtOnce; ++i) {
    T value;
    std::memcpy(&value, from + i * kSize, sizeof(T));
    Copies<T>(value).write(at);
    at += counts[i] * kSize;
  }
  to = at;
  return i;
}

// Repeats each of `extent` elements; returns where the next ones go, `end` at most.
template <class T>
std::byte* repeat_items(const std::byte* from, std::int64_t extent, const std::int64_t* counts,
                        std::int64_t count_step, std::byte* to, const std::byte* end) {
  if (count_step == 0 && *counts == 2) return repeat_items_evenly<T, 2>(from, extent, to);
  if (count_step == 0 && *counts == 3) return repeat_items_evenly<T, 3>(from, extent, to);
  if (count_step == 0 && *counts == 4) return repeat_items_evenly<T, 4>(from, extent, to);
  for (std::int64_t i = 0; i < extent; ++i) {
    constexpr std::int64_t kSize = sizeof(T);
    if (count_step == 1)
      i += repeat_few_times<T>(from + i * kSize, extent - i, counts + i, to, end);
    if (i == extent) break;
    T value;
    std::memcpy(&value, from + i * kSize, sizeof(T));
    for (std::int64_t n = counts[i * count_step]; n > 0; --n, to += sizeof(T))
      std::memcpy(to, &value, sizeof(T));
  }
  return to;
}

// Writes `run` bytes `times` over, doubling what is already there.
std::byte* repeat_run(const std::byte* from, std::size_t run, std::int64_t times, std::byte* to) {
  if (times <= 0 || run == 0) return to;
  std::int64_t length = static_cast<std::int64_t>(run), total = length * times, done = length;
  move_bytes(to, from, length);
  while (done < total) {
    std::int64_t more = std::min(done, total - done);
    move_bytes(to + done, to, more);
    done += more;
  }
  return to + total;
}

// Every element as often: an axis of its own is spread and merged.
Array repeat_evenly(const Array& source, std::int64_t times, int axis) {
  Dims split = source.shape(), merged = source.shape();
  split.insert(axis + 1, 1);
  Dims spread = split;
  spread[axis + 1] = times;
  merged[axis] *= times;
  return source.reshape(split).broadcast_to(spread).copy().reshape(merged);
}

// Repeats on a device: each result's element is found by the running totals of the counts.
Array repeat_there(const Array& source, const Array& times, int axis, std::int64_t total) {
  std::int64_t row = source.byte_count() / std::max<std::int64_t>(1, source.shape()[axis]), bytes;
  bool fits = !__builtin_mul_overflow(row, total, &bytes) && !is_too_large(bytes);
  if (total == 0 || !fits || !find_workbench({&source, &times})) return Array();
  if (times.size() == 1 && source.rank() < kMaxRank)
    return repeat_evenly(source, times.item().get<std::int64_t>(), axis);
  if (times.size() == 1) return Array();
  Array numbers =
      Array::arange(Scalar(std::int64_t{0}), Scalar(std::int64_t{1}), total, DType::kInt64);
  Array from = searchsorted(cumsum(times, 0), numbers, true);
  return take(source, from, axis, IndexMode::kClip);
}

}  // namespace

Array repeat(const Array& array, const Array& counts, std::optional<int> axis) {
  Array source = axis && array.rank() ? array : array.reshape({array.size()});
  int at = axis ? normalize_axis(*axis, source.rank()) : 0;
  std::int64_t extent = source.shape()[at];
  Array times = checked_counts(counts, extent);
  const std::int64_t* count = times.as<std::int64_t>();
  bool same = times.size() == 1;
  Dims shape = source.shape();
  shape[at] = same ? extent * count[0] : std::accumulate(count, count + extent, std::int64_t{0});
  if (Array result = repeat_there(source, times, at, shape[at])) return result;
  Array packed = source.contiguous(), result = Array::empty(shape, array.dtype());
  if (result.size() == 0) return result;
  std::int64_t outer = 1, run = item_size(array.dtype());
  for (int k = 0; k < at; ++k) outer *= shape[k];
  for (int k = at + 1; k < shape.size(); ++k) run *= shape[k];
  const std::byte* from = packed.data();
  std::byte* to = result.mutable_data();
  const std::byte* end = to + result.byte_count();
  if (run == item_size(array.dtype())) {
    dispatch_size(item_size(array.dtype()), [&](auto word) {
      for (std::int64_t n = 0; n < outer; ++n)
        to = repeat_items<decltype(word)>(from + n * extent * run, extent, count, same ? 0 : 1, to,
                                          end);
    });
    return result;
  }
  for (std::int64_t n = 0; n < outer; ++n)
    for (std::int64_t i = 0; i < extent; ++i, from += run)
      to = repeat_run(from, static_cast<std::size_t>(run), count[same ? 0 : i], to);
  return result;
}

Array tile(const Array& array, const Dims& repetitions) {
  int rank = std::max(array.rank(), repetitions.size());
  // Each axis becomes (repetition, extent); the pairs are merged at the end.
  Dims split, spread, shape;
  for (int axis = 0; axis < rank; ++axis) {
    int from = axis - (rank - array.rank()), rep = axis - (rank - repetitions.size());
    std::int64_t extent = from < 0 ? 1 : array.shape()[from];
    std::int64_t times = rep < 0 ? 1 : repetitions[rep];
    split.push_back(1);
    split.push_back(extent);
    spread.push_back(times);
    spread.push_back(extent);
    shape.push_back(times * extent);
  }
  if (rank == 0 || (rank == array.rank() && shape == array.shape()))
    return array.copy(Order::kKeep);
  if (split.size() > kMaxRank) throw Error(ErrorKind::kValue, "tile: too many dimensions");
  return array.reshape(split).broadcast_to(spread).copy().reshape(shape);
}

namespace {

// One axis rolled: two slices change places.
Array rolled(const Array& array, std::int64_t shift, int axis) {
  Array result = empty_as(array);
  std::int64_t extent = array.shape()[axis];
  if (array.size() == 0) return result;
  std::int64_t ahead = shift % extent;
  if (ahead < 0) ahead += extent;
  Dims head = array.shape(), tail = array.shape();
  head[axis] = extent - ahead;
  tail[axis] = ahead;
  std::int64_t step = result.strides()[axis], from_step = array.strides()[axis];
  result.view(head, result.strides(), ahead * step).assign(array.view(head, array.strides(), 0));
  if (ahead)
    result.view(tail, result.strides(), 0)
        .assign(array.view(tail, array.strides(), (extent - ahead) * from_step));
  return result;
}

}  // namespace

Array roll(const Array& array, std::int64_t shift) {
  return rolled(array.reshape({array.size()}), shift, 0).reshape(array.shape());
}

Array roll(const Array& array, std::span<const std::int64_t> shifts, std::span<const int> axes) {
  Array result = array;
  for (std::size_t k = 0; k < axes.size(); ++k)
    result =
        rolled(result, shifts[shifts.size() == 1 ? 0 : k], normalize_axis(axes[k], array.rank()));
  return axes.empty() ? array.copy() : result;
}

Array flip(const Array& array, std::span<const int> axes) {
  Dims strides = array.strides();
  std::int64_t offset = 0;
  std::uint64_t seen = 0;
  for (int axis : axes) {
    int at = normalize_axis(axis, array.rank());
    if (seen >> at & 1) throw Error(ErrorKind::kValue, "repeated axis");
    seen |= std::uint64_t{1} << at;
    if (array.shape()[at] > 0) offset += (array.shape()[at] - 1) * strides[at];
    strides[at] = -strides[at];
  }
  return array.view(array.shape(), strides, array.size() ? offset : 0);
}

Array flip(const Array& array) {
  std::vector<int> axes;
  for (int axis = 0; axis < array.rank(); ++axis) axes.push_back(axis);
  return flip(array, axes);
}

}  // namespace strider::nd
