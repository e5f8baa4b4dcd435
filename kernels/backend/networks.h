// What a backend does for neural networks: convolution, pooling, response normalisation and the
// LSTM, each with its gradients, and steps of an optimiser. Operands and results are packed, where
// the backend's elements lie; element types are float32 and float64. A function says false, having
// touched nothing, where the backend has nothing for such operands; then the host computes them.
// Work is queued. Shapes have been checked and no extent is 0. Knows no arrays.
#pragma once

#include <strider/nd/dtype.h>
#include <strider/nd/optimise.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace strider::nd {

// How a window of `size` elements, `dilation` apart, moves along an axis that is thought to have
// zeros (for maxima: nothing) before and after it. It covers at least one place.
struct WindowAxis {
  std::int64_t extent = 1;  // of the axis, without what is around it
  std::int64_t size = 1, stride = 1;
  std::int64_t before = 0, after = 0;
  std::int64_t dilation = 1;

  std::int64_t reach() const { return (size - 1) * dilation + 1; }
  std::int64_t places() const { return (before + extent + after - reach()) / stride + 1; }
};

// x (batch, channels, height, width), w (filters, channels / groups, rows.size, columns.size),
// y (batch, filters, rows.places(), columns.places()). Filters are not flipped. The first
// filters / groups of the filters see the first channels / groups of the channels, and so on.
struct Convolution {
  std::int64_t batch = 1, channels = 1, filters = 1, groups = 1;
  WindowAxis rows, columns;
};

// kAverage divides by the window's size, kAverageInside by how much of it lies on elements.
enum class PoolKind : std::uint8_t { kMaximum, kAverage, kAverageInside };

// x (planes, height, width), y (planes, rows.places(), columns.places()). Every window has at least
// one element; dilation is 1. NaN is the largest number. Of equal elements the first one is the
// maximum.
struct Pooling {
  PoolKind kind = PoolKind::kMaximum;
  std::int64_t planes = 1;
  WindowAxis rows, columns;
};

// y = x / (k + alpha / size * sum of x^2 over `size` channels)^beta: those from (size - 1) / 2
// before to size / 2 after, as far as there are any. x and y (batch, channels, inner).
struct ResponseNorm {
  std::int64_t batch = 1, channels = 1, inner = 1;
  std::int64_t size = 5;
  double alpha = 1e-4, beta = 0.75, k = 2;
};

// One layer of LSTM, from the first step to the last.
struct Recurrent {
  std::int64_t steps = 1, batch = 1, inputs = 1, hidden = 1;
};

// x (steps, batch, inputs), h and c (batch, hidden), w_x (4 hidden, inputs), w_h (4 hidden, hidden)
// and b (4 hidden), the rows of which belong to the gates i, f, g, o:
// i, f, o = sigmoid(w_x x + w_h h + b), g = tanh(…), c = f c + i g, h = o tanh(c).
struct RecurrentOperands {
  const std::byte *x, *h, *c, *w_x, *w_h, *b;
};
// y (steps, batch, hidden): all h; h and c after the last step; the trace: what the gradient will
// want, in a form of the backend's own.
struct RecurrentResults {
  std::byte *y, *h, *c, *trace;
};
// What has been computed, and the gradients by its results.
struct RecurrentOutcome {
  const std::byte* y;
  std::byte* trace;  // may be destroyed
  const std::byte *dy, *dh, *dc;
};
// The gradients by the operands; they replace what is there.
struct RecurrentGradients {
  std::byte *x, *h, *c, *w_x, *w_h, *b;
};

// What an optimiser moves by, and what it remembers: `count` elements each. x, mean and square are
// replaced.
struct AdamElements {
  std::byte* x;
  const std::byte* gradient;
  std::byte *mean, *square;
  std::int64_t count;
};

class Networks {
 public:
  virtual ~Networks() = default;

  // y from x, w and b (filters; null: none).
  virtual bool convolve(DType, const Convolution&, const std::byte* /*x*/, const std::byte* /*w*/,
                        const std::byte* /*b*/, std::byte* /*y*/) {
    return false;
  }
  virtual bool convolve_data_gradient(DType, const Convolution&, const std::byte* /*dy*/,
                                      const std::byte* /*w*/, std::byte* /*dx*/) {
    return false;
  }
  virtual bool convolve_weight_gradient(DType, const Convolution&, const std::byte* /*dy*/,
                                        const std::byte* /*x*/, std::byte* /*dw*/) {
    return false;
  }

  virtual bool pool(DType, const Pooling&, const std::byte* /*x*/, std::byte* /*y*/) {
    return false;
  }
  // Averages do not need x and y, which are null then.
  virtual bool pool_gradient(DType, const Pooling&, const std::byte* /*dy*/, const std::byte* /*x*/,
                             const std::byte* /*y*/, std::byte* /*dx*/) {
    return false;
  }

  virtual bool normalize_response(DType, const ResponseNorm&, const std::byte* /*x*/,
                                  std::byte* /*y*/) {
    return false;
  }
  virtual bool normalize_response_gradient(DType, const ResponseNorm&, const std::byte* /*dy*/,
                                           const std::byte* /*x*/, const std::byte* /*y*/,
                                           std::byte* /*dx*/) {
    return false;
  }

  // The bytes of a trace; negative: refused.
  virtual std::int64_t trace_size(DType, const Recurrent&) { return -1; }
  virtual bool recur(DType, const Recurrent&, const RecurrentOperands&, const RecurrentResults&) {
    return false;
  }
  // The trace is one that the same backend has made.
  virtual bool recur_gradient(DType, const Recurrent&, const RecurrentOperands&,
                              const RecurrentOutcome&, const RecurrentGradients&) {
    return false;
  }

  // All parts lie apart.
  virtual bool step_adam(DType, const AdamStep&, std::span<const AdamElements>) { return false; }
};

// What does the same in host memory. Refuses nothing.
Networks& host_networks();

}  // namespace strider::nd
