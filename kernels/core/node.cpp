// Nodes: counting and layouts.
#include "kernels/core/node.h"

namespace strider::nd {

Node::Node(Storage* owned_storage, std::int64_t first, DType type, const Dims& extents,
           const Dims& steps, Node* owned_base)
    : storage(owned_storage),
      offset(first),
      size(element_count(extents)),
      base(owned_base),
      dtype(type),
      shape(extents),
      strides(steps) {}

Node::Node(Storage* owned_storage, DType type, const Node& model, int item)
    : storage(owned_storage),
      offset(0),
      size(model.size),
      base(nullptr),
      dtype(type),
      f_contiguous(model.f_contiguous),
      shape(model.shape),
      strides(item == item_size(model.dtype) ? model.strides : dense_strides(model.shape, item)) {}

Node::~Node() {
  if (!base) {
    storage->held = false;
    if (storage->readers || storage->pending()) let_go(*storage);
  }
  storage->release();
  if (base) base->release();
}

Dims dense_strides(const Dims& shape, int item_size, bool fortran) {
  Dims strides(shape.size());
  std::int64_t step = item_size;
  int rank = shape.size();
  for (int i = 0; i < rank; ++i) {
    int axis = fortran ? i : rank - 1 - i;
    strides[axis] = step;
    step *= shape[axis] ? shape[axis] : 1;
  }
  return strides;
}

Dims similar_strides(const Dims& shape, const Dims& strides, int item_size) {
  int rank = shape.size();
  int order[kMaxRank];  // outermost first
  for (int axis = 0; axis < rank; ++axis) {
    int place = axis;
    std::int64_t step = std::abs(strides[axis]);
    // An axis moves outwards past those with smaller steps; axes that do not step stay put.
    for (int i = axis - 1; i >= 0; --i) {
      std::int64_t other = std::abs(strides[order[i]]);
      if (other == 0 || step == 0) continue;
      if (other >= step) break;
      place = i;
    }
    for (int i = axis; i > place; --i) order[i] = order[i - 1];
    order[place] = axis;
  }
  Dims result(rank);
  std::int64_t next = item_size;
  for (int i = rank - 1; i >= 0; --i) {
    result[order[i]] = next;
    next *= shape[order[i]] ? shape[order[i]] : 1;
  }
  return result;
}

bool is_dense(const Dims& shape, const Dims& strides, int item_size, bool fortran) {
  std::int64_t expected = item_size;
  int rank = shape.size();
  bool dense = true;
  for (int i = 0; i < rank; ++i) {
    int axis = fortran ? i : rank - 1 - i;
    if (shape[axis] == 0) return true;
    if (shape[axis] == 1) continue;
    dense = dense && strides[axis] == expected;
    expected *= shape[axis];
  }
  return dense;
}

}  // namespace strider::nd
