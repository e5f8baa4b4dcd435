// Generalised ufuncs: how products of stacked operands check their core dimensions and report
// mistakes. Computes nothing.
#pragma once

#include <strider/nd/array.h>

#include <optional>
#include <string>

namespace strider::nd {

struct Gufunc {
  const char* name;       // "matmul"
  const char* signature;  // "(n?,k),(k,m?)->(n?,m?)"
};

// kValue: operand `number` has fewer than `required` axes.
void require_axes(const Gufunc& function, int number, int rank, int required);
// kValue: the core dimension has the wrong size.
void require_core_size(const Gufunc& function, int number, int dimension, std::int64_t size,
                       std::int64_t expected);

// The type to compute in; kUfuncCast when an input may not be cast to it.
DType product_type(const Gufunc& function, const Array& a, const Array& b,
                   std::optional<DType> dtype, Casting casting);
// Writes `result` to `out` (null: returns the result itself). kUfuncCast, kValue.
Array deliver(const Gufunc& function, const Array& result, const Array* out, Casting casting,
              int core_rank);

}  // namespace strider::nd
