// Pooling, response normalisation and their gradients: shapes are checked, elements packed, and the
// site's networks called.
#include <strider/nd/error.h>
#include <strider/nd/generate.h>
#include <strider/nd/network.h>

#include <algorithm>
#include <cmath>

#include "kernels/network/operand.h"
#include "kernels/network/site.h"
#include "kernels/network/windows.h"

namespace strider::nd {
namespace {

constexpr const char* kImageAxes = "batch, channels, height, width";

Pooling pooling_of(const char* function, PoolKind kind, const Dims& images,
                   const PoolingOptions& options) {
  WindowAxes axes = window_axes(function, images[2], images[3], options.size, options.stride,
                                {1, 1}, options.padding);
  for (const WindowAxis* axis : {&axes.rows, &axes.columns})
    if (std::max(axis->before, axis->after) >= axis->size)
      fail_network(function, "padding by " + std::to_string(std::max(axis->before, axis->after)) +
                                 " makes windows of " + std::to_string(axis->size) +
                                 " that see no element");
  return {kind, images[0] * images[1], axes.rows, axes.columns};
}

PoolKind average_kind(const PoolingOptions& options) {
  return options.count_padding ? PoolKind::kAverage : PoolKind::kAverageInside;
}

Dims result_shape(const Dims& images, const Pooling& pooling) {
  return {images[0], images[1], pooling.rows.places(), pooling.columns.places()};
}

// In multiplications: about one for each element of a window.
double work_of(const Dims& result, const Pooling& pooling) {
  return static_cast<double>(element_count(result)) *
         static_cast<double>(pooling.rows.size * pooling.columns.size);
}

Array pool(const char* function, PoolKind kind, const Array& x, const PoolingOptions& options) {
  require_axes(function, {"x", &x}, 4, kImageAxes);
  DType dtype = network_type(function, {{"x", &x}});
  Pooling pooling = pooling_of(function, kind, x.shape(), options);
  Dims result = result_shape(x.shape(), pooling);
  if (x.size() == 0) return generate_zeros(result, dtype);
  Array images = x.contiguous(dtype);
  return make_by_network(result, dtype, {&images}, work_of(result, pooling),
                         [&](NetworkSite& site, std::byte* y) {
                           return site.networks().pool(dtype, pooling, site.read(images), y);
                         });
}

// x and y are null for averages.
Array pool_gradient(const char* function, const Pooling& pooling, const Dims& images,
                    const Array& dy, const Array* x, const Array* y, DType dtype) {
  Dims result = result_shape(images, pooling);
  require_shape(function, {"dy", &dy}, result, "the result of pooling has");
  if (y) require_shape(function, {"y", y}, result, "the result of pooling has");
  if (dy.size() == 0) return generate_zeros(images, dtype);
  Array back = dy.contiguous(dtype), from = x ? x->contiguous(dtype) : Array(),
        made = y ? y->contiguous(dtype) : Array();
  return make_by_network(
      images, dtype, {&back}, work_of(result, pooling), [&](NetworkSite& site, std::byte* dx) {
        const std::byte *at_x = x ? site.read(from) : nullptr,
                        *at_y = y ? site.read(made) : nullptr;
        return site.networks().pool_gradient(dtype, pooling, site.read(back), at_x, at_y, dx);
      });
}

ResponseNorm norm_of(const char* function, const Dims& shape, const ResponseNormOptions& options) {
  if (shape.size() < 2)
    fail_network(function, "x has shape " + tuple_text(shape) +
                               ", but wants at least 2 axes: batch, channels");
  require_number(function, "size", options.size, 1);
  for (double number : {options.alpha, options.beta, options.k})
    if (!std::isfinite(number)) fail_network(function, "alpha, beta and k are finite numbers");
  std::int64_t inner = 1;
  for (int axis = 2; axis < shape.size(); ++axis) inner *= shape[axis];
  return {shape[0], shape[1], inner, options.size, options.alpha, options.beta, options.k};
}

// Powers take as long as some multiplications.
double work_of(const ResponseNorm& norm) {
  return 32.0 * static_cast<double>(norm.batch) * static_cast<double>(norm.channels) *
         static_cast<double>(norm.inner);
}

}  // namespace

Array max_pool2d(const Array& x, const PoolingOptions& options) {
  return pool("max_pool2d", PoolKind::kMaximum, x, options);
}

Array avg_pool2d(const Array& x, const PoolingOptions& options) {
  return pool("avg_pool2d", average_kind(options), x, options);
}

Array max_pool2d_gradient(const Array& dy, const Array& x, const Array& y,
                          const PoolingOptions& options) {
  constexpr const char* kName = "max_pool2d_gradient";
  require_axes(kName, {"x", &x}, 4, kImageAxes);
  DType dtype = network_type(kName, {{"dy", &dy}, {"x", &x}, {"y", &y}});
  Pooling pooling = pooling_of(kName, PoolKind::kMaximum, x.shape(), options);
  return pool_gradient(kName, pooling, x.shape(), dy, &x, &y, dtype);
}

Array avg_pool2d_gradient(const Array& dy, const Dims& input_shape, const PoolingOptions& options) {
  constexpr const char* kName = "avg_pool2d_gradient";
  if (input_shape.size() != 4)
    fail_network(kName,
                 "input_shape is " + tuple_text(input_shape) + ", but wants 4 axes: " + kImageAxes);
  DType dtype = network_type(kName, {{"dy", &dy}});
  Pooling pooling = pooling_of(kName, average_kind(options), input_shape, options);
  return pool_gradient(kName, pooling, input_shape, dy, nullptr, nullptr, dtype);
}

Array local_response_norm(const Array& x, const ResponseNormOptions& options) {
  constexpr const char* kName = "local_response_norm";
  DType dtype = network_type(kName, {{"x", &x}});
  ResponseNorm norm = norm_of(kName, x.shape(), options);
  if (x.size() == 0) return generate_zeros(x.shape(), dtype);
  Array from = x.contiguous(dtype);
  return make_by_network(
      x.shape(), dtype, {&from}, work_of(norm), [&](NetworkSite& site, std::byte* y) {
        return site.networks().normalize_response(dtype, norm, site.read(from), y);
      });
}

Array local_response_norm_gradient(const Array& dy, const Array& x, const Array& y,
                                   const ResponseNormOptions& options) {
  constexpr const char* kName = "local_response_norm_gradient";
  DType dtype = network_type(kName, {{"dy", &dy}, {"x", &x}, {"y", &y}});
  ResponseNorm norm = norm_of(kName, x.shape(), options);
  require_shape(kName, {"dy", &dy}, x.shape(), "x has");
  require_shape(kName, {"y", &y}, x.shape(), "x has");
  if (x.size() == 0) return generate_zeros(x.shape(), dtype);
  Array back = dy.contiguous(dtype), from = x.contiguous(dtype), made = y.contiguous(dtype);
  return make_by_network(x.shape(), dtype, {&back, &from, &made}, 2 * work_of(norm),
                         [&](NetworkSite& site, std::byte* dx) {
                           return site.networks().normalize_response_gradient(
                               dtype, norm, site.read(back), site.read(from), site.read(made), dx);
                         });
}

}  // namespace strider::nd
