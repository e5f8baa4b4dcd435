// What reductions share: axes, result types and result shapes. Knows no loops.
#pragma once

#include <strider/nd/reduce.h>

#include <cstdint>
#include <string_view>

namespace strider::nd {

// The axes to reduce as bits; kAxis and kValue errors.
std::uint64_t axes_bits(const Axes& axes, int rank);
// The shape with extent 1 along reduced axes, and the shape without them.
Dims kept_shape(const Dims& shape, std::uint64_t reduced);
Dims dropped_shape(const Dims& shape, std::uint64_t reduced);

// Whether folds and scans of an operation in this type can meet what programs are told of.
bool may_raise(Op op, DType type);

// kValue where `out` has not the shape that an array of `shape` is reduced to.
void check_out_shape(const Array& out, const Dims& shape, std::uint64_t reduced, bool keepdims,
                     std::string_view name);

// Gives `result` (kept axes) the shape that was asked for, or writes it to `out`.
Array finish_result(const Array& result, std::uint64_t reduced, bool keepdims, const Array* out,
                    Op op);

}  // namespace strider::nd
