// A device is waited for once: to know how many distinct values there are.
#include "kernels/sort/unique_there.h"

#include <strider/nd/index.h>
#include <strider/nd/join.h>
#include <strider/nd/reduce.h>
#include <strider/nd/ufunc.h>

#include "kernels/index/arranging.h"

namespace strider::nd {
namespace {

// `count` elements of an array with one axis, from the first-th on.
Array part(const Array& line, std::int64_t first, std::int64_t count) {
  return line.view({count}, line.strides(), first * item_size(line.dtype()));
}

// Where new values begin among sorted ones.
Array mark_new(const Array& sorted, bool equal_nan) {
  std::int64_t rest = sorted.size() - 1;
  Array marks = empty_for({&sorted, 1}, {rest + 1}, DType::kBool);
  part(marks, 0, 1).assign(Scalar(true));
  if (rest == 0) return marks;
  Array before = part(sorted, 0, rest), after = part(sorted, 1, rest);
  Array differ = apply(Op::kNotEqual, after, before);
  if (equal_nan && is_inexact(sorted.dtype())) {
    Array both = apply(Op::kLogicalAnd, apply(Op::kIsNan, after), apply(Op::kIsNan, before));
    differ = apply(Op::kLogicalAnd, differ, apply(Op::kLogicalNot, both));
  }
  part(marks, 1, rest).assign(differ);
  return marks;
}

Array run_lengths(const Array& starts, std::int64_t size) {
  Array parts[] = {starts, Array::full({1}, Scalar(size), DType::kInt64)};
  Array bounds = concatenate(parts, 0);
  return apply(Op::kSubtract, part(bounds, 1, starts.size()), part(bounds, 0, starts.size()));
}

// The number of the value of each element, by the order that sorted them.
Array value_numbers(const Array& marks, const Array& order) {
  Array numbers = apply(Op::kSubtract, cumsum(marks, 0, DType::kInt64), Operand::weak_int(1));
  Array inverse = empty_for({&order, 1}, order.shape(), DType::kInt64);
  IndexItem item = IndexItem::of_array(order);
  Workbench bench = find_workbench({&inverse, &order, &numbers});
  if (!bench || !put_there(bench, inverse, order, numbers.contiguous(), true))
    set(inverse, {&item, 1}, numbers);
  return inverse;
}

}  // namespace

Unique unique_there(const Array& flat, bool want_index, bool want_inverse, bool want_counts,
                    bool equal_nan) {
  Unique result;
  Array order, sorted;
  if (want_index || want_inverse) {
    order = argsort(flat, 0, SortKind::kStable);
    sorted = take(flat, order, 0, IndexMode::kClip);
  } else {
    sorted = sort(flat, 0);
  }
  Array marks = mark_new(sorted, equal_nan);
  Array starts = flatnonzero(marks);
  result.values = take(sorted, starts, 0, IndexMode::kClip);
  if (want_index) result.index = take(order, starts, 0, IndexMode::kClip);
  if (want_inverse) result.inverse = value_numbers(marks, order);
  if (want_counts) result.counts = run_lengths(starts, flat.size());
  return result;
}

Array compare_found(const Array& sorted, const Array& wanted, const Array& places, bool invert) {
  Array line = places.reshape({places.size()});
  Array found = take(sorted, line, 0, IndexMode::kClip).reshape(wanted.shape());
  Array equal = apply(Op::kEqual, found, wanted);
  return invert ? apply(Op::kLogicalNot, equal) : equal;
}

}  // namespace strider::nd
