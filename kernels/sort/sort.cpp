// sort, argsort, partition, lexsort: lines of any axis handed to the sorting of one line.
#include <strider/nd/error.h>
#include <strider/nd/index.h>
#include <strider/nd/interrupt.h>
#include <strider/nd/sort.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "kernels/index/walk.h"
#include "kernels/sort/line_sort.h"
#include "kernels/sort/short_lines.h"
#include "kernels/sort/there.h"

namespace strider::nd {
namespace {

// The array with `axis` moved to the end.
Array axis_last(const Array& array, int axis) {
  if (axis == array.rank() - 1) return array;
  std::vector<int> axes;
  for (int k = 0; k < array.rank(); ++k)
    if (k != axis) axes.push_back(k);
  axes.push_back(axis);
  return array.transpose(axes);
}

// The array with the last axis moved back to `axis`.
Array axis_back(const Array& array, int axis) {
  if (axis == array.rank() - 1) return array;
  std::vector<int> axes;
  for (int k = 0; k < array.rank(); ++k)
    axes.push_back(k < axis ? k : k == axis ? array.rank() - 1 : k - 1);
  return array.transpose(axes);
}

// Calls body(line) for lines 0 .. count-1, on several threads when there is enough work.
template <class Body>
void for_each_line(std::int64_t lines, std::int64_t length, Body&& body) {
  std::int64_t grain =
      std::max<std::int64_t>(1, worth_a_thread(20000) / std::max<std::int64_t>(1, length));
  parallel_for(lines, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t line = begin; line < end; ++line) {
      check_interrupt();
      body(line);
    }
  });
}

// Calls body(first line, how many) for neighbouring short lines.
template <class Body>
void for_each_block(std::int64_t lines, std::int64_t length, Body&& body) {
  constexpr std::int64_t kBlockElements = 1 << 13;
  std::int64_t most = std::max<std::int64_t>(1, kBlockElements / length);
  std::int64_t blocks = (lines + most - 1) / most;
  for_each_line(blocks, most * length, [&](std::int64_t block) {
    std::int64_t first = block * most;
    body(first, std::min(most, lines - first));
  });
}

// Sorts so many packed lines; none where they are better sorted one by one.
using Together = std::function<void(std::byte* lines, std::int64_t count)>;

Together sort_together(DType dtype, std::int64_t length) {
  if (ShortLineSort sort = find_short_line_sort(dtype, length)) return sort;
  if (!are_sorted_together(dtype, length)) return nullptr;
  return [=](std::byte* lines, std::int64_t count) { sort_lines(dtype, lines, count, length); };
}

// Sorts every line along `axis` in place, on the device that has them, `together`, where there is
// that, or through body(bytes of a packed line), which may do less.
template <class Body>
void edit_lines(const Array& array, int axis, bool stable, const Together& together, Body&& body) {
  Array lined = axis_last(array, axis);
  Array packed = lined.is_c_contiguous() ? lined : lined.copy();
  std::int64_t length = lined.shape().back();
  if (array.size() == 0 || length < 2) return;
  if (sort_there(packed, stable)) {
    if (!lined.is_c_contiguous()) lined.assign(packed);
    return;
  }
  std::byte* base = packed.mutable_data();
  std::int64_t pitch = length * item_size(array.dtype());
  std::int64_t lines = array.size() / length;
  if (together)
    for_each_block(lines, length,
                   [&](std::int64_t n, std::int64_t count) { together(base + n * pitch, count); });
  else
    for_each_line(lines, length, [&](std::int64_t n) { body(base + n * pitch); });
  if (!lined.is_c_contiguous()) lined.assign(packed);
}

// An int64 array of orders: by `shortly`, where there is that, or body(packed line, its order) for
// every line along `axis`.
template <class Body>
Array order_lines(const Array& array, int axis, ShortLineOrder shortly, Body&& body) {
  Array packed = axis_last(array, axis).contiguous();
  if (Array order = order_there(packed)) return axis_back(order, axis).contiguous();
  Array order = Array::empty(packed.shape(), DType::kInt64);
  std::int64_t length = packed.shape().back();
  if (packed.size() == 0) return axis_back(order, axis).contiguous();
  const std::byte* base = packed.data();
  std::int64_t* orders = order.mutable_as<std::int64_t>();
  std::int64_t pitch = length * item_size(array.dtype());
  std::int64_t lines = packed.size() / length;
  if (shortly)
    for_each_block(lines, length, [&](std::int64_t n, std::int64_t count) {
      shortly(base + n * pitch, count, orders + n * length);
    });
  else
    for_each_line(lines, length,
                  [&](std::int64_t n) { body(base + n * pitch, orders + n * length); });
  return axis_back(order, axis).contiguous();
}

void stable_argsort_line(DType dtype, const std::byte* values, std::int64_t count,
                         std::int64_t* order) {
  argsort_line(dtype, values, count, order);
}

// Lines up to this length have one order, whichever way it is found.
constexpr std::int64_t kMostAlike = 3;

std::vector<std::int64_t> checked_kth(std::span<const std::int64_t> kth, const Array& array,
                                      int axis) {
  std::vector<std::int64_t> result;
  if (array.size() == 0) return result;  // nothing to select, wherever it were
  std::int64_t extent = array.shape()[axis];
  for (std::int64_t k : kth) {
    std::int64_t positive = k < 0 ? k + extent : k;
    if (positive < 0 || positive >= extent)
      throw Error(ErrorKind::kValue, "kth(=" + std::to_string(positive) + ") out of bounds (" +
                                         std::to_string(extent) + ")");
    result.push_back(positive);
  }
  return result;
}

// What an optional axis speaks of: a flattened copy, or a copy laid out alike.
Array own_copy(const Array& array, std::optional<int>& axis) {
  if (axis) return array.copy(Order::kKeep);
  axis = -1;
  return array.ravel().copy();
}

}  // namespace

void sort_in_place(const Array& array, int axis, SortKind kind) {
  axis = normalize_axis(axis, array.rank());
  bool stable = kind == SortKind::kStable || kind == SortKind::kMerge;
  if (!array.writeable()) throw Error(ErrorKind::kValue, "sort array is read-only");
  std::int64_t length = array.shape()[axis];
  bool as_they_stand = stable && is_inexact(array.dtype());  // zeros of both signs
  Together together = as_they_stand ? nullptr : sort_together(array.dtype(), length);
  edit_lines(array, axis, stable, together,
             [&](std::byte* line) { sort_line(array.dtype(), line, length, stable); });
}

Array sort(const Array& array, std::optional<int> axis, SortKind kind) {
  Array result = own_copy(array, axis);
  sort_in_place(result, *axis, kind);
  return result;
}

Array argsort(const Array& array, std::optional<int> axis, SortKind kind) {
  bool flat = !axis || array.rank() == 0;
  if (axis && array.rank() == 0 && *axis != 0 && *axis != -1) normalize_axis(*axis, 0);
  Array source = flat ? array.reshape({array.size()}) : array;
  int at = flat ? 0 : normalize_axis(*axis, array.rank());
  std::int64_t length = source.shape()[at];
  const bool stable = kind == SortKind::kStable || kind == SortKind::kMerge;
  auto order_line = stable                        ? stable_argsort_line
                    : kind == SortKind::kCompared ? compared_argsort_line
                                                  : quick_argsort_line;  // also by heaps, as NumPy
  ShortLineOrder shortly =
      stable || length <= kMostAlike ? find_short_line_order(array.dtype(), length) : nullptr;
  return order_lines(source, at, shortly, [&](const std::byte* line, std::int64_t* order) {
    order_line(array.dtype(), line, length, order);
  });
}

void partition_in_place(const Array& array, std::span<const std::int64_t> kth, int axis) {
  axis = normalize_axis(axis, array.rank());
  if (!array.writeable()) throw Error(ErrorKind::kValue, "partition array is read-only");
  std::int64_t length = array.shape()[axis];
  std::vector<std::int64_t> checked = checked_kth(kth, array, axis);
  bool selects = checked.size() == 1 && has_select_loops(array.dtype());
  bool few = selects && length <= kSmallPartition;  // which are sorted
  edit_lines(array, axis, false, few ? sort_together(array.dtype(), length) : nullptr,
             [&](std::byte* line) {
               if (selects)
                 select_line(array.dtype(), line, length, checked[0]);
               else
                 partition_line(array.dtype(), line, length, checked);
             });
}

Array partition(const Array& array, std::span<const std::int64_t> kth, std::optional<int> axis) {
  Array result = own_copy(array, axis);
  partition_in_place(result, kth, *axis);
  return result;
}

Array argpartition(const Array& array, std::span<const std::int64_t> kth, std::optional<int> axis) {
  Array source = axis && array.rank() ? array : array.reshape({array.size()});
  int at = axis && array.rank() ? normalize_axis(*axis, array.rank()) : 0;
  std::vector<std::int64_t> checked = checked_kth(kth, source, at);
  std::int64_t length = source.shape()[at];
  return order_lines(source, at, nullptr, [&](const std::byte* line, std::int64_t* order) {
    argpartition_line(array.dtype(), line, length, checked, order);
  });
}

Array lexsort(std::span<const Array> keys, int axis) {
  if (keys.empty()) throw Error(ErrorKind::kType, "need sequence of keys with len > 0 in lexsort");
  for (const Array& key : keys)
    if (!(key.shape() == keys[0].shape()))
      throw Error(ErrorKind::kValue, "all keys need to be the same shape");
  bool single = keys[0].rank() == 0;  // one key's own axis is named 0 or -1
  if (!single || (axis != 0 && axis != -1)) axis = normalize_axis(axis, keys[0].rank());
  if (single) return Array::scalar(Scalar(std::int64_t{0}));
  std::vector<Array> lines;
  for (const Array& key : keys) lines.push_back(axis_last(key, axis).contiguous());
  if (Array order = order_there(lines)) return axis_back(order, axis).contiguous();
  Array order = argsort(lines[0], -1, SortKind::kStable);
  std::int64_t length = order.shape().back(), size = order.size();
  std::vector<std::int64_t> pass(static_cast<std::size_t>(length));
  for (std::size_t k = 1; k < lines.size(); ++k) {
    std::int64_t item = item_size(lines[k].dtype());
    std::int64_t* orders = order.mutable_as<std::int64_t>();
    for (std::int64_t at = 0; at < size; at += length) {
      Array line = lines[k].view({length}, {item}, at * item);
      Array positions = order.view({length}, {8}, at * 8);
      Array next = argsort(take(line, positions, 0), 0, SortKind::kStable);
      const std::int64_t* picks = next.as<std::int64_t>();
      for (std::int64_t i = 0; i < length; ++i)
        pass[static_cast<std::size_t>(i)] = orders[at + picks[i]];
      std::copy(pass.begin(), pass.end(), orders + at);
    }
  }
  return axis_back(order, axis).contiguous();
}

}  // namespace strider::nd
