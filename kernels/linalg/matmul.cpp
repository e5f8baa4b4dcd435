// matmul, vecdot, matvec, vecmat: products of stacked operands as generalised ufuncs.
#include <strider/nd/error.h>
#include <strider/nd/linalg.h>

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

// Converts to the computing type and multiplies; `as_row`, `as_column` turn vectors into matrices.
Array multiply(const Array& a, const Array& b, DType dtype, const Dims& batch, bool as_row,
               bool as_column) {
  DType compute = dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
  Array x = a.dtype() == compute ? a : a.astype(compute, Order::kKeep, false);
  Array y = b.dtype() == compute ? b : b.astype(compute, Order::kKeep, false);
  int before_last[] = {-2}, last[] = {-1};
  if (as_row) x = x.expand_dims(before_last);
  if (as_column) y = y.expand_dims(last);
  Array product = multiply_stacks(x, y, batch);
  if (as_row || as_column) {
    Dims shape = product.shape();
    if (as_column) shape.erase(shape.size() - 1);
    if (as_row) shape.erase(shape.size() - (as_column ? 1 : 2));
    product = with_shape(std::move(product), shape);
  }
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
  Array result = multiply(a, b, type, batch, row, column);
  return deliver(kMatmul, result, out, casting, 2 - row - column);
}

Array vecdot(const Array& a, const Array& b, const Array* out) {
  require_axes(kVecdot, 0, a.rank(), 1);
  require_axes(kVecdot, 1, b.rank(), 1);
  require_core_size(kVecdot, 1, 0, b.shape().back(), a.shape().back());
  Dims batch = broadcast_stacks(a, b, {1, 1, 0}, "");
  Array result = multiply(conjugated(a), b, promote(a.dtype(), b.dtype()), batch, true, true);
  return deliver(kVecdot, result, out, Casting::kSameKind, 0);
}

Array matvec(const Array& a, const Array& b, const Array* out) {
  require_axes(kMatvec, 0, a.rank(), 2);
  require_axes(kMatvec, 1, b.rank(), 1);
  require_core_size(kMatvec, 1, 0, b.shape().back(), a.shape().back());
  Dims batch = broadcast_stacks(a, b, {2, 1, 1}, requested_text(a, b, false, true));
  Array result = multiply(a, b, promote(a.dtype(), b.dtype()), batch, false, true);
  return deliver(kMatvec, result, out, Casting::kSameKind, 1);
}

Array vecmat(const Array& a, const Array& b, const Array* out) {
  require_axes(kVecmat, 0, a.rank(), 1);
  require_axes(kVecmat, 1, b.rank(), 2);
  require_core_size(kVecmat, 1, 0, b.shape()[b.rank() - 2], a.shape().back());
  Dims batch = broadcast_stacks(a, b, {1, 2, 1}, requested_text(a, b, true, false));
  Array result = multiply(conjugated(a), b, promote(a.dtype(), b.dtype()), batch, true, false);
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
