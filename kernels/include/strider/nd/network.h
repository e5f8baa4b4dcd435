// What neural networks are made of that is no elementwise operation and no product: convolution,
// pooling, response normalisation across channels, the LSTM, and the gradients of all of them.
// Arrays are float32 or float64 (together: float64), images (batch, channels, height, width).
// Errors begin with the function's name: kType for element types, kValue with shapes otherwise.
#pragma once

#include <strider/nd/array.h>

#include <memory>

namespace strider::nd {

// One number along the rows' axis (down) and one along the columns' axis (across).
struct WindowPair {
  std::int64_t down = 1, across = 1;
};
struct WindowPadding {
  std::int64_t top = 0, bottom = 0, left = 0, right = 0;
  bool same = false;  // as much as makes results of ceil(extent / stride)
};

struct ConvolutionOptions {
  WindowPair stride, dilation;
  WindowPadding padding;
  std::int64_t groups = 1;
};

// Filters w (filters, channels / groups, kernel height, kernel width), not flipped; b (filters) or
// null.
Array conv2d(const Array& x, const Array& w, const Array* b, const ConvolutionOptions& options);
// The gradient by x, which had this shape, from the one by the result.
Array conv2d_data_gradient(const Array& dy, const Array& w, const Dims& input_shape,
                           const ConvolutionOptions& options);
// The gradient by w, whose windows had this size.
Array conv2d_weight_gradient(const Array& dy, const Array& x, const WindowPair& size,
                             const ConvolutionOptions& options);

struct PoolingOptions {
  WindowPair size, stride;
  WindowPadding padding;
  bool count_padding = true;  // averages count the zeros around an image
};

// The largest of each window; NaN where there is one. The first of them takes the gradient.
Array max_pool2d(const Array& x, const PoolingOptions& options);
Array max_pool2d_gradient(const Array& dy, const Array& x, const Array& y,
                          const PoolingOptions& options);
Array avg_pool2d(const Array& x, const PoolingOptions& options);
Array avg_pool2d_gradient(const Array& dy, const Dims& input_shape, const PoolingOptions& options);

// x / (k + alpha / size * sum of x^2 over `size` channels around)^beta; x (batch, channels, …).
struct ResponseNormOptions {
  std::int64_t size = 5;
  double alpha = 1e-4, beta = 0.75, k = 2;
};
Array local_response_norm(const Array& x, const ResponseNormOptions& options);
Array local_response_norm_gradient(const Array& dy, const Array& x, const Array& y,
                                   const ResponseNormOptions& options);

// The gates i, f, g, o one behind another: w_x (4 hidden, inputs), w_h (4 hidden, hidden),
// b (4 hidden).
struct LstmWeights {
  Array w_x, w_h, b;
};
// What the gradient needs of a run; its operands as they were.
class LstmTrace;
struct LstmResult {
  Array y, h, c;  // all h (steps, batch, hidden), and the last h and c
  std::shared_ptr<LstmTrace> trace;
};
// x (steps, batch, inputs), h and c (batch, hidden).
LstmResult lstm(const Array& x, const Array& h, const Array& c, const LstmWeights& weights);
struct LstmGradient {
  Array x, h, c;
  LstmWeights weights;
};
// From the gradients by y, and by the last h and c; null: zero.
LstmGradient lstm_gradient(const Array* dy, const Array* dh, const Array* dc, LstmTrace& trace);

}  // namespace strider::nd
