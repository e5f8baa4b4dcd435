// Arrays that follow from a few numbers. Large ones are promised: they are computed where they are
// read, and take memory only when somebody asks for their elements. Errors are those of Array's
// functions of the same names.
#pragma once

#include <strider/nd/array.h>

namespace strider::nd {

Array generate_full(const Dims& shape, const Scalar& value, DType dtype, Order order = Order::kC);
Array generate_zeros(const Dims& shape, DType dtype, Order order = Order::kC);
// Ones where column - row is `offset`, zeros elsewhere.
Array generate_diagonal(std::int64_t rows, std::int64_t columns, std::int64_t offset, DType dtype,
                        Order order = Order::kC);
// Ones where column - row is at most `offset`; null where that is not to be promised.
Array promise_triangle(std::int64_t rows, std::int64_t columns, std::int64_t offset, DType dtype);
// Arrays of one type, broadcast to `shape`, one behind another along a new first axis.
Array generate_planes(std::span<const Array> planes, const Dims& shape, DType dtype);
Array generate_range(const Scalar& start, const Scalar& step, std::int64_t count, DType dtype);

}  // namespace strider::nd
