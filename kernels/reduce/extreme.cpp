// argmax and argmin.
#include <strider/nd/error.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <string>

#include "kernels/backend/cpu/kernels.h"
#include "kernels/core/node.h"
#include "kernels/graph/graph.h"
#include "kernels/reduce/reduction.h"

namespace strider::nd {
namespace {

// Lines up to here are searched at once.
constexpr std::int64_t kShortLine = 1 << 16;

// The array with `axis` last and every line along it contiguous.
Array lines_along(const Array& array, int axis) {
  if (axis == array.rank() - 1) return array.contiguous();
  int order[kMaxRank];
  int next = 0;
  for (int i = 0; i < array.rank(); ++i) {
    if (i != axis) order[next++] = i;
  }
  order[next] = axis;
  return array.transpose({order, static_cast<std::size_t>(array.rank())}).contiguous();
}

void find_lines(FindKernel find, const Array& lines, std::int64_t extent, std::int64_t* places) {
  std::int64_t count = lines.size() / extent;
  std::int64_t size = extent * item_size(lines.dtype());
  const std::byte* data = lines.data();
  parallel_for(count, std::max<std::int64_t>(1, worth_a_thread(1 << 16) / extent),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   places[i] = find(data + i * size, extent);
                   if (i % 1024 == 0) check_interrupt();
                 }
               });
}

// The search as a promise, when its elements are promises themselves or so few along the axis that
// it is steps of a loop; null when it must run now.
Array find_later(bool largest, const Array& array, int along, const Dims& shape) {
  if (!recording().on() || (!is_away(array) && array.size() < short_rows_limit())) return Array();
  LoopFold fold;
  fold.kind = LoopFold::Kind::kFind;
  fold.op = largest ? Op::kMaximum : Op::kMinimum;
  fold.type = array.dtype();
  Dims strides = dense_strides(shape, item_size(DType::kInt64));
  bool innermost = along == array.rank() - 1 && array.is_c_contiguous();
  if (!innermost || !is_away(array))
    return record_short_fold(fold, array, std::uint64_t{1} << along, shape, strides);
  return record_fold(fold, array, std::uint64_t{1} << along, shape, strides, Scalar());
}

FindKernel find_kernel_of(bool largest, DType dtype) {
  int type = static_cast<int>(dtype);
  return largest ? kernels().find_maximum[type] : kernels().find_minimum[type];
}

// The search in one line that lies in memory.
Array find_in_line(bool largest, const Array& line) {
  Array result = Array::empty(Dims(), DType::kInt64);
  *result.mutable_as<std::int64_t>() =
      find_kernel_of(largest, line.dtype())(line.data(), line.size());
  return result;
}

Array find_extremes(bool largest, const Array& given, std::optional<std::int64_t> axis,
                    bool keepdims, const Array* out) {
  const char* name = largest ? "argmax" : "argmin";
  bool one_line = !out && !axis && !keepdims && given.is_c_contiguous();
  if (one_line && given.size() > 0 && given.size() < kShortLine && !is_away(given)) {
    return find_in_line(largest, given);
  }
  Array array = axis ? given : given.ravel();
  if (axis && array.rank() == 0) array = array.reshape(Dims{1});
  int along = normalize_axis(axis.value_or(0), array.rank());
  std::int64_t extent = array.shape()[along];
  if (extent == 0) {
    throw Error(ErrorKind::kValue, "attempt to get " + std::string(name) + " of an empty sequence");
  }
  Dims shape = array.shape();
  if (keepdims)
    shape[along] = 1;
  else
    shape.erase(along);
  if (keepdims && !axis) shape = Dims(given.rank(), 1);
  if (given.rank() == 0) shape = Dims();
  if (!out) {
    if (Array later = find_later(largest, array, along, shape)) return later;
  }
  Array result = Array::empty(shape, DType::kInt64);
  if (result.size()) {
    find_lines(find_kernel_of(largest, array.dtype()), lines_along(array, along), extent,
               result.mutable_as<std::int64_t>());
  }
  if (!out) return result;
  if (out->shape() != shape) {
    throw Error(ErrorKind::kValue,
                "output array does not match result of np." + std::string(name) + ".");
  }
  out->assign(result);
  return *out;
}

}  // namespace

Array argmax(const Array& array, std::optional<std::int64_t> axis, bool keepdims,
             const Array* out) {
  return find_extremes(true, array, axis, keepdims, out);
}

Array argmin(const Array& array, std::optional<std::int64_t> axis, bool keepdims,
             const Array* out) {
  return find_extremes(false, array, axis, keepdims, out);
}

}  // namespace strider::nd
