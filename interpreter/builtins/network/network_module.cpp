// The module _nnet: convolution, pooling, response normalisation, the LSTM and steps of optimisers.
// nnet is written over it.
#include <strider/nd/network.h>
#include <strider/nd/optimise.h>

#include <vector>

#include "interpreter/builtins/network/network_arguments.h"
#include "interpreter/builtins/network/trace_type.h"
#include "interpreter/builtins/numpy/arguments.h"
#include "interpreter/builtins/numpy/array/array_object.h"
#include "interpreter/builtins/numpy/conversion.h"
#include "interpreter/builtins/numpy/libraries/library_modules.h"
#include "interpreter/runtime/error/error.h"
#include "interpreter/runtime/protocol/protocol.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang {
namespace {

// What a function gets and what it is called. Errors of a conversion begin with the names of the
// function and the argument.
class Given {
 public:
  Given(const char* function, const Parameters& values) : function_(function), values_(values) {}

  const char* function() const { return function_; }
  const Value& operator[](std::size_t place) const { return values_[place]; }

  nd::Array array(std::size_t place, const char* name) const {
    return named_conversion(function_, name, [&] { return to_array(values_[place]); });
  }
  // None gives an array that is none.
  nd::Array optional_array(std::size_t place, const char* name) const {
    return is_given(values_[place]) ? array(place, name) : nd::Array();
  }
  nd::Dims shape(std::size_t place, const char* name) const {
    return named_conversion(function_, name, [&] { return to_shape(values_[place]); });
  }
  std::int64_t integer(std::size_t place, const char* name) const {
    return named_conversion(function_, name, [&] { return to_int64(values_[place]); });
  }
  double number(std::size_t place, const char* name) const {
    return named_conversion(function_, name, [&] { return to_double(values_[place]); });
  }
  nd::WindowPair pair(std::size_t place, const char* name) const {
    return to_window_pair(function_, name, values_[place]);
  }
  nd::WindowPadding padding(std::size_t place) const {
    return to_window_padding(function_, values_[place]);
  }

 private:
  const char* function_;
  const Parameters& values_;
};

// Null for an array that is none.
const nd::Array* if_any(const nd::Array& array) { return array ? &array : nullptr; }

// The arguments stride, padding, dilation, groups from `first` on.
nd::ConvolutionOptions convolution_options(const Given& p, std::size_t first) {
  nd::ConvolutionOptions options;
  options.stride = p.pair(first, "stride");
  options.padding = p.padding(first + 1);
  options.dilation = p.pair(first + 2, "dilation");
  options.groups = p.integer(first + 3, "groups");
  return options;
}

// The arguments size, stride, padding from `first` on; no stride: that of windows side by side.
nd::PoolingOptions pooling_options(const Given& p, std::size_t first) {
  nd::PoolingOptions options;
  options.size = p.pair(first, "size");
  options.stride = is_given(p[first + 1]) ? p.pair(first + 1, "stride") : options.size;
  options.padding = p.padding(first + 2);
  return options;
}

nd::ResponseNormOptions norm_options(const Given& p, std::size_t first) {
  return {p.integer(first, "size"), p.number(first + 1, "alpha"), p.number(first + 2, "beta"),
          p.number(first + 3, "k")};
}

Value conv2d(const Parameters& values) {
  Given p("conv2d", values);
  nd::Array bias = p.optional_array(2, "b");
  return wrap(
      nd::conv2d(p.array(0, "x"), p.array(1, "w"), if_any(bias), convolution_options(p, 3)));
}

Value conv2d_data_gradient(const Parameters& values) {
  Given p("conv2d_data_gradient", values);
  return wrap(nd::conv2d_data_gradient(p.array(0, "dy"), p.array(1, "w"), p.shape(2, "input_shape"),
                                       convolution_options(p, 3)));
}

Value conv2d_weight_gradient(const Parameters& values) {
  Given p("conv2d_weight_gradient", values);
  return wrap(nd::conv2d_weight_gradient(p.array(0, "dy"), p.array(1, "x"),
                                         p.pair(2, "kernel_size"), convolution_options(p, 3)));
}

Value max_pool2d(const Parameters& values) {
  Given p("max_pool2d", values);
  return wrap(nd::max_pool2d(p.array(0, "x"), pooling_options(p, 1)));
}

Value max_pool2d_gradient(const Parameters& values) {
  Given p("max_pool2d_gradient", values);
  return wrap(nd::max_pool2d_gradient(p.array(0, "dy"), p.array(1, "x"), p.array(2, "y"),
                                      pooling_options(p, 3)));
}

Value avg_pool2d(const Parameters& values) {
  Given p("avg_pool2d", values);
  nd::PoolingOptions options = pooling_options(p, 1);
  options.count_padding = truth(p[4]);
  return wrap(nd::avg_pool2d(p.array(0, "x"), options));
}

Value avg_pool2d_gradient(const Parameters& values) {
  Given p("avg_pool2d_gradient", values);
  nd::PoolingOptions options = pooling_options(p, 2);
  options.count_padding = truth(p[5]);
  return wrap(nd::avg_pool2d_gradient(p.array(0, "dy"), p.shape(1, "input_shape"), options));
}

Value local_response_norm(const Parameters& values) {
  Given p("local_response_norm", values);
  return wrap(nd::local_response_norm(p.array(0, "x"), norm_options(p, 1)));
}

Value local_response_norm_gradient(const Parameters& values) {
  Given p("local_response_norm_gradient", values);
  return wrap(nd::local_response_norm_gradient(p.array(0, "dy"), p.array(1, "x"), p.array(2, "y"),
                                               norm_options(p, 3)));
}

nd::LstmWeights to_weights(const char* function, const Value& value) {
  if (!is_tuple(value) && !is_list(value))
    raise(errors::TypeError, "{}: weights is {}, but wants (w_x, w_h, b)", function,
          repr_text(value));
  Ref<Tuple> items = to_tuple(value);
  if (items->size() != 3)
    raise(errors::ValueError, "{}: weights are {} arrays, but wants (w_x, w_h, b)", function,
          items->size());
  auto weight = [&](std::size_t place, const char* name) {
    return named_conversion(function, name, [&] { return to_array((*items)[place]); });
  };
  return {weight(0, "w_x"), weight(1, "w_h"), weight(2, "b")};
}

Value lstm(const Parameters& values) {
  Given p("lstm", values);
  nd::LstmResult result =
      nd::lstm(p.array(0, "x"), p.array(1, "h0"), p.array(2, "c0"), to_weights(p.function(), p[3]));
  return make_tuple(
      {wrap(result.y), wrap(result.h), wrap(result.c), make_trace(std::move(result.trace))});
}

Value lstm_gradient(const Parameters& values) {
  Given p("lstm_gradient", values);
  nd::Array dy = p.optional_array(0, "dy"), dh = p.optional_array(1, "dh"),
            dc = p.optional_array(2, "dc");
  nd::LstmGradient result = nd::lstm_gradient(if_any(dy), if_any(dh), if_any(dc), to_trace(p[3]));
  const auto& [w_x, w_h, b] = result.weights;
  return make_tuple({wrap(result.x), wrap(result.h), wrap(result.c), array_tuple({w_x, w_h, b})});
}

// Arrays as they are: nothing is converted. Empty where something else is among them.
std::vector<nd::Array> plain_arrays(const Value& sequence) {
  Ref<Tuple> items = to_tuple(sequence);
  std::vector<nd::Array> arrays;
  arrays.reserve(items->size());
  for (std::size_t i = 0; i < items->size(); ++i) {
    if (!is_array((*items)[i])) return {};
    arrays.push_back(array_of((*items)[i]));
  }
  return arrays;
}

Value adam(const Parameters& p) {
  std::vector<nd::Array> x = plain_arrays(p[0]), gradients = plain_arrays(p[1]),
                         means = plain_arrays(p[2]), squares = plain_arrays(p[3]);
  if (gradients.size() != x.size() || means.size() != x.size() || squares.size() != x.size())
    return Value::boolean(false);
  nd::AdamStep step{to_double(p[4]), to_double(p[5]), to_double(p[6]),
                    to_double(p[7]), to_double(p[8]), to_double(p[9])};
  return Value::boolean(nd::step_adam(step, {x, gradients, means, squares}));
}

const NativeRow kFunctions[] = {
    {"adam(x, gradients, means, squares, new_mean, new_square, rate, spread, eps, decay)", adam,
     "Moves all arrays of x by a step of Adam, and means and squares with them, where they lie on\n"
     "a device. False, and nothing has been done, where array operations have to do it."},
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
    "_nnet", "Convolution, pooling, response normalisation, LSTM, optimisers.", kFunctions, {}};

}  // namespace strider::lang
