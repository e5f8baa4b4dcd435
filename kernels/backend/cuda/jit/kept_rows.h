// KeptRows: which arrays of a pass have their row in shared memory, so that memory is
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
  std::int64_t bytes = 0;       // from one team's kept rows to the next one's
  std::int64_t points = 0;      // of each
};

// Chooses them within so many bytes for a team of so many threads, and notes them in the operands.
KeptRows keep_rows(std::span<Request> pass, std::int64_t most_bytes, std::int64_t team);

}  // namespace strider::nd::cuda
