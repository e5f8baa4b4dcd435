// matmul, vecdot, matvec, vecmat: products of stacked operands as generalised ufuncs.
#include <strider/nd/error.h>
#include <strider/nd/linalg.h>

#include <algorithm>
#include <vector>

#include "kernels/elementwise/layout.h"
#include "kernels/graph/expression/space.h"
#include "kernels/index/arithmetic.h"
#include "kernels/linalg/gufunc.h"
#include "kernels/linalg/stack_product.h"

namespace strider::nd {
namespace {

constexpr Gufunc kMatmul{"matmul", "(n?,k),(k,m?)->(n?,m?)"};
constexpr Gufunc kVecdot{"vecdot", "(n),(n)->()"};
constexpr Gufunc kMatvec{"matvec", "(m,n),(n)->(m)"};
constexpr Gufunc kVecmat{"vecmat", "(n),(n,m)->(m)"};

Dims leading(const Array& array, int core) {
  Dims shape = array.shape();
  shape.resize(shape.size() - core);
  return shape;
}

// "(2,2,3)->(2,newaxis,newaxis)": how NumPy prints operands whose stacks do not match.
std::string remapped_text(const Array& array, int core, int result_core) {
  std::string text = shape_text(array.shape()) + "->(";
  Dims stack = leading(array, core);
  std::string separator;
  for (std::int64_t extent : stack) {
    text += separator + std::to_string(extent);
    separator = ",";
  }
  for (int k = 0; k < result_core; ++k) {
    text += separator + "newaxis";
    separator = ",";
  }
  return text + ")";
}

struct Cores {
  int a, b, result;  // core axes of the operands and the result
};

Dims broadcast_stacks(const Array& a, const Array& b, const Cores& cores,
                      const std::string& requested) {
  Dims stacks[] = {leading(a, cores.a), leading(b, cores.b)};
  if (stacks[0].empty()) return stacks[1];
  if (stacks[1].empty() || stacks[0] == stacks[1]) return stacks[0];
  try {
    return broadcast_shapes(stacks);
  } catch (const Error&) {
    throw Error(ErrorKind::kValue,
                "operands could not be broadcast together with remapped shapes "
                "[original->remapped]: " +
                    remapped_text(a, cores.a, cores.result) + " " +
                    remapped_text(b, cores.b, cores.result) + " " + requested);
  }
}

// The array's axes but for the last two, as an array.
Array stack_of(const Array& array) {
  Dims shape = array.shape(), strides = array.strides();
  for (Dims* dims : {&shape, &strides}) dims->resize(dims->size() - 2);
  return array.view(shape, strides, 0);
}

// The array with the axes of its stack in this order, broadcast to `batch` unless it has none.
Array with_stack_order(const Array& array, const Dims& batch, const Dims& order) {
  if (array.rank() == 2) return array;
  std::vector<int> axes(order.begin(), order.end());
  Dims shape = batch;
  for (int k = 2; k > 0; --k) {
    axes.push_back(batch.size() + 2 - k);
    shape.push_back(array.shape()[array.rank() - k]);
  }
  return array.broadcast_to(shape).transpose(axes);
}

// The axes of the results' stack from the outermost to the innermost, which NumPy lays out like the
// operands'; empty where that is C order.
Dims stack_order(const Array& a, const Array& b, const Dims& batch) {
  if (batch.size() < 2) return {};
  Array stacks[] = {stack_of(a), stack_of(b)};
  Operand operands[] = {Operand(stacks[0]), Operand(stacks[1])};
  Dims order = storage_order(batch, result_strides(operands, batch, a.dtype(), Order::kKeep));
  return std::is_sorted(order.begin(), order.end()) ? Dims() : order;
}

// The product of stacks, its rows or columns dropped where there is but one on purpose.
Array multiply_stacks(const Array& a, const Array& b, const Dims& batch, bool as_row,
                      bool as_column, const char* name) {
  Array product = multiply_stacks(a, b, batch, name);
  if (!as_row && !as_column) return product;
  Dims shape = product.shape();
  if (as_column) shape.erase(shape.size() - 1);
  if (as_row) shape.erase(shape.size() - (as_column ? 1 : 2));
  return with_shape(std::move(product), shape);
}

// The same for stacks whose axes are to be gone through in another order.
Array multiply_in_order(const Array& a, const Array& b, const Dims& batch, const Dims& order,
                        bool as_row, bool as_column, const char* name) {
  Dims ordered;
  for (std::int64_t axis : order) ordered.push_back(batch[static_cast<int>(axis)]);
  Array x = with_stack_order(a, batch, order), y = with_stack_order(b, batch, order);
  return with_axes(multiply_stacks(x, y, ordered, as_row, as_column, name), order);
}

// Converts to the computing type and multiplies; `as_row`, `as_column` turn vectors into matrices.
Array multiply(const Array& a, const Array& b, DType dtype, const Dims& batch, bool as_row,
               bool as_column, const Gufunc& function) {
  if (a.rank() == 1 && b.rank() == 1 && a.dtype() == dtype) {
    if (Array product = multiply_vectors(a, b, function.name)) return product;
  }
  DType compute = dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
  Array x = a.dtype() == compute ? a : a.astype(compute, Order::kKeep, false);
  Array y = b.dtype() == compute ? b : b.astype(compute, Order::kKeep, false);
  int before_last[] = {-2}, last[] = {-1};
  if (as_row) x = x.expand_dims(before_last);
  if (as_column) y = y.expand_dims(last);
  Dims order = stack_order(x, y, batch);
  const char* name = function.name;
  Array product = order.empty()
                      ? multiply_stacks(x, y, batch, as_row, as_column, name)
                      : multiply_in_order(x, y, batch, order, as_row, as_column, name);
  return compute == dtype ? product : product.astype(dtype);
}

std::string requested_text(const Array& a, const Array& b, bool row, bool column) {
  Dims core;
  if (!row) core.push_back(a.shape()[a.rank() - 2]);
  if (!column) core.push_back(b.shape().back());
  return core.empty() ? "" : " and requested shape " + shape_text(core);
}

}  // namespace

Array matmul(const Array& a, const Array& b, const Array* out, std::optional<DType> dtype,
             Casting casting) {
  require_axes(kMatmul, 0, a.rank(), 1);
  require_axes(kMatmul, 1, b.rank(), 1);
  bool row = a.rank() == 1, column = b.rank() == 1;
  std::int64_t inner = b.shape()[column ? 0 : b.rank() - 2];
  require_core_size(kMatmul, 1, 0, inner, a.shape().back());
  DType type = product_type(kMatmul, a, b, dtype, casting);
  Dims batch = broadcast_stacks(a, b, {row ? 1 : 2, column ? 1 : 2, 2 - row - column},
                                requested_text(a, b, row, column));
  Array result = multiply(a, b, type, batch, row, column, kMatmul);
  return deliver(kMatmul, result, out, casting, 2 - row - column);
}

Array vecdot(const Array& a, const Array& b, const Array* out) {
  require_axes(kVecdot, 0, a.rank(), 1);
  require_axes(kVecdot, 1, b.rank(), 1);
  require_core_size(kVecdot, 1, 0, b.shape().back(), a.shape().back());
  Dims batch = broadcast_stacks(a, b, {1, 1, 0}, "");
  Array result = multiply(conjugated(a), b, promote(a.dtype(), b.dtype()), batch, true, true,
                          kVecdot);
  return deliver(kVecdot, result, out, Casting::kSameKind, 0);
}

Array matvec(const Array& a, const Array& b, const Array* out) {
  require_axes(kMatvec, 0, a.rank(), 2);
  require_axes(kMatvec, 1, b.rank(), 1);
  require_core_size(kMatvec, 1, 0, b.shape().back(), a.shape().back());
  Dims batch = broadcast_stacks(a, b, {2, 1, 1}, requested_text(a, b, false, true));
  Array result = multiply(a, b, promote(a.dtype(), b.dtype()), batch, false, true,
                          kMatvec);
  return deliver(kMatvec, result, out, Casting::kSameKind, 1);
}

Array vecmat(const Array& a, const Array& b, const Array* out) {
  require_axes(kVecmat, 0, a.rank(), 1);
  require_axes(kVecmat, 1, b.rank(), 2);
  require_core_size(kVecmat, 1, 0, b.shape()[b.rank() - 2], a.shape().back());
  Dims batch = broadcast_stacks(a, b, {1, 2, 1}, requested_text(a, b, true, false));
  Array result = multiply(conjugated(a), b, promote(a.dtype(), b.dtype()), batch, true, false,
                          kVecmat);
  return deliver(kVecmat, result, out, Casting::kSameKind, 1);
}

Array matrix_power(const Array& a, std::int64_t n) {
  if (n == 0) {
    std::int64_t size = a.shape().back();
    Array eye = Array::zeros({size, size}, a.dtype());
    for (std::int64_t i = 0; i < size; ++i) eye.set_item_at({i, i}, Scalar(true).as(a.dtype()));
    return eye.broadcast_to(a.shape()).copy();
  }
  Array square = a, result;
  for (; n > 0; n >>= 1) {
    if (n & 1) result = result ? matmul(result, square) : square;
    if (n > 1) square = matmul(square, square);
  }
  return result;
}

}  // namespace strider::nd
