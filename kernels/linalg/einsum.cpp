// einsum: operands contracted two at a time, through products of stacked matrices.
#include <strider/nd/error.h>
#include <strider/nd/linalg.h>
#include <strider/nd/reduce.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/index/arithmetic.h"
#include "kernels/index/promotion.h"
#include "kernels/linalg/einsum_terms.h"
#include "kernels/linalg/row_product.h"
#include "kernels/linalg/stack_product.h"

namespace strider::nd {
namespace {

// An operand whose axes have distinct labels.
struct Term {
  Array array;
  Labels labels;

  int axis_of(int label) const {
    return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
  }
};

// Repeated labels become one axis along the diagonal.
Term make_term(const Array& array, const Labels& labels) {
  Term term;
  Dims shape, strides;
  for (int axis = 0; axis < array.rank(); ++axis) {
    int label = labels[static_cast<std::size_t>(axis)], at = term.axis_of(label);
    if (at < static_cast<int>(term.labels.size())) {
      strides[at] += array.strides()[axis];
      continue;
    }
    term.labels.push_back(label);
    shape.push_back(array.shape()[axis]);
    strides.push_back(array.strides()[axis]);
  }
  bool same = shape.size() == array.rank();
  term.array = same ? array : array.view(shape, strides, 0);
  return term;
}

// The term with its axes in this order; every label must be there.
Array ordered(const Term& term, const Labels& order) {
  Labels axes;
  bool moved = false;
  for (int label : order) {
    moved |= term.axis_of(label) != static_cast<int>(axes.size());
    axes.push_back(term.axis_of(label));
  }
  return moved ? term.array.transpose({axes.data(), axes.size()}) : term.array;
}

// Drops axes of extent one whose label is longer elsewhere.
void drop_broadcast_axes(Term& term, const EinsumTerms& terms) {
  Dims shape, strides;
  Labels labels;
  for (std::size_t k = 0; k < term.labels.size(); ++k) {
    auto axis = static_cast<int>(k);
    if (term.array.shape()[axis] == 1 && terms.extents.at(term.labels[k]) != 1) continue;
    labels.push_back(term.labels[k]);
    shape.push_back(term.array.shape()[axis]);
    strides.push_back(term.array.strides()[axis]);
  }
  if (labels.size() == term.labels.size()) return;
  term = {term.array.view(shape, strides, 0), labels};
}

// Sums over the labels that nobody needs.
void sum_unneeded(Term& term, const Labels& needed) {
  Labels kept, summed;
  for (int label : term.labels) (contains(needed, label) ? kept : summed).push_back(label);
  if (summed.empty()) return;
  Dims axes;
  for (int label : summed) axes.push_back(term.axis_of(label));
  ReduceOptions options;
  options.axes = Axes(axes);
  options.dtype = term.array.dtype();
  term = {sum(term.array, options), kept};
}

// How the labels of a pair take part in its contraction.
struct Roles {
  Labels batch, left, right, summed;
};

Roles assign_roles(const Term& a, const Term& b, const Labels& needed) {
  Roles roles;
  for (int label : a.labels) {
    if (!contains(b.labels, label))
      roles.left.push_back(label);
    else
      (contains(needed, label) ? roles.batch : roles.summed).push_back(label);
  }
  for (int label : b.labels)
    if (!contains(a.labels, label)) roles.right.push_back(label);
  return roles;
}

Labels joined(std::initializer_list<const Labels*> parts) {
  Labels result;
  for (const Labels* part : parts) append(result, *part);
  return result;
}

// The term's axes at the places of `order`, extent one where it has none.
Array spread(const Term& term, const Labels& order) {
  Dims shape, strides;
  for (int label : order) {
    bool there = contains(term.labels, label);
    shape.push_back(there ? term.array.shape()[term.axis_of(label)] : 1);
    strides.push_back(there ? term.array.strides()[term.axis_of(label)] : 0);
  }
  return term.array.view(shape, strides, 0);
}

// The term as a stack of matrices: batch axes, then `rows` and `columns` each as one axis.
Array stacked(const Term& term, const Labels& batch, const Labels& rows, const Labels& columns) {
  Array moved = ordered(term, joined({&batch, &rows, &columns}));
  Dims shape = moved.shape();
  std::int64_t row_count = 1, column_count = 1;
  auto first = static_cast<int>(batch.size()), middle = first + static_cast<int>(rows.size());
  for (int axis = first; axis < shape.size(); ++axis)
    (axis < middle ? row_count : column_count) *= shape[axis];
  shape.resize(first);
  shape.push_back(row_count);
  shape.push_back(column_count);
  return moved.reshape(shape);
}

// The product of the extents of these axes of a term.
std::int64_t extent_along(const Term& term, const Labels& labels) {
  std::int64_t extent = 1;
  for (int label : labels) extent *= term.array.shape()[term.axis_of(label)];
  return extent;
}

// Stacks of matrices with few elements, contracted along one axis, as rows times rows: a term
// without an array where they are others.
Term contract_rows(const Term& a, const Term& b, const Roles& roles) {
  constexpr std::int64_t kFewRows = 8, kShortRow = 16;
  if (roles.summed.size() != 1) return {};
  bool alike = roles.left.empty() && roles.right.empty();
  bool few = !roles.batch.empty() && extent_along(a, roles.summed) <= kShortRow &&
             extent_along(a, roles.left) * extent_along(b, roles.right) <= kFewRows;
  if (!alike && !few) return {};
  Labels kept = joined({&roles.batch, &roles.left, &roles.right});
  Labels order = joined({&kept, &roles.summed});
  Array left = spread(a, order), right = spread(b, order);
  if (!alike) {
    Dims shape = broadcast_shapes(std::array{left.shape(), right.shape()});
    left = left.broadcast_to(shape);
    right = right.broadcast_to(shape);
  }
  return {multiply_rows(left, right), kept};
}

Term contract(Term a, Term b, const Labels& needed, const Labels& output) {
  Labels needed_by_a = joined({&needed, &b.labels}), needed_by_b = joined({&needed, &a.labels});
  sum_unneeded(a, needed_by_a);
  sum_unneeded(b, needed_by_b);
  Roles roles = assign_roles(a, b, needed);
  if (roles.summed.empty()) {
    Labels all = joined({&roles.batch, &roles.left, &roles.right}), order;
    for (int label : output)
      if (contains(all, label)) order.push_back(label);
    for (int label : all)
      if (!contains(order, label)) order.push_back(label);
    return {multiply_elements(spread(a, order), spread(b, order), a.array.dtype()), order};
  }
  if (Term rows = contract_rows(a, b, roles); rows.array) return rows;
  Array left = stacked(a, roles.batch, roles.left, roles.summed);
  Array right = stacked(b, roles.batch, roles.summed, roles.right);
  Dims batch, shape;
  for (int label : roles.batch) batch.push_back(a.array.shape()[a.axis_of(label)]);
  shape = batch;
  for (int label : roles.left) shape.push_back(a.array.shape()[a.axis_of(label)]);
  for (int label : roles.right) shape.push_back(b.array.shape()[b.axis_of(label)]);
  return {multiply_stacks(left, right, batch).reshape(shape),
          joined({&roles.batch, &roles.left, &roles.right})};
}

double extent_of(const Labels& labels, const EinsumTerms& terms) {
  double size = 1;
  for (int label : labels) size *= static_cast<double>(terms.extents.at(label));
  return size;
}

struct Pair {
  std::size_t first, second;
};

// The labels that the output or terms other than a pair still need.
Labels needed_after(const std::vector<Term>& list, Pair pair, const Labels& output) {
  Labels needed = output;
  for (std::size_t k = 0; k < list.size(); ++k)
    if (k != pair.first && k != pair.second) append(needed, list[k].labels);
  return needed;
}

// The pair whose contraction frees most elements, then costs least.
Pair best_pair(const std::vector<Term>& list, const EinsumTerms& terms) {
  Pair best{0, 1};
  double best_freed = -HUGE_VAL, best_cost = HUGE_VAL;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (std::size_t j = i + 1; j < list.size(); ++j) {
      Labels needed = needed_after(list, {i, j}, terms.output), all = list[i].labels, kept;
      for (int label : list[j].labels)
        if (!contains(all, label)) all.push_back(label);
      for (int label : all)
        if (contains(needed, label)) kept.push_back(label);
      double freed = extent_of(list[i].labels, terms) + extent_of(list[j].labels, terms) -
                     extent_of(kept, terms);
      double cost = extent_of(all, terms);
      if (freed < best_freed || (freed == best_freed && cost >= best_cost)) continue;
      best = {i, j};
      best_freed = freed;
      best_cost = cost;
    }
  return best;
}

Term reduce_terms(std::vector<Term> list, const EinsumTerms& terms, bool optimize) {
  while (list.size() > 1) {
    Pair pair = optimize && list.size() > 2 ? best_pair(list, terms) : Pair{0, 1};
    Labels needed = needed_after(list, pair, terms.output);
    Term result = contract(list[pair.first], list[pair.second], needed, terms.output);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(pair.second));
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(pair.first));
    list.insert(optimize ? list.end() : list.begin(), std::move(result));
  }
  return list[0];
}

constexpr const char* kRuleNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};

void check_casts(std::span<const Array> operands, DType dtype, Casting casting) {
  for (std::size_t k = 0; k < operands.size(); ++k)
    if (!can_cast(operands[k].dtype(), dtype, casting))
      throw Error(ErrorKind::kType, "Iterator operand " + std::to_string(k) +
                                        " dtype could not be cast from dtype('" +
                                        std::string(name(operands[k].dtype())) + "') to dtype('" +
                                        std::string(name(dtype)) + "') according to the rule '" +
                                        kRuleNames[static_cast<int>(casting)] + "'");
}

Array deliver(const Array& result, const EinsumOptions& options) {
  if (!options.out) return result;
  if (options.out->rank() != result.rank())
    throw Error(ErrorKind::kValue,
                "out parameter does not have the correct number of dimensions, has " +
                    std::to_string(options.out->rank()) + " but should have " +
                    std::to_string(result.rank()));
  options.out->assign(result);
  return *options.out;
}

}  // namespace

Array einsum(std::string_view subscripts, std::span<const Array> operands,
             const EinsumOptions& options) {
  EinsumTerms terms = parse_einsum(subscripts, operands);
  DType dtype = options.dtype.value_or(promote_all(operands));
  check_casts(operands, dtype, options.casting);
  DType compute = dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
  bool rearranges = operands.size() == 1;
  if (rearranges) compute = dtype;
  std::vector<Term> list;
  list.reserve(operands.size());
  for (std::size_t k = 0; k < operands.size(); ++k) {
    list.push_back(make_term(operands[k].astype(compute, Order::kKeep, false), terms.inputs[k]));
    drop_broadcast_axes(list.back(), terms);
  }
  Term term = reduce_terms(std::move(list), terms, options.optimize);
  bool summed = term.labels.size() != terms.output.size();
  sum_unneeded(term, terms.output);
  Array result = ordered(term, terms.output);
  if (rearranges && !summed)
    return deliver(result.view(result.shape(), result.strides(), 0), options);
  result = result.astype(dtype, Order::kKeep, false).contiguous();
  return deliver(result, options);
}

}  // namespace strider::nd
