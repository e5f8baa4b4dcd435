// Sorting of one contiguous line of elements. Knows no strides.
#pragma once

#include <strider/nd/dtype.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace strider::nd {

// Sorts `count` elements of `dtype`; `stable` keeps equal elements (-0.0, 0.0) in their order.
void sort_line(DType dtype, std::byte* values, std::int64_t count, bool stable);
// The same for so many lines one behind the other; equal values may change places.
void sort_lines(DType dtype, std::byte* values, std::int64_t lines, std::int64_t length);
// Whether lines of this length are better sorted together than one by one.
bool are_sorted_together(DType dtype, std::int64_t length);
// Writes the stable order of the elements.
void argsort_line(DType dtype, const std::byte* values, std::int64_t count, std::int64_t* order);
// Writes an order in which each kth element is where sorting would put it, smaller ones before it
// and larger ones behind.
void argpartition_line(DType dtype, const std::byte* values, std::int64_t count,
                       std::span<const std::int64_t> kth, std::int64_t* order);
// Puts each kth element where sorting would, smaller ones before it and larger ones behind.
void partition_line(DType dtype, std::byte* values, std::int64_t count,
                    std::span<const std::int64_t> kth);

}  // namespace strider::nd
