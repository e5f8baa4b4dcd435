// The subscripts of einsum, read and checked against the operands' shapes. Contracts nothing.
#pragma once

#include <strider/nd/array.h>

#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace strider::nd {

// Labels of axes: letters by their code; the axes of an ellipsis are -1 (the last), -2, …
using Labels = std::vector<int>;

struct EinsumTerms {
  std::vector<Labels> inputs;  // one per operand, one label per axis (repeats allowed)
  Labels output;
  std::map<int, std::int64_t> extents;
};

// Reads "ij,jk->ik". Errors are NumPy's (kValue).
EinsumTerms parse_einsum(std::string_view subscripts, std::span<const Array> operands);

}  // namespace strider::nd
