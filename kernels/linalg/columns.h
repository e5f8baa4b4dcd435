// Stacks of matrices as LAPACK wants them: column by column, in the four types it knows. Knows no
// routines.
#pragma once

#include <strider/nd/array.h>
#include <strider/nd/error.h>

#include <complex>
#include <type_traits>

#include "kernels/linalg/library.h"

namespace strider::nd {

// The type a routine computes `dtype` in: integers and bool as float64, float16 as float32.
inline DType lapack_type(DType dtype) {
  if (!is_inexact(dtype)) return DType::kFloat64;
  return dtype == DType::kFloat16 ? DType::kFloat32 : dtype;
}

// Calls body(T{}) for the C++ type of a LAPACK type.
template <class Body>
decltype(auto) dispatch_lapack(DType dtype, Body&& body) {
  require_linear_library();
  switch (dtype) {
    case DType::kFloat32:
      return body(float{});
    case DType::kFloat64:
      return body(double{});
    case DType::kComplex64:
      return body(std::complex<float>{});
    default:
      return body(std::complex<double>{});
  }
}

// The shape without its last `count` axes.
Dims stack_shape(const Array& a, int count);

// The stack's shape followed by these extents.
Dims with_core(const Dims& stack, std::initializer_list<std::int64_t> core);

// A fresh copy of the stack, each matrix column by column (so its last two axes are exchanged).
Array to_columns(const Array& a, DType dtype);

// The same the other way round: matrices row by row.
Array from_columns(const Array& columns, DType dtype);

// The array itself, if it is of that type, or converted.
inline Array in_type(const Array& a, DType dtype) { return a.astype(dtype, Order::kKeep, false); }

// rows columns min(rows, columns), summed over the stack: what decompositions take is a small
// multiple of it, in multiplications.
double cubic_work(const Array& a);

// A matrix with ones on the diagonal.
Array identity(std::int64_t rows, std::int64_t columns, DType dtype);

// LAPACK counts in int.
inline int to_int(std::int64_t extent) {
  if (extent > 2147483647)
    throw Error(ErrorKind::kValue, "linear algebra: a dimension is too large for LAPACK");
  return static_cast<int>(extent);
}

inline int at_least_one(int value) { return value > 1 ? value : 1; }

// The workspace size that a routine answered a query with.
template <class T>
int queried_size(T answer) {
  return at_least_one(static_cast<int>(std::real(answer)));
}

}  // namespace strider::nd
