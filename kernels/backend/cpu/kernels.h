// The kernels of the CPU: one loop over contiguous elements per operation and element type,
// compiled for several instruction sets of which the best one is chosen at run time. Kernels throw
// nothing, allocate nothing and know no shapes.
#pragma once

#include <strider/nd/ops.h>

#include <cstddef>
#include <cstdint>

namespace strider::nd {

// Computes `count` results; every operand is contiguous. An output may be the same memory as an
// input.
using Kernel = void (*)(const std::byte* const* inputs, std::byte* const* outputs,
                        std::int64_t count);

// The same for one result of two operands whose elements lie these steps apart, in bytes; 0 repeats
// one. The output may be the same elements as an input; its own share no bytes.
using StridedKernel = void (*)(const std::byte* const* inputs, const std::int64_t* input_steps,
                               std::byte* output, std::int64_t output_step, std::int64_t count);

// Converts `count` elements with these steps in bytes.
using CastLoop = void (*)(const std::byte* source, std::int64_t source_step, std::byte* target,
                          std::int64_t target_step, std::int64_t count);

// Combines `count` elements, `step` bytes apart, into `accumulator` (one element of the same type).
using FoldKernel = void (*)(const std::byte* input, std::int64_t step, std::int64_t count,
                            std::byte* accumulator);

// Combines the `row` elements of each of `rows` rows into the row's accumulator; rows and
// accumulators lie next to each other.
using RowFoldKernel = void (*)(const std::byte* input, std::int64_t row, std::int64_t rows,
                               std::byte* accumulators);

// The position of the first extreme of contiguous elements (at least one); NaN is extreme.
using FindKernel = std::int64_t (*)(const std::byte* input, std::int64_t count);

// Writes the running combination of `count` elements; the first result is the first element.
using ScanKernel = void (*)(const std::byte* input, std::int64_t input_step, std::byte* output,
                            std::int64_t output_step, std::int64_t count);

// Copies a plane of `rows` by `columns` elements whose source columns and target rows are
// contiguous: target[r][c] = source[c][r]; steps in bytes.
using TransposeKernel = void (*)(const std::byte* source, std::int64_t source_step,
                                 std::byte* target, std::int64_t target_step, std::int64_t rows,
                                 std::int64_t columns);

// Copies bytes, at least 64, to a place that does not overlap theirs.
using CopyKernel = void (*)(std::byte* target, const std::byte* source, std::int64_t count);

struct KernelTable {
  Kernel loops[kOpCount][kDTypeCount] = {};
  StridedKernel strided[kOpCount][kDTypeCount] = {};  // null for most
  // Condition, x, y to x where true else y, by the size of an element: 1, 2, 4, 8, 16 bytes.
  Kernel select[5] = {};
  // Comparisons of int64 with uint64, from kEqual to kGreaterEqual; then uint64 with int64.
  Kernel compare_mixed[2][6] = {};
  CastLoop casts[kDTypeCount][kDTypeCount] = {};  // from, to
  CopyKernel copy_run = nullptr;
  TransposeKernel transpose[5] = {};  // by the size of an element: 1, 2, 4, 8, 16 bytes
  // Null where only the loop exists.
  FoldKernel folds[kOpCount][kDTypeCount] = {};
  RowFoldKernel row_folds[kOpCount][kDTypeCount] = {};  // where there is a fold
  ScanKernel scans[kOpCount][kDTypeCount] = {};
  std::int64_t (*count_true)(const std::byte* bools, std::int64_t count) = nullptr;
  FindKernel find_maximum[kDTypeCount] = {};
  FindKernel find_minimum[kDTypeCount] = {};
};

// The instruction sets that loop files are compiled for.
enum class Target : std::uint8_t { kPlain, kAvx2, kAvx512 };
// The best one that this processor has and STRIDER_TARGET (plain, avx2) does not forbid.
Target best_target();

// The kernels for this processor.
const KernelTable& kernels();

// The kernel of an operation in a loop type; null when the operation has none.
inline Kernel find_kernel(Op op, DType dtype) {
  return kernels().loops[static_cast<int>(op)][static_cast<int>(dtype)];
}

}  // namespace strider::nd
