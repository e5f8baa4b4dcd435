// Whether what a reduction writes to has the shape of its result, in the words of NumPy's iterator.
#include <strider/nd/error.h>

#include <string>

#include "kernels/reduce/reduction.h"

namespace strider::nd {
namespace {

[[noreturn]] void throw_value(const std::string& message) {
  throw Error(ErrorKind::kValue, message);
}

// The shape of `out` with the axes of the operand: reduced ones that it does not have are new.
std::string remapped_text(const Array& out, std::uint64_t reduced, bool keepdims, int rank) {
  std::string text;
  int axis_of_out = 0;
  for (int axis = 0; axis < rank; ++axis) {
    bool absent = !keepdims && (reduced >> axis & 1);
    if (absent && text.empty()) continue;
    if (!text.empty()) text += ",";
    text += absent ? "newaxis" : std::to_string(out.shape()[axis_of_out++]);
  }
  return "(" + text + ")";
}

}  // namespace

void check_out_shape(const Array& out, const Dims& shape, std::uint64_t reduced, bool keepdims,
                     std::string_view name) {
  int rank = shape.size(), expected = keepdims ? rank : dropped_shape(shape, reduced).size();
  if (out.rank() != expected) {
    throw_value("output parameter for reduction operation " + std::string(name) +
                " has the wrong number of dimensions: Found " + std::to_string(out.rank()) +
                " but expected " + std::to_string(expected) +
                (keepdims ? " (must match the operand's when keepdims=True)" : ""));
  }
  int stretched = -1, axis_of_out = 0;
  for (int axis = 0; axis < rank; ++axis) {
    bool is_reduced = reduced >> axis & 1;
    if (is_reduced && !keepdims) continue;
    std::int64_t length = out.shape()[axis_of_out++];
    if (length == shape[axis] && (!is_reduced || length == 1)) continue;
    if (is_reduced && length == shape[axis]) {
      throw_value("operand was set up as a reduction along axis " + std::to_string(axis) +
                  ", but the length of the axis is " + std::to_string(length) +
                  " (it has to be 1)");
    }
    if (length != 1 && shape[axis] == 1) {
      throw_value("non-broadcastable operand with shape " + shape_text(shape) +
                  " doesn't match the broadcast shape " + shape_text(out.shape()));
    }
    if (length != 1) {
      throw_value(
          "operands could not be broadcast together with remapped shapes [original->remapped]: " +
          shape_text(out.shape()) + "->" + remapped_text(out, reduced, keepdims, rank) + " " +
          shape_text(shape) + " ");
    }
    if (!is_reduced && stretched < 0) stretched = axis_of_out - 1;
  }
  if (stretched >= 0) {
    throw_value("output operand requires a reduction along dimension " +
                std::to_string(stretched) +
                ", but the reduction is not enabled. The dimension size of 1 does not match the "
                "expected output shape.");
  }
}

}  // namespace strider::nd
