// Copies of arrays and assignment into them.
#include <strider/nd/error.h>

#include "kernels/core/copy.h"
#include "kernels/core/node.h"

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
  return a.data() == b.data() && a.dtype() == b.dtype() && a.strides() == b.strides() &&
         a.shape() == b.shape();
}

Array new_array_like(const Array& array, DType dtype, Order order) {
  bool fortran_layout = array.is_f_contiguous() && !array.is_c_contiguous();
  if (order == Order::kAny) order = fortran_layout ? Order::kF : Order::kC;
  if (order == Order::kKeep) {
    if (array.is_c_contiguous())
      order = Order::kC;
    else if (array.is_f_contiguous())
      order = Order::kF;
    else
      return make_array(array.shape(),
                        similar_strides(array.shape(), array.strides(), item_size(dtype)), dtype);
  }
  return Array::empty(array.shape(), dtype, order);
}

bool has_order(const Array& array, Order order) {
  switch (order) {
    case Order::kC:
      return array.is_c_contiguous();
    case Order::kF:
      return array.is_f_contiguous();
    case Order::kAny:
      return array.is_c_contiguous() || array.is_f_contiguous();
    default:
      return true;
  }
}

}  // namespace

Array Array::copy(Order order) const { return astype(dtype(), order, true); }

Array Array::astype(DType dtype, Order order, bool copy) const {
  if (!copy && dtype == this->dtype() && has_order(*this, order)) return *this;
  Array result = new_array_like(*this, dtype, order);
  write(result, *this);
  return result;
}

Array Array::contiguous(DType dtype) const {
  if (dtype == this->dtype() && is_c_contiguous()) return *this;
  return astype(dtype, Order::kC);
}

void Array::assign(const Array& value) const {
  mutable_data();
  if (!fits(value.shape(), shape())) {
    throw Error(ErrorKind::kValue, "could not broadcast input array from shape " +
                                       shape_text(value.shape()) + " into shape " +
                                       shape_text(shape()));
  }
  if (may_overlap(value)) {
    if (same_elements(*this, value)) return;
    return write(*this, value.copy());
  }
  write(*this, value);
}

void Array::assign(const Scalar& value) const {
  Scalar converted = value.as(dtype());
  copy_elements(mutable_data(), strides(), dtype(), static_cast<const std::byte*>(converted.data()),
                Dims(rank()), dtype(), shape());
}

}  // namespace strider::nd
