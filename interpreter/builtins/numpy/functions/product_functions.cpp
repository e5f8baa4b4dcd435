// Products of arrays: matmul, dot, inner, outer, tensordot, einsum and their kin.
#include <strider/nd/linalg.h>

#include <algorithm>

#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_methods.h"
#include "interpreter/builtins/numpy/array/subscripts.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/libraries/library_functions.h"
#include "interpreter/builtins/numpy/ufunc/general_ufunc.h"
#include "interpreter/builtins/numpy/ufunc/result_class.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/mappings/dict.h"
#include "interpreter/types/sequences/sequence.h"
#include "interpreter/types/text/str.h"

namespace strider::lang {
namespace {

// The result of a ufunc of this name, in `out` or in the class of an input.
Value made_by_ufunc(nd::Array result, const Parameters& p, const char* name) {
  if (is_given(p[2])) return out_result(std::move(result), p[2]);
  if (!may_decide_class(p[0]) && !may_decide_class(p[1])) return wrap_result(std::move(result));
  Value inputs[] = {p[0], p[1]};
  return wrap_by_model(std::move(result), class_model(inputs), find_general_ufunc(name),
                       inputs);
}

// Whose class the product of two arrays takes.
const Value& model_of(const Parameters& p) { return is_subclass_array(p[0]) ? p[0] : p[1]; }

// matmul(x1, x2, out, *, casting, order, dtype, subok, axes, axis)
Value matmul(const Parameters& p) {
  nd::Array result = nd::matmul(this_array(p[0]), this_array(p[1]), to_out(p[2]),
                                to_optional_dtype(p[5]), to_casting(p[3]));
  return made_by_ufunc(std::move(result), p, "matmul");
}

Value dot(const Parameters& p) {
  return out_result(nd::dot(this_array(p[0]), this_array(p[1]), to_out(p[2])), p[2], model_of(p));
}

Value vdot(const Parameters& p) {
  return wrap_result(nd::vdot(this_array(p[0]), this_array(p[1])));
}

Value inner(const Parameters& p) {
  return wrap_like(nd::inner(this_array(p[0]), this_array(p[1])), model_of(p));
}

Value outer(const Parameters& p) {
  return out_result(nd::outer(this_array(p[0]), this_array(p[1]), to_out(p[2])), p[2]);
}

nd::Array with_axis_last(const nd::Array& array, int axis) {
  axis = nd::normalize_axis(axis, array.rank());
  std::vector<int> order;
  for (int i = 0; i < array.rank(); ++i)
    if (i != axis) order.push_back(i);
  order.push_back(axis);
  return array.transpose(order);
}

// vecdot(x1, x2, out, *, axis)
Value vecdot(const Parameters& p) {
  nd::Array a = this_array(p[0]), b = this_array(p[1]);
  if (int axis = to_axis_number(p[3]); axis != -1) {
    a = with_axis_last(a, axis);
    b = with_axis_last(b, axis);
  }
  return made_by_ufunc(nd::vecdot(a, b, to_out(p[2])), p, "vecdot");
}

using Product = nd::Array (*)(const nd::Array&, const nd::Array&, const nd::Array*);

template <Product kProduct, const char* kName>
Value product(const Parameters& p) {
  return made_by_ufunc(kProduct(this_array(p[0]), this_array(p[1]), to_out(p[2])), p, kName);
}

constexpr char kMatvec[] = "matvec", kVecmat[] = "vecmat";

struct AxisPairs {
  std::vector<int> first, second;
};

// axes= of tensordot: a count of neighbouring axes, or the axes of each array.
AxisPairs to_axis_pairs(const Value& value, int rank) {
  AxisPairs pairs;
  std::int64_t count;
  if (try_count(value, count)) {
    for (std::int64_t i = -count; i < 0; ++i) pairs.first.push_back(static_cast<int>(rank + i));
    for (std::int64_t i = 0; i < count; ++i) pairs.second.push_back(static_cast<int>(i));
    return pairs;
  }
  Ref<Tuple> both = to_tuple(value);
  if (both->size() != 2)
    raise(errors::ValueError, "{} values to unpack (expected 2)",
          both->size() < 2 ? "not enough" : "too many");
  return {to_axis_list((*both)[0]), to_axis_list((*both)[1])};
}

// tensordot(a, b, axes)
Value tensordot(const Parameters& p) {
  nd::Array a = this_array(p[0]), b = this_array(p[1]);
  AxisPairs pairs = to_axis_pairs(p[2], a.rank());
  if (pairs.first.size() != pairs.second.size())
    raise(errors::ValueError, "shape-mismatch for sum");
  return wrap(nd::tensordot(a, b, pairs.first, pairs.second));
}

// RuntimeError where a path leaves more than one array of so many.
void check_path(const Value& path, std::size_t arrays) {
  if (!is_list(path) && !is_tuple(path)) return;
  Ref<Tuple> steps = to_tuple(path);
  if (steps->size() == 0 || !is_str((*steps)[0]) || text_of((*steps)[0]) != "einsum_path") return;
  auto left = static_cast<std::int64_t>(arrays);
  for (const Value& step : steps->items().subspan(1)) left -= length(step) - 1;
  if (left != 1)
    raise(errors::RuntimeError,
          "Invalid einsum_path is specified: {} more operands has to be contracted.", left - 1);
}

bool wants_optimizing(const Value& value) {
  return !value.is_none() && !value.is_empty() && (is_str(value) || truth(value));
}

// A result as order= wants it in memory; a view of an operand stays one.
nd::Array ordered(nd::Array result, const EinsumInput& input, nd::Order order) {
  bool view = input.operands.size() == 1 && result.same_storage(input.operands[0]);
  bool columns = std::ranges::all_of(input.operands, [](const nd::Array& each) {
    return each.is_f_contiguous() && !each.is_c_contiguous();
  });
  if (columns && order != nd::Order::kC) order = nd::Order::kF;
  if (view || (order != nd::Order::kC && order != nd::Order::kF)) return result;
  return result.astype(result.dtype(), order, false);
}

// einsum(*operands, out, optimize, dtype, order, casting)
Value einsum(const Parameters& p) {
  EinsumInput input = to_einsum_input(*p[0].as<Tuple>());
  nd::EinsumOptions options;
  options.out = to_out(p[1]);
  options.optimize = wants_optimizing(p[2]);
  check_path(p[2], input.operands.size());
  options.dtype = to_optional_dtype(p[3]);
  options.order = to_order(p[4], nd::Order::kKeep);
  if (is_given(p[5])) options.casting = to_casting(p[5]);
  nd::Array result = nd::einsum(input.subscripts, input.operands, options);
  if (!options.out) result = ordered(std::move(result), input, options.order);
  return out_result(std::move(result), p[1]);
}

#define PRODUCT_PARAMETERS "x1, x2, /, out=None"

const NativeRow kFunctions[] = {
    {"matmul(" PRODUCT_PARAMETERS
     ", *, casting='same_kind', order='K', dtype=None, subok=True, axes=<none>, axis=<none>)",
     matmul, "The matrix product of the last two axes."},
    {"dot(a, b, out=None)", dot, "The dot product: of vectors, of matrices, or over last axes."},
    {"vdot(a, b, /)", vdot, "The dot product of flattened arrays, the first one conjugated."},
    {"inner(a, b, /)", inner, "The products of last axes, summed."},
    {"outer(a, b, out=None)", outer, "The product of every pair of elements."},
    {"vecdot(" PRODUCT_PARAMETERS ", *, axis=-1)", vecdot,
     "The dot products of vectors along an axis, the first ones conjugated."},
    {"matvec(" PRODUCT_PARAMETERS ")", product<nd::matvec, kMatvec>,
     "The products of matrices and vectors."},
    {"vecmat(" PRODUCT_PARAMETERS ")", product<nd::vecmat, kVecmat>,
     "The products of vectors and matrices."},
    {"tensordot(a, b, axes=2)", tensordot, "The products summed over pairs of axes."},
    {"einsum(*operands, out=None, optimize=False, dtype=None, order='K', casting='safe')", einsum,
     "Products summed as the subscripts say."},
};

const NativeRow kMethods[] = {
    {"dot(self, /, b, out=None)", dot, "The dot product with another array."},
};

}  // namespace

std::span<const NativeRow> product_functions() { return kFunctions; }
std::span<const NativeRow> array_product_methods() { return kMethods; }

}  // namespace strider::lang
