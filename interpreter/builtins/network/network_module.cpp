// The module _nnet: convolution, pooling, response normalisation and the LSTM. nnet is written over
// it.
#include <strider/nd/network.h>

#include "interpreter/builtins/network/network_arguments.h"
#include "interpreter/builtins/network/trace_type.h"
#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/library_modules.h"
#include "interpreter/runtime/error.h"
#include "interpreter/runtime/protocol.h"
#include "interpreter/types/sequence.h"

namespace strider::lang {
namespace {

// The arguments stride, padding, dilation, groups from `first` on.
nd::ConvolutionOptions convolution_options(const char* function, const Parameters& p,
                                           std::size_t first) {
  nd::ConvolutionOptions options;
  options.stride = to_window_pair(function, "stride", p[first]);
  options.padding = to_window_padding(function, p[first + 1]);
  options.dilation = to_window_pair(function, "dilation", p[first + 2]);
  options.groups = to_int64(p[first + 3]);
  return options;
}

// The arguments size, stride, padding from `first` on; no stride: that of windows side by side.
nd::PoolingOptions pooling_options(const char* function, const Parameters& p, std::size_t first) {
  nd::PoolingOptions options;
  options.size = to_window_pair(function, "size", p[first]);
  options.stride =
      is_given(p[first + 1]) ? to_window_pair(function, "stride", p[first + 1]) : options.size;
  options.padding = to_window_padding(function, p[first + 2]);
  return options;
}

nd::ResponseNormOptions norm_options(const Parameters& p, std::size_t first) {
  return {to_int64(p[first]), to_double(p[first + 1]), to_double(p[first + 2]),
          to_double(p[first + 3])};
}

// An array, or null for None.
struct OptionalArray {
  explicit OptionalArray(const Value& value) {
    if (is_given(value)) array = to_array(value);
  }
  const nd::Array* get() const { return array ? &array : nullptr; }
  nd::Array array;
};

Value conv2d(const Parameters& p) {
  OptionalArray bias(p[2]);
  return wrap(
      nd::conv2d(to_array(p[0]), to_array(p[1]), bias.get(), convolution_options("conv2d", p, 3)));
}

Value conv2d_data_gradient(const Parameters& p) {
  return wrap(nd::conv2d_data_gradient(to_array(p[0]), to_array(p[1]), to_shape(p[2]),
                                       convolution_options("conv2d_data_gradient", p, 3)));
}

Value conv2d_weight_gradient(const Parameters& p) {
  constexpr const char* kName = "conv2d_weight_gradient";
  return wrap(nd::conv2d_weight_gradient(to_array(p[0]), to_array(p[1]),
                                         to_window_pair(kName, "kernel_size", p[2]),
                                         convolution_options(kName, p, 3)));
}

Value max_pool2d(const Parameters& p) {
  return wrap(nd::max_pool2d(to_array(p[0]), pooling_options("max_pool2d", p, 1)));
}

Value max_pool2d_gradient(const Parameters& p) {
  return wrap(nd::max_pool2d_gradient(to_array(p[0]), to_array(p[1]), to_array(p[2]),
                                      pooling_options("max_pool2d_gradient", p, 3)));
}

Value avg_pool2d(const Parameters& p) {
  nd::PoolingOptions options = pooling_options("avg_pool2d", p, 1);
  options.count_padding = truth(p[4]);
  return wrap(nd::avg_pool2d(to_array(p[0]), options));
}

Value avg_pool2d_gradient(const Parameters& p) {
  nd::PoolingOptions options = pooling_options("avg_pool2d_gradient", p, 2);
  options.count_padding = truth(p[5]);
  return wrap(nd::avg_pool2d_gradient(to_array(p[0]), to_shape(p[1]), options));
}

Value local_response_norm(const Parameters& p) {
  return wrap(nd::local_response_norm(to_array(p[0]), norm_options(p, 1)));
}

Value local_response_norm_gradient(const Parameters& p) {
  return wrap(nd::local_response_norm_gradient(to_array(p[0]), to_array(p[1]), to_array(p[2]),
                                               norm_options(p, 3)));
}

nd::LstmWeights to_weights(const Value& value) {
  Ref<Tuple> items = to_tuple(value);
  if (items->size() != 3)
    raise(errors::ValueError, "lstm: weights are {} arrays, but wants (w_x, w_h, b)",
          items->size());
  return {to_array((*items)[0]), to_array((*items)[1]), to_array((*items)[2])};
}

Value lstm(const Parameters& p) {
  nd::LstmResult result =
      nd::lstm(to_array(p[0]), to_array(p[1]), to_array(p[2]), to_weights(p[3]));
  return make_tuple(
      {wrap(result.y), wrap(result.h), wrap(result.c), make_trace(std::move(result.trace))});
}

Value lstm_gradient(const Parameters& p) {
  OptionalArray dy(p[0]), dh(p[1]), dc(p[2]);
  nd::LstmGradient result = nd::lstm_gradient(dy.get(), dh.get(), dc.get(), to_trace(p[3]));
  const auto& [w_x, w_h, b] = result.weights;
  return make_tuple({wrap(result.x), wrap(result.h), wrap(result.c), array_tuple({w_x, w_h, b})});
}

const NativeRow kFunctions[] = {
    {"conv2d(x, w, b=None, stride=1, padding=0, dilation=1, groups=1)", conv2d,
     "Slides filters w (filters, channels / groups, height, width), not flipped, over images x\n"
     "(batch, channels, height, width) and adds b (filters). Padding is an integer, (down, "
     "across),\n"
     "((top, bottom), (left, right)), 'same' or 'valid'."},
    {"conv2d_data_gradient(dy, w, input_shape, stride=1, padding=0, dilation=1, groups=1)",
     conv2d_data_gradient, "The gradient by the images of conv2d from the one by its result."},
    {"conv2d_weight_gradient(dy, x, kernel_size, stride=1, padding=0, dilation=1, groups=1)",
     conv2d_weight_gradient, "The gradient by the filters of conv2d from the one by its result."},
    {"max_pool2d(x, size, stride=None, padding=0)", max_pool2d,
     "The largest element of each window; windows lie side by side unless stride says otherwise."},
    {"max_pool2d_gradient(dy, x, y, size, stride=None, padding=0)", max_pool2d_gradient,
     "The gradient by x; the first maximum of a window takes all of it."},
    {"avg_pool2d(x, size, stride=None, padding=0, count_include_pad=True)", avg_pool2d,
     "The mean of each window, with or without the zeros around an image."},
    {"avg_pool2d_gradient(dy, input_shape, size, stride=None, padding=0, count_include_pad=True)",
     avg_pool2d_gradient, "The gradient by the images of avg_pool2d."},
    {"local_response_norm(x, size=5, alpha=1e-4, beta=0.75, k=2.0)", local_response_norm,
     "x / (k + alpha / size * the sum of x**2 over `size` channels around each)**beta."},
    {"local_response_norm_gradient(dy, x, y, size=5, alpha=1e-4, beta=0.75, k=2.0)",
     local_response_norm_gradient, "The gradient by x, from those by y."},
    {"lstm(x, h0, c0, weights)", lstm,
     "Runs one layer over x (time, batch, inputs) from states (batch, hidden); weights are\n"
     "(w_x (4 hidden, inputs), w_h (4 hidden, hidden), b (4 hidden)) for the gates i, f, g, o.\n"
     "Gives all h, the last h, the last c, and what lstm_gradient wants."},
    {"lstm_gradient(dy, dh, dc, trace)", lstm_gradient,
     "From the gradients by y, h and c (None: zero): those by x, h0, c0 and (w_x, w_h, b)."},
};

}  // namespace

const NativeModule kNetworkModule = {
    "_nnet", "Convolution, pooling, response normalisation, LSTM.", kFunctions, {}};

}  // namespace strider::lang
