// Runs a kernel over strided, broadcast operands: through buffers where elements are not contiguous
// or of another type, on several threads where it pays. Knows nothing of type rules.
#pragma once

#include "kernels/elementwise/types.h"

namespace strider::nd {

// One operand in memory, with strides along the axes of the common shape.
struct Stream {
  std::byte* data = nullptr;
  DType dtype = DType::kBool;
  Dims strides;
};

struct ElementwiseRun {
  Loop loop;
  int inputs = 0;
  int outputs = 0;
  Stream in[3];
  Stream out[2];
  bool masked = false;
  Stream mask;                   // bool
  std::int64_t grain = 1 << 15;  // elements that are worth a thread
};

// Computes every element of `shape`. Outputs must not overlap inputs except element by element.
void run_elementwise(const ElementwiseRun& run, const Dims& shape);

// Runs a kernel of contiguous operands of `count` elements; inputs with a zero step repeat one
// element. `sizes` are the sizes of the inputs' elements.
void run_contiguous(Kernel kernel, const std::byte* const* inputs, const bool* repeated,
                    const DType* types, int input_count, std::byte* const* outputs,
                    const DType* output_types, int output_count, std::int64_t count,
                    std::int64_t grain);

// How many elements of this operation are worth a thread.
std::int64_t thread_grain(Op op);

}  // namespace strider::nd
