// Assignment into arrays.
#include <strider/nd/assign.h>
#include <strider/nd/error.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/core/copy.h"
#include "kernels/core/node.h"
#include "kernels/graph/evaluation/store.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

// Writes `value` broadcast to the target's shape; the caller has ruled out harmful overlap.
void write(const Array& target, const Array& value) {
  int skip = target.rank() - value.rank();
  Dims strides(target.rank());
  for (int axis = 0; axis < target.rank(); ++axis) {
    int from = axis - skip;
    if (from >= 0 && value.shape()[from] != 1) strides[axis] = value.strides()[from];
  }
  copy_elements(target.mutable_data(), target.strides(), target.dtype(), value.data(), strides,
                value.dtype(), target.shape());
}

// Whether `shape` broadcasts to `target`; leading axes of extent 1 may be too many.
bool fits(const Dims& shape, const Dims& target) {
  int skip = target.size() - shape.size();
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    if (skip + axis < 0 || shape[axis] != target[skip + axis]) return false;
  }
  return true;
}

bool same_elements(const Array& a, const Array& b) {
  return a.node()->storage == b.node()->storage && a.node()->offset == b.node()->offset &&
         a.dtype() == b.dtype() && a.strides() == b.strides() && a.shape() == b.shape();
}

// Converts the value where the elements are: on a device. False where that cannot be recorded.
bool store_copy(const Array& value, const Array& target) {
  Operand operand(value);
  DType own = value.dtype();
  RecordedOperation conversion{Expression::Kind::kConvert, Op::kPositive, &own, target.dtype()};
  Dims strides = dense_strides(target.shape(), item_size(target.dtype()));
  bool lazy = std::exchange(recording().lazy, true);
  Array promised = record(conversion, {&operand, 1}, target.shape(), strides);
  recording().lazy = lazy;
  return promised && store(promised, target);
}

// The longest run of bytes that is moved on one thread where it need not be.
constexpr std::int64_t kStraightBytes = 1 << 18;

// Whether the elements lie in the same order without gaps, so that they can be moved as they are.
bool lies_alike(const Node& target, const Node& value) {
  return target.c_contiguous && value.c_contiguous && target.dtype == value.dtype &&
         target.shape == value.shape;
}

// Where they are few, or reach into each other.
bool is_moved(const Array& target, const Array& value) {
  return lies_alike(*target.node(), *value.node()) &&
         (target.byte_count() <= kStraightBytes || target.may_share_elements(value));
}

}  // namespace

void Array::assign(const Array& value) const {
  const Node &to = *node_, &from = *value.node();
  bool here = from.storage->in_host_memory() && to.storage->in_host_memory();
  if (to.writeable && here && is_moved(*this, value)) {
    std::byte* target = mutable_data();
    move_bytes(target, value.data(), byte_count());
    return;
  }
  if (!writeable()) throw Error(ErrorKind::kValue, "assignment destination is read-only");
  if (!fits(value.shape(), shape())) {
    throw Error(ErrorKind::kValue, "could not broadcast input array from shape " +
                                       shape_text(value.shape()) + " into shape " +
                                       shape_text(shape()));
  }
  if (is_pending(value) && store(value, *this)) return;
  if (recording().on() && (is_away(*this) || is_away(value)) && store_copy(value, *this)) return;
  if (may_share_elements(value)) {
    if (same_elements(*this, value)) return;
    return write(*this, value.copy());
  }
  write(*this, value);
}

void assign_all(std::span<const Array> arrays, std::span<const Array> values) {
  for (std::size_t i = 0; i < arrays.size();) {
    std::size_t count = store_together(values.subspan(i), arrays.subspan(i));
    if (count == 0) arrays[i].assign(values[i]);
    i += std::max<std::size_t>(count, 1);
  }
}

void Array::assign(const Scalar& value) const {
  Scalar converted = value.as(dtype());
  if (recording().on() && is_away(*this) && writeable() &&
      store_copy(Array::scalar(converted), *this)) {
    return;
  }
  copy_elements(mutable_data(), strides(), dtype(), static_cast<const std::byte*>(converted.data()),
                Dims(rank()), dtype(), shape());
}

}  // namespace strider::nd
