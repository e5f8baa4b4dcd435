// Messages about operands.
#include "kernels/network/operand.h"

#include <climits>

namespace strider::nd {

std::string tuple_text(const Dims& shape) {
  std::string text = "(";
  for (int axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

void fail_network(const char* function, const std::string& message) {
  throw Error(ErrorKind::kValue, std::string(function) + ": " + message);
}

DType network_type(const char* function, std::initializer_list<NamedArray> operands) {
  DType dtype = DType::kFloat32;
  for (const NamedArray& operand : operands) {
    if (!operand.array) continue;
    DType given = operand.array->dtype();
    if (given != DType::kFloat32 && given != DType::kFloat64)
      throw Error(ErrorKind::kType, std::string(function) + ": " + operand.name + " is " +
                                        std::string(name(given)) +
                                        ", but only float32 and float64 are computed");
    if (given == DType::kFloat64) dtype = given;
  }
  return dtype;
}

void require_axes(const char* function, const NamedArray& operand, int rank, const char* axes) {
  if (operand.array->rank() == rank) return;
  fail_network(function, std::string(operand.name) + " has shape " +
                             tuple_text(operand.array->shape()) + ", but wants " +
                             std::to_string(rank) + " axes: " + axes);
}

void require_shape(const char* function, const NamedArray& operand, const Dims& shape,
                   const std::string& meaning) {
  if (operand.array->shape() == shape) return;
  fail_network(function, std::string(operand.name) + " has shape " +
                             tuple_text(operand.array->shape()) + ", but " + meaning + " " +
                             tuple_text(shape));
}

void require_number(const char* function, const char* name, std::int64_t value,
                    std::int64_t lowest) {
  if (value >= lowest && value <= INT_MAX) return;
  fail_network(function, std::string(name) + " is " + std::to_string(value) +
                             (value < lowest ? ", but wants at least " + std::to_string(lowest)
                                             : ", which is too much"));
}

}  // namespace strider::nd
