// Generalised ufuncs: checks and NumPy's messages.
#include "kernels/linalg/gufunc.h"

#include <strider/nd/error.h>

namespace strider::nd {
namespace {

constexpr const char* kRuleNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};

std::string quoted(DType dtype) { return "dtype('" + std::string(name(dtype)) + "')"; }

[[noreturn]] void throw_cast(const Gufunc& function, const std::string& what, DType from, DType to,
                             Casting casting) {
  throw Error(ErrorKind::kUfuncCast, std::string("Cannot cast ufunc '") + function.name + "' " +
                                         what + " from " + quoted(from) + " to " + quoted(to) +
                                         " with casting rule '" +
                                         kRuleNames[static_cast<int>(casting)] + "'");
}

}  // namespace

void require_axes(const Gufunc& function, int number, int rank, int required) {
  if (rank < required)
    throw Error(ErrorKind::kValue,
                std::string(function.name) + ": Input operand " + std::to_string(number) +
                    " does not have enough dimensions (has " + std::to_string(rank) +
                    ", gufunc core with signature " + function.signature + " requires " +
                    std::to_string(required) + ")");
}

void require_core_size(const Gufunc& function, int number, int dimension, std::int64_t size,
                       std::int64_t expected) {
  if (size != expected)
    throw Error(ErrorKind::kValue,
                std::string(function.name) + ": Input operand " + std::to_string(number) +
                    " has a mismatch in its core dimension " + std::to_string(dimension) +
                    ", with gufunc signature " + function.signature + " (size " +
                    std::to_string(size) + " is different from " + std::to_string(expected) + ")");
}

DType product_type(const Gufunc& function, const Array& a, const Array& b,
                   std::optional<DType> dtype, Casting casting) {
  DType result = dtype ? *dtype : promote(a.dtype(), b.dtype());
  int number = 0;
  for (const Array* input : {&a, &b}) {
    if (!can_cast(input->dtype(), result, casting))
      throw_cast(function, "input " + std::to_string(number), input->dtype(), result, casting);
    ++number;
  }
  return result;
}

Array deliver(const Gufunc& function, const Array& result, const Array* out, Casting casting,
              int core_rank) {
  if (!out) return result;
  if (!can_cast(result.dtype(), out->dtype(), casting))
    throw_cast(function, "output", result.dtype(), out->dtype(), casting);
  int missing = out->rank() - result.rank();
  for (int k = 0; k < core_rank && missing >= 0; ++k) {
    std::int64_t size = out->shape()[out->rank() - core_rank + k];
    std::int64_t expected = result.shape()[result.rank() - core_rank + k];
    if (size != expected)
      throw Error(ErrorKind::kValue, std::string(function.name) +
                                         ": Output operand 0 has a mismatch in its core "
                                         "dimension " +
                                         std::to_string(k) + ", with gufunc signature " +
                                         function.signature + " (size " + std::to_string(size) +
                                         " is different from " + std::to_string(expected) + ")");
  }
  if (missing < 0)
    throw Error(ErrorKind::kValue, std::string(function.name) +
                                       ": Output operand 0 does not have enough dimensions (has " +
                                       std::to_string(out->rank()) +
                                       ", gufunc core with signature " + function.signature +
                                       " requires " + std::to_string(result.rank()) + ")");
  out->assign(result);
  return *out;
}

}  // namespace strider::nd
