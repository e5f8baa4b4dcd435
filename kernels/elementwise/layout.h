// Shapes and layouts of elementwise operations. Knows no loops.
#pragma once

#include <strider/nd/ufunc.h>

#include <span>

namespace strider::nd {

// Whether elements of one shape can be spread over another.
bool broadcasts_to(const Dims& shape, const Dims& target);
// The common shape of inputs, mask and outputs; kValue when there is none.
Dims common_shape(std::span<const Operand> operands, const UfuncOptions& options, int outputs);

// Dense strides in the order of axes that operands with these strides share; where they differ, C
// order wins.
Dims shared_strides(const Dims& shape, std::span<const Dims> operands, int item);
// The strides of a new result laid out like the inputs.
Dims result_strides(std::span<const Operand> operands, const Dims& shape, DType dtype, Order order);
// A new result laid out like the inputs.
Array make_result(std::span<const Operand> operands, const Dims& shape, DType dtype, Order order);

}  // namespace strider::nd
