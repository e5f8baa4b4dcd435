// conv2d and its gradients: shapes are checked, elements packed, and the site's networks called.
#include <strider/nd/error.h>
#include <strider/nd/generate.h>
#include <strider/nd/network.h>
#include <strider/nd/ufunc.h>

#include "kernels/network/operand.h"
#include "kernels/network/site.h"
#include "kernels/network/windows.h"

namespace strider::nd {
namespace {

constexpr const char* kImageAxes = "batch, channels, height, width";
constexpr const char* kFilterAxes = "filters, channels / groups, height, width";

// The convolution of images with filters of these shapes.
Convolution convolution_of(const char* function, const Dims& images, const Dims& filters,
                           const ConvolutionOptions& options) {
  std::int64_t groups = options.groups;
  require_number(function, "groups", groups, 1);
  if (filters[0] % groups != 0)
    fail_network(function, "w has " + std::to_string(filters[0]) + " filters " +
                               tuple_text(filters) + ", which groups=" + std::to_string(groups) +
                               " do not share evenly");
  if (images[1] != filters[1] * groups)
    fail_network(function, "x has " + std::to_string(images[1]) + " channels " +
                               tuple_text(images) + ", but w " + tuple_text(filters) +
                               " with groups=" + std::to_string(groups) + " wants " +
                               std::to_string(filters[1] * groups));
  WindowAxes axes = window_axes(function, images[2], images[3], {filters[2], filters[3]},
                                options.stride, options.dilation, options.padding);
  return {images[0], images[1], filters[0], groups, axes.rows, axes.columns};
}

Dims result_shape(const Convolution& shape) {
  return {shape.batch, shape.filters, shape.rows.places(), shape.columns.places()};
}

double work_of(const Convolution& shape) {
  double places = static_cast<double>(element_count(result_shape(shape)));
  return places * static_cast<double>(shape.channels) / static_cast<double>(shape.groups) *
         static_cast<double>(shape.rows.size * shape.columns.size);
}

// What is there without any product: the bias everywhere, or zeros.
Array without_products(const Dims& shape, DType dtype, const Array* b) {
  if (!b) return generate_zeros(shape, dtype);
  Dims column = {b->size(), 1, 1};
  return b->reshape(column).broadcast_to(shape).astype(dtype, Order::kC, true);
}

// Devices add the bias when the sum is read: by the loop of an activation that follows.
Array add_later(const Array& y, const Array& bias) {
  return apply(Op::kAdd, y, bias.reshape({bias.size(), 1, 1}));
}

}  // namespace

Array conv2d(const Array& x, const Array& w, const Array* b, const ConvolutionOptions& options) {
  constexpr const char* kName = "conv2d";
  require_axes(kName, {"x", &x}, 4, kImageAxes);
  require_axes(kName, {"w", &w}, 4, kFilterAxes);
  if (b) require_shape(kName, {"b", b}, {w.shape()[0]}, "w wants");
  DType dtype = network_type(kName, {{"x", &x}, {"w", &w}, {"b", b}});
  Convolution shape = convolution_of(kName, x.shape(), w.shape(), options);
  Dims result = result_shape(shape);
  if (x.size() == 0 || w.size() == 0) return without_products(result, dtype, b);
  Array images = x.contiguous(dtype), filters = w.contiguous(dtype);
  Array bias = b ? b->contiguous(dtype) : Array();
  bool adds = false;
  Array made = make_by_network(
      result, dtype, {&images, &filters}, work_of(shape), [&](NetworkSite& site, std::byte* y) {
        adds = b && !site.backend();
        const std::byte* at = adds ? site.read(bias) : nullptr;
        return site.networks().convolve(dtype, shape, site.read(images), site.read(filters), at, y);
      });
  return b && !adds ? add_later(made, bias) : made;
}

Array conv2d_data_gradient(const Array& dy, const Array& w, const Dims& input_shape,
                           const ConvolutionOptions& options) {
  constexpr const char* kName = "conv2d_data_gradient";
  require_axes(kName, {"dy", &dy}, 4, kImageAxes);
  require_axes(kName, {"w", &w}, 4, kFilterAxes);
  if (input_shape.size() != 4)
    fail_network(kName,
                 "input_shape is " + tuple_text(input_shape) + ", but wants 4 axes: " + kImageAxes);
  DType dtype = network_type(kName, {{"dy", &dy}, {"w", &w}});
  Convolution shape = convolution_of(kName, input_shape, w.shape(), options);
  require_shape(kName, {"dy", &dy}, result_shape(shape), "the convolution's result has");
  if (dy.size() == 0 || w.size() == 0 || element_count(input_shape) == 0)
    return generate_zeros(input_shape, dtype);
  Array back = dy.contiguous(dtype), filters = w.contiguous(dtype);
  return make_by_network(input_shape, dtype, {&back, &filters}, work_of(shape),
                         [&](NetworkSite& site, std::byte* dx) {
                           return site.networks().convolve_data_gradient(
                               dtype, shape, site.read(back), site.read(filters), dx);
                         });
}

Array conv2d_weight_gradient(const Array& dy, const Array& x, const WindowPair& size,
                             const ConvolutionOptions& options) {
  constexpr const char* kName = "conv2d_weight_gradient";
  require_axes(kName, {"dy", &dy}, 4, kImageAxes);
  require_axes(kName, {"x", &x}, 4, kImageAxes);
  DType dtype = network_type(kName, {{"dy", &dy}, {"x", &x}});
  require_number(kName, "groups", options.groups, 1);
  if (x.shape()[1] % options.groups != 0)
    fail_network(kName,
                 "x has " + std::to_string(x.shape()[1]) + " channels " + tuple_text(x.shape()) +
                     ", which groups=" + std::to_string(options.groups) + " do not share evenly");
  Dims filters = {dy.shape()[1], x.shape()[1] / options.groups, size.down, size.across};
  Convolution shape = convolution_of(kName, x.shape(), filters, options);
  require_shape(kName, {"dy", &dy}, result_shape(shape), "the convolution's result has");
  if (dy.size() == 0 || x.size() == 0) return generate_zeros(filters, dtype);
  Array back = dy.contiguous(dtype), images = x.contiguous(dtype);
  return make_by_network(filters, dtype, {&back, &images}, work_of(shape),
                         [&](NetworkSite& site, std::byte* dw) {
                           return site.networks().convolve_weight_gradient(
                               dtype, shape, site.read(back), site.read(images), dw);
                         });
}

}  // namespace strider::nd
