// Operations on contiguous operands of one shape and type, or on an array and a scalar.
#pragma once

#include <strider/nd/ufunc.h>

namespace strider::nd {

// The result, written to `out` if it is given; null when the operands are not alike.
Array apply_alike(Op op, const Operand& a, const Operand& b, const Array* out);
Array apply_alike(Op op, const Operand& a, const Array* out);

}  // namespace strider::nd
