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
// Writes the stable order of the elements. Whether it is known that no two of them are equal.
bool argsort_line(DType dtype, const std::byte* values, std::int64_t count, std::int64_t* order);
// The same with equal elements where NumPy's quicksort leaves them.
void quick_argsort_line(DType dtype, const std::byte* values, std::int64_t count,
                        std::int64_t* order);
// The same on a processor without vector loops.
void compared_argsort_line(DType dtype, const std::byte* values, std::int64_t count,
                           std::int64_t* order);
// Writes an order in which each kth element is where sorting would put it, smaller ones before it
// and larger ones behind: NumPy's.
void argpartition_line(DType dtype, const std::byte* values, std::int64_t count,
                       std::span<const std::int64_t> kth, std::int64_t* order);
// Puts each kth element where sorting would, smaller ones before it and larger ones behind, with
// the exchanges of NumPy.
void partition_line(DType dtype, std::byte* values, std::int64_t count,
                    std::span<const std::int64_t> kth);
// The same for a single kth by the vector loops, whose exchanges are their own.
void select_line(DType dtype, std::byte* values, std::int64_t count, std::int64_t kth);
// Whether there are vector loops for that.
bool has_select_loops(DType dtype);
// Shorter lines are sorted instead.
inline constexpr std::int64_t kSmallPartition = 128;

}  // namespace strider::nd
