// Which loop an operation runs for given operands. Knows no shapes and no elements.
#pragma once

#include <strider/nd/ufunc.h>

#include "kernels/backend/cpu/kernels.h"

namespace strider::nd {

// A kernel with the element types it reads and writes.
struct Loop {
  Kernel kernel = nullptr;
  StridedKernel strided = nullptr;  // for operands that are not contiguous, where there is one
  DType inputs[3] = {};
  DType outputs[2] = {};
};

// The loop of an operation; throws what NumPy throws when there is none or a cast is refused.
Loop resolve_loop(Op op, std::span<const Operand> operands, const UfuncOptions& options);

// The loop of an operation whose loop type is known; its kernel is null when there is none.
Loop loop_for(Op op, DType dtype);

// The element type of the operation's first output when it runs in `dtype`.
inline DType output_type(const OpFacts& op, DType dtype) {
  switch (op.result) {
    case '?':
      return DType::kBool;
    case 'B':
      return DType::kUInt8;
    case 'r':
      return real_of(dtype);
    default:
      return dtype;
  }
}

// Whether a weak integer has a value in `dtype` (always for bool and inexact types).
bool weak_integer_fits(const Operand& operand, DType dtype);

// True for the six comparisons.
constexpr bool is_comparison(Op op) { return op >= Op::kEqual && op <= Op::kGreaterEqual; }

}  // namespace strider::nd
