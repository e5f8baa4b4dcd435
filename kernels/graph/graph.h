// The graph of promised arrays: recording, evaluation and what they share.
#pragma once

#include <strider/nd/eval.h>
#include <strider/nd/ufunc.h>

#include "kernels/graph/expression/expression.h"

namespace strider::nd {

EvaluationCounts& graph_counts();

// Records an elementwise operation whose loop takes `types`; the result will have this layout. Null
// when it is to run at once: small, not recordable, or recording is off.
struct RecordedOperation {
  Expression::Kind kind = Expression::Kind::kOperation;
  Op op = Op::kAdd;
  const DType* types = nullptr;
  DType result = DType::kBool;
};
Array record(const RecordedOperation& operation, std::span<const Operand> operands,
             const Dims& shape, const Dims& strides);

// Records a fold of an array along axes (bits of `reduced`). `shape` and `strides` are those of the
// result with all axes. Null when it is to run at once.
Array record_fold(LoopFold fold, const Array& array, std::uint64_t reduced, const Dims& shape,
                  const Dims& strides, const Scalar& start);
// The same where so few elements are combined that they are steps of a loop; null elsewhere.
Array record_short_fold(const LoopFold& fold, const Array& array, std::uint64_t reduced,
                        const Dims& shape, const Dims& strides);
// Records the product of stacks of matrices of one type, (…, m, k) by (…, k, n), leading axes
// broadcast to `batch`. Null when it is to run at once.
Array record_product(const Array& a, const Array& b, const Dims& batch, const char* name);
// Whether work on this array is worth recording: it is large, or itself still to be computed.
bool worth_recording(const Array& array);
// From how many elements of this type results are recorded: short ones take less time each.
std::int64_t recording_limit(DType dtype);

// The same of work in rows of a few elements: on the host, to walk over them takes longer than to
// record.
std::int64_t short_rows_limit();

// Whether ones on a diagonal are promised, and writing them into zeros in host memory.
bool is_diagonal(const Expression& expression);
void write_diagonal(const Expression& diagonal, std::byte* zeros);

// What one element of an operation costs, in simple instructions.
std::uint32_t cost_of(Op op);

// Expressions have at most so many axes.
inline constexpr int kMostAxes = 16;
// Whether so many bytes could not be held in memory at all.
bool is_too_large(std::int64_t bytes);

}  // namespace strider::nd
