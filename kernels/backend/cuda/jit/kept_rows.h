// KeptRows: which arrays of a pass have their row in the block's shared memory, so that memory is
// read and written once however many loops touch them. Writes no text.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/backend/cuda/jit/shapes.h"

namespace strider::nd::cuda {

// A row that is copied before a loop, which reads it first.
struct RowCopy {
  std::size_t loop = 0, input = 0;
};

struct KeptRows {
  std::vector<RowCopy> copies;  // in the order of their loops
  std::int64_t bytes = 0;       // that all kept rows take
  std::int64_t points = 0;      // of each
};

// Chooses them within so many bytes, and notes them in the operands.
KeptRows keep_rows(std::span<Request> pass, std::int64_t most_bytes);

}  // namespace strider::nd::cuda
