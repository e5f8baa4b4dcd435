// What a device's libraries do with whole operands in its memory. A function says false where the
// library has nothing for such operands; then the host computes them. Work is queued.
#pragma once

#include <strider/nd/dims.h>
#include <strider/nd/dtype.h>

#include <cstddef>
#include <cstdint>

namespace strider::nd {

// A stack of matrices; strides in elements.
struct MatrixStack {
  const std::byte* at = nullptr;
  std::int64_t count = 1, step = 0;  // matrices, and from one to the next
  std::int64_t rows = 0, columns = 0;
  std::int64_t row_stride = 0, column_stride = 0;
};

class Library {
 public:
  virtual ~Library() = default;

  // out = a b for each of a.count pairs; out is packed row by row. float32, float64 and complex.
  virtual bool multiply(DType, const MatrixStack& /*a*/, const MatrixStack& /*b*/,
                        std::byte* /*out*/) {
    return false;
  }
};

}  // namespace strider::nd
