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

void order_axes(std::span<const Dims> layouts, int* order) {
  // Whether an axis steps further than another: each layout that tells must say so.
  enum class Verdict { kOpen, kYes, kNo };
  auto compare = [&](int axis, int other) {
    Verdict verdict = Verdict::kOpen;
    for (const Dims& strides : layouts) {
      std::int64_t step = std::abs(strides[axis]), against = std::abs(strides[other]);
      if (step == 0 || against == 0) continue;
      if (against >= step) return Verdict::kNo;
      verdict = Verdict::kYes;
    }
    return verdict;
  };
  for (int axis = 0; axis < layouts[0].size(); ++axis) {
    int place = axis;
    // An axis moves outwards past those with smaller steps; axes that do not step stay put.
    for (int i = axis - 1; i >= 0; --i) {
      Verdict verdict = compare(axis, order[i]);
      if (verdict == Verdict::kNo) break;
      if (verdict == Verdict::kYes) place = i;
    }
    for (int i = axis; i > place; --i) order[i] = order[i - 1];
    order[place] = axis;
  }
}

Dims distinct_steps(const Dims& strides) {
  Dims steps = strides;
  for (std::int64_t& step : steps) step = step ? 2 * step : 1;
  return steps;
}

Dims similar_strides(const Dims& shape, const Dims& strides, int item_size) {
  return similar_strides(shape, std::span(&strides, 1), item_size);
}

Dims similar_strides(const Dims& shape, std::span<const Dims> layouts, int item_size) {
  int rank = shape.size();
  int order[kMaxRank];
  order_axes(layouts, order);
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
