// dot, vdot, inner, outer, tensordot: contractions brought to one product of two matrices.
#include <strider/nd/error.h>
#include <strider/nd/eval.h>
#include <strider/nd/linalg.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <vector>

#include "kernels/index/arithmetic.h"
#include "kernels/linalg/stack_product.h"

namespace strider::nd {
namespace {

[[noreturn]] void throw_not_aligned(const Array& a, int axis_a, const Array& b, int axis_b) {
  throw Error(ErrorKind::kValue,
              "shapes " + shape_text(a.shape()) + " and " + shape_text(b.shape()) +
                  " not aligned: " + std::to_string(a.shape()[axis_a]) + " (dim " +
                  std::to_string(axis_a) + ") != " + std::to_string(b.shape()[axis_b]) + " (dim " +
                  std::to_string(axis_b) + ")");
}

struct Contraction {
  Array matrix;  // (kept, summed) or (summed, kept)
  Dims kept_shape;
};

// The array as a matrix: its summed axes in the given order, the others in theirs.
Contraction as_matrix(const Array& array, std::span<const int> summed, bool summed_last) {
  std::vector<int> kept, order;
  Contraction result;
  std::int64_t rows = 1, inner = 1;
  for (int axis = 0; axis < array.rank(); ++axis)
    if (std::find(summed.begin(), summed.end(), axis) == summed.end()) {
      kept.push_back(axis);
      result.kept_shape.push_back(array.shape()[axis]);
      rows *= array.shape()[axis];
    }
  for (int axis : summed) inner *= array.shape()[axis];
  const auto first = summed_last ? std::span<const int>(kept) : summed;
  const auto second = summed_last ? summed : std::span<const int>(kept);
  order.assign(first.begin(), first.end());
  order.insert(order.end(), second.begin(), second.end());
  Dims shape = summed_last ? Dims{rows, inner} : Dims{inner, rows};
  result.matrix = array.transpose(order).reshape(shape);
  return result;
}

constexpr const char* kName = "dot";

Array contract(const Array& a, std::span<const int> axes_a, const Array& b,
               std::span<const int> axes_b, const char* name = kName) {
  Contraction left = as_matrix(a, axes_a, true), right = as_matrix(b, axes_b, false);
  Dims shape = left.kept_shape;
  for (std::int64_t extent : right.kept_shape) shape.push_back(extent);
  DType dtype = promote(a.dtype(), b.dtype());
  return with_shape(multiply_two(left.matrix, right.matrix, dtype, name), shape);
}

Array deliver_dot(const Array& result, const Array* out) {
  if (!out) return result;
  if (out->dtype() != result.dtype() || out->rank() != result.rank() || !out->is_c_contiguous())
    throw Error(ErrorKind::kValue,
                "output array is not acceptable (must have the right datatype, number of "
                "dimensions, and be a C-Array)");
  if (!(out->shape() == result.shape()))
    throw Error(ErrorKind::kValue, "output array has wrong dimensions");
  out->assign(result);
  return *out;
}

Array contract_pair(const Array& a, const Array& b, int axis_b, const char* name = kName) {
  int axis_a = a.rank() - 1;
  if (a.shape()[axis_a] != b.shape()[axis_b]) throw_not_aligned(a, axis_a, b, axis_b);
  if (a.rank() == 1 && b.rank() == 1) {
    if (Array product = multiply_vectors(a, b, name)) return product;
  }
  int summed_a[] = {axis_a}, summed_b[] = {axis_b};
  return contract(a, summed_a, b, summed_b, name);
}

// A number times several is added to zeros by BLAS: no zero of the result has a sign.
Array scale(const Array& a, const Array& b) {
  DType dtype = promote(a.dtype(), b.dtype());
  Array product = multiply_elements(a, b, dtype);
  bool added = is_inexact(dtype) && dtype != DType::kFloat16 && product.size() > 1;
  return added ? apply(Op::kAdd, Operand(product), Operand::weak_float(0.0)) : product;
}

}  // namespace

Array dot(const Array& a, const Array& b, const Array* out) {
  if (a.rank() == 0 || b.rank() == 0) return deliver_dot(scale(a, b), out);
  return deliver_dot(contract_pair(a, b, std::max(0, b.rank() - 2)), out);
}

Array inner(const Array& a, const Array& b) {
  if (a.rank() == 0 || b.rank() == 0) return scale(a, b);
  int rank = b.rank();
  if (rank == 1) return contract_pair(a, b, 0);
  return contract_pair(a, b.swap_axes(rank - 2, rank - 1), rank - 2);
}

namespace {

// The product of lines in memory, the first one conjugated; null for others.
Array multiply_lines(const Array& x, const Array& y) {
  if (x.dtype() != y.dtype() || is_away(x) || is_away(y)) return Array();
  std::int64_t count = x.size(), item = item_size(x.dtype());
  Array result = Array::empty({}, x.dtype());
  Matrix row{x.data(), 1, count, count * x.strides()[0], x.strides()[0]};
  Matrix column{y.data(), count, 1, y.strides()[0], item};
  return multiply_conjugated(x.dtype(), row, column, result.mutable_data()) ? result : Array();
}

}  // namespace

Array vdot(const Array& a, const Array& b) {
  Array x = a.ravel(), y = b.ravel();
  if (x.size() != y.size())
    throw Error(ErrorKind::kValue, "cannot reshape array of size " + std::to_string(y.size()) +
                                       " into shape (" + std::to_string(x.size()) + ",)");
  if (is_complex(x.dtype())) {
    if (Array product = multiply_lines(x, y)) return product;
    x = conjugated(x);
  }
  return contract_pair(x, y, 0, nullptr);
}

Array outer(const Array& a, const Array& b, const Array* out) {
  Array column = a.reshape({a.size(), 1}), row = b.reshape({1, b.size()});
  UfuncOptions options;
  options.out[0] = out;
  return apply(Op::kMultiply, column, row, options);
}

Array tensordot(const Array& a, const Array& b, std::span<const int> axes_a,
                std::span<const int> axes_b) {
  std::vector<int> summed_a, summed_b;
  bool matches = axes_a.size() == axes_b.size();
  for (std::size_t k = 0; matches && k < axes_a.size(); ++k) {
    summed_a.push_back(normalize_axis(axes_a[k], a.rank()));
    summed_b.push_back(normalize_axis(axes_b[k], b.rank()));
    matches = a.shape()[summed_a[k]] == b.shape()[summed_b[k]];
  }
  if (!matches) throw Error(ErrorKind::kValue, "shape-mismatch for sum");
  return contract(a, summed_a, b, summed_b);
}

}  // namespace strider::nd
