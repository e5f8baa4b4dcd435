// Copies of arrays and conversions to other element types.
#include "kernels/core/node.h"
#include "kernels/graph/graph.h"

namespace strider::nd {
namespace {

// The strides of a copy.
Dims copy_strides(const Array& array, DType dtype, Order order) {
  bool fortran_layout = array.is_f_contiguous() && !array.is_c_contiguous();
  if (order == Order::kAny) order = fortran_layout ? Order::kF : Order::kC;
  if (order == Order::kKeep) {
    if (array.is_c_contiguous())
      order = Order::kC;
    else if (array.is_f_contiguous())
      order = Order::kF;
    else
      return similar_strides(array.shape(), distinct_steps(array.strides()), item_size(dtype));
  }
  return dense_strides(array.shape(), item_size(dtype), order == Order::kF);
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
  Dims strides = copy_strides(*this, dtype, order);
  DType longer = item_size(dtype) > item_size(this->dtype()) ? dtype : this->dtype();
  bool large = size() >= recording_limit(longer);
  bool there = recording().on_device || node()->storage->device();
  if (large || (there && worth_recording(*this))) {
    DType own = this->dtype();
    Operand operand(*this);
    RecordedOperation conversion{Expression::Kind::kConvert, Op::kPositive, &own, dtype};
    if (Array promised = record(conversion, {&operand, 1}, shape(), strides)) return promised;
  }
  Array result = make_array(shape(), strides, dtype);
  result.assign(*this);
  return result;
}

Array Array::contiguous(DType dtype) const {
  if (dtype == this->dtype() && is_c_contiguous()) return *this;
  return astype(dtype, Order::kC);
}

}  // namespace strider::nd
