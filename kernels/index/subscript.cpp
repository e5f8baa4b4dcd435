// Subscript: NumPy's rules for mixing integers, slices and arrays in one pair of brackets.
#include "kernels/index/subscript.h"

#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/core/node.h"
#include "kernels/index/arranging.h"
#include "kernels/index/walk.h"

namespace strider::nd {

void throw_out_of_bounds(std::int64_t index, std::int64_t extent, int axis) {
  throw Error(ErrorKind::kIndex, "index " + std::to_string(index) + " is out of bounds for axis " +
                                     std::to_string(axis) + " with size " + std::to_string(extent));
}

std::int64_t checked_index(std::int64_t index, std::int64_t extent, int axis) {
  std::int64_t positive = index < 0 ? index + extent : index;
  if (static_cast<std::uint64_t>(positive) >= static_cast<std::uint64_t>(extent))
    throw_out_of_bounds(index, extent, axis);
  return positive;
}

SliceRange resolve_slice(const IndexItem& slice, std::int64_t extent) {
  std::int64_t step = slice.has_step ? slice.step : 1;
  if (step == 0) throw Error(ErrorKind::kValue, "slice step cannot be zero");
  if (step == INT64_MIN) step = -INT64_MAX;
  std::int64_t lowest = step < 0 ? -1 : 0, highest = step < 0 ? extent - 1 : extent;
  auto clamp = [&](std::int64_t value) {
    if (value < 0) return std::max(value + extent, lowest);
    return std::min(value, highest);
  };
  std::int64_t start = slice.has_start ? clamp(slice.start) : (step < 0 ? highest : lowest);
  std::int64_t stop = slice.has_stop ? clamp(slice.stop) : (step < 0 ? lowest : highest);
  std::int64_t count = 0;
  if (step == 1) return {start, 1, std::max<std::int64_t>(stop - start, 0)};
  if (step > 0 && start < stop) count = (stop - start - 1) / step + 1;
  if (step < 0 && stop < start) count = (start - stop - 1) / -step + 1;
  return {start, step, count};
}

namespace {

bool is_mask(const IndexItem& item) {
  return item.kind == IndexKind::kArray && item.array.dtype() == DType::kBool &&
         item.array.rank() > 0;
}

// A boolean known only as a scalar: it adds an axis of length one or zero.
std::optional<bool> lone_boolean(const IndexItem& item) {
  if (item.kind == IndexKind::kBoolean) return item.truth;
  if (item.kind == IndexKind::kArray && item.array.dtype() == DType::kBool &&
      item.array.rank() == 0)
    return item.array.item().truth();
  return std::nullopt;
}

// A 0-d integer array stands for its integer.
bool is_integer_scalar(const IndexItem& item) {
  return item.kind == IndexKind::kArray && item.array.rank() == 0 &&
         item.array.dtype() != DType::kBool;
}

// True for the items whose axes are broadcast together.
bool is_advanced(const IndexItem& item) {
  return item.kind == IndexKind::kBoolean ||
         (item.kind == IndexKind::kArray && !is_integer_scalar(item));
}

// The number of the array's axes that an item takes up.
int axes_used(const IndexItem& item) {
  if (item.kind == IndexKind::kSlice || item.kind == IndexKind::kInteger) return 1;
  if (item.kind == IndexKind::kNewAxis || item.kind == IndexKind::kEllipsis || lone_boolean(item))
    return 0;
  return is_mask(item) ? item.array.rank() : 1;
}

int count_axes(const Array& array, IndexItems items) {
  int used = 0, ellipses = 0, added = 0;
  for (const IndexItem& item : items) {
    used += axes_used(item);
    added += item.kind == IndexKind::kNewAxis;
    ellipses += item.kind == IndexKind::kEllipsis;
  }
  if (ellipses > 1)
    throw Error(ErrorKind::kIndex, "an index can only have a single ellipsis ('...')");
  if (used > array.rank())
    throw Error(ErrorKind::kIndex, "too many indices for array: array is " +
                                       std::to_string(array.rank()) + "-dimensional, but " +
                                       std::to_string(used) + " were indexed");
  if (int left = array.rank() - used + added; added > 0 && left > kMaxRank)
    throw Error(ErrorKind::kIndex, "number of dimensions must be within [0, 64], indexing result "
                                   "would have " + std::to_string(left));
  return used;
}

class Resolver {
 public:
  Resolver(const Array& array, IndexItems items)
      : array_(array), items_(items), used_(count_axes(array, items)) {
    for (const IndexItem& item : items) mixed_ |= is_advanced(item);
  }

  Subscript run() {
    bool ellipsis = false;
    for (const IndexItem& item : items_) {
      ellipsis |= item.kind == IndexKind::kEllipsis;
      add(item);
    }
    if (!ellipsis) keep_axes(array_.rank() - used_);
    if (separated_) result_.position = 0;
    broadcast_indices();
    return std::move(result_);
  }

 private:
  void add(const IndexItem& item) {
    if (auto truth = lone_boolean(item)) return add_lone_boolean(*truth);
    if (is_integer_scalar(item))
      return add_integer(item.array.item().as(DType::kInt64).get<std::int64_t>());
    switch (item.kind) {
      case IndexKind::kInteger:
        return add_integer(item.integer);
      case IndexKind::kSlice:
        return add_slice(item);
      case IndexKind::kNewAxis:
        note_basic();
        result_.shape.push_back(1);
        result_.strides.push_back(0);
        return;
      case IndexKind::kEllipsis:
        note_basic();
        return keep_axes(array_.rank() - used_);
      default:
        return is_mask(item) ? add_mask(item.array) : add_indices(item.array);
    }
  }

  // Advanced indices with something between them put their axes first.
  void note_advanced() {
    if (run_ == Run::kNone) result_.position = result_.shape.size();
    if (run_ == Run::kEnded) separated_ = true;
    run_ = Run::kOpen;
  }
  void note_basic() {
    if (run_ == Run::kOpen) run_ = Run::kEnded;
  }

  void add_integer(std::int64_t index) {
    std::int64_t extent = array_.shape()[axis_];
    std::int64_t positive = checked_index(index, extent, axis_);
    if (mixed_) note_advanced();
    result_.offset += positive * array_.strides()[axis_];
    ++axis_;
  }

  void add_slice(const IndexItem& item) {
    note_basic();
    SliceRange range = resolve_slice(item, array_.shape()[axis_]);
    std::int64_t stride = array_.strides()[axis_];
    if (range.count > 0) result_.offset += range.start * stride;
    result_.shape.push_back(range.count);
    result_.strides.push_back(stride * range.step);
    ++axis_;
  }

  void keep_axes(int count) {
    for (; count > 0; --count, ++axis_) {
      result_.shape.push_back(array_.shape()[axis_]);
      result_.strides.push_back(array_.strides()[axis_]);
    }
  }

  void add_lone_boolean(bool truth) {
    note_advanced();
    AxisIndex index;
    index.indices = Array::zeros({truth ? 1 : 0}, DType::kInt64);
    result_.advanced.push_back(std::move(index));
  }

  void add_indices(const Array& indices) {
    note_advanced();
    AxisIndex index;
    index.indices = indices.contiguous(DType::kInt64);
    index.axis = axis_;
    index.extent = array_.shape()[axis_];
    index.stride = array_.strides()[axis_];
    result_.advanced.push_back(std::move(index));
    ++axis_;
  }

  void add_mask(const Array& mask) {
    for (int k = 0; k < mask.rank(); ++k)
      if (mask.shape()[k] != array_.shape()[axis_ + k]) throw_mask_mismatch(mask, k);
    for (const Array& indices : position_columns(mask)) add_indices(indices);
  }

  [[noreturn]] void throw_mask_mismatch(const Array& mask, int k) const {
    throw Error(ErrorKind::kIndex, "boolean index did not match indexed array along axis " +
                                       std::to_string(axis_ + k) + "; size of axis is " +
                                       std::to_string(array_.shape()[axis_ + k]) +
                                       " but size of corresponding boolean axis is " +
                                       std::to_string(mask.shape()[k]));
  }

  void broadcast_indices() {
    if (result_.advanced.empty()) return;
    std::vector<Dims> shapes;
    for (const AxisIndex& index : result_.advanced) shapes.push_back(index.indices.shape());
    if (shapes.size() == 1) {
      result_.index_shape = shapes[0];
      return;
    }
    try {
      result_.index_shape = broadcast_shapes(shapes);
    } catch (const Error&) {
      std::string message =
          "shape mismatch: indexing arrays could not be broadcast together with shapes ";
      for (const Dims& shape : shapes) message += shape_text(shape) + " ";
      throw Error(ErrorKind::kIndex, message);
    }
  }

  enum class Run { kNone, kOpen, kEnded };

  const Array& array_;
  IndexItems items_;
  int used_;
  bool mixed_ = false;
  int axis_ = 0;
  Run run_ = Run::kNone;
  bool separated_ = false;
  Subscript result_;
};

// The axes of a view, added one behind the other.
class ViewBuilder {
 public:
  explicit ViewBuilder(const Array& array)
      : array_(array), view_(array.view(Dims(), Dims(), 0)), node_(*view_.node()) {}

  void add_integer(std::int64_t index) {
    offset_ += checked_index(index, array_.shape()[axis_], axis_) * array_.strides()[axis_];
    ++axis_;
  }
  void add_slice(const IndexItem& item) {
    SliceRange range = resolve_slice(item, array_.shape()[axis_]);
    std::int64_t stride = array_.strides()[axis_];
    if (range.count > 0) offset_ += range.start * stride;
    add_axis(range.count, stride * range.step);
    ++axis_;
  }
  void add_axis(std::int64_t extent, std::int64_t stride) {
    node_.shape.push_back(extent);
    node_.strides.push_back(stride);
  }
  // The array's next axes as they are.
  void keep_axes(int count) {
    for (; count > 0; --count, ++axis_) add_axis(array_.shape()[axis_], array_.strides()[axis_]);
  }
  Array finish() {
    keep_axes(array_.rank() - axis_);
    int item = item_size(node_.dtype);
    node_.offset += offset_;
    node_.size = element_count(node_.shape);
    node_.c_contiguous = is_dense(node_.shape, node_.strides, item, false);
    bool alike = node_.shape.size() < 2;
    node_.f_contiguous =
        alike ? node_.c_contiguous : is_dense(node_.shape, node_.strides, item, true);
    return std::move(view_);
  }

 private:
  const Array& array_;
  Array view_;  // whose axes are written where they stay
  Node& node_;
  std::int64_t offset_ = 0;
  int axis_ = 0;
};

// offsets[i] = (or +=) the byte offset of indices[i] along one axis.
template <bool kAdd>
void add_offsets(const AxisIndex& index, const std::int64_t* indices, std::int64_t step,
                 std::int64_t count, std::int64_t* offsets) {
  std::int64_t extent = index.extent, stride = index.stride;
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t value = indices[i * step];
    value += value < 0 ? extent : 0;
    if (static_cast<std::uint64_t>(value) >= static_cast<std::uint64_t>(extent))
      throw_out_of_bounds(indices[i * step], extent, index.axis);
    offsets[i] = (kAdd ? offsets[i] : 0) + value * stride;
  }
}

}  // namespace

Dims Subscript::result_shape() const {
  Dims result;
  for (int axis = 0; axis < position; ++axis) result.push_back(shape[axis]);
  for (std::int64_t extent : index_shape) result.push_back(extent);
  for (int axis = position; axis < shape.size(); ++axis) result.push_back(shape[axis]);
  return result;
}

void Subscript::fill_offsets(std::int64_t* offsets) const {
  std::int64_t count = element_count(index_shape);
  bool first = true;
  for (const AxisIndex& index : advanced) {
    Array spread = index.indices.shape() == index_shape ? index.indices
                                                        : index.indices.broadcast_to(index_shape);
    const std::int64_t* base = spread.as<std::int64_t>();
    Walk<1> walk(index_shape, {&spread.strides()});
    std::int64_t length = count ? walk.row_length() : 0, step = walk.row_steps()[0] / 8, at = 0;
    if (index.extent == 0 && index.indices.size() > 0 && index.axis >= 0)
      throw_out_of_bounds(index.indices.as<std::int64_t>()[0], 0, index.axis);
    walk.for_each_row([&](const Walk<1>::Offsets& row) {
      auto add = first ? add_offsets<false> : add_offsets<true>;
      add(index, base + row[0] / 8, step, length, offsets + at);
      at += length;
    });
    first = false;
  }
}

Array checked_offsets(const Array& indices, std::int64_t extent, std::int64_t stride, int axis) {
  Array positions = wrap_negative(indices, extent);
  if (is_away(indices)) {
    std::int64_t wrong = find_outside(positions, extent);
    if (wrong >= 0) throw_out_of_bounds(indices.as<std::int64_t>()[wrong], extent, axis);
  } else {
    const std::int64_t* index = indices.as<std::int64_t>();
    for (std::int64_t i = 0; i < indices.size(); ++i) checked_index(index[i], extent, axis);
  }
  return apply(Op::kMultiply, positions, Operand::weak_int(stride)).contiguous(DType::kInt64);
}

Array Subscript::offsets() const {
  bool away = false;
  for (const AxisIndex& index : advanced) away |= is_away(index.indices);
  if (!away && element_count(index_shape) < recording().limit()) {
    Array offsets = Array::empty(index_shape, DType::kInt64);
    fill_offsets(offsets.mutable_as<std::int64_t>());
    return offsets;
  }
  Array sum;
  for (const AxisIndex& index : advanced) {
    Array next = checked_offsets(index.indices, index.extent, index.stride, index.axis);
    sum = sum ? apply(Op::kAdd, sum, next) : next;
  }
  return sum.broadcast_to(index_shape).contiguous();
}

Subscript resolve(const Array& array, IndexItems items) { return Resolver(array, items).run(); }

Array get_view(const Array& array, IndexItems items) {
  int used = count_axes(array, items);
  ViewBuilder view(array);
  for (const IndexItem& item : items) {
    switch (item.kind) {
      case IndexKind::kInteger:
        view.add_integer(item.integer);
        break;
      case IndexKind::kSlice:
        view.add_slice(item);
        break;
      case IndexKind::kNewAxis:
        view.add_axis(1, 0);
        break;
      default:
        view.keep_axes(array.rank() - used);
    }
  }
  return view.finish();
}

}  // namespace strider::nd
