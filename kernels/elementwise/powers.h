// What powers ask of their operands before they are computed.
#pragma once

#include <strider/nd/ufunc.h>

#include <span>

namespace strider::nd {

// Signed integers have no negative powers; `loop` is the type in which they would be computed.
// Only where a mask of truth values holds, if there is one.
void refuse_negative_powers(std::span<const Operand> operands, DType loop,
                            const Array* where = nullptr);

// The same of elements that are powers of one another along an axis: of all but the first ones,
// or of all where a fold starts from something else.
void refuse_negative_powers_along(Op op, const Array& array, int axis, bool from_first,
                                  const Array* where = nullptr);

// x ** 2 multiplies, as NumPy's operator does; squares of complex numbers are rounded otherwise.
bool is_square(Op op, const Operand& a, const Operand& b);

}  // namespace strider::nd
