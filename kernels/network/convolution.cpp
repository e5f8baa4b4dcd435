// Convolution and its gradient by the images, which is a convolution of what comes back: a place of
// the image hears from those windows whose taps have lain on it.
#include "kernels/network/convolution.h"

#include <algorithm>
#include <numeric>

#include "kernels/network/slide.h"

namespace strider::nd {
namespace {

std::vector<std::size_t> all_taps(const WindowAxis& axis) {
  std::vector<std::size_t> taps(static_cast<std::size_t>(axis.size));
  std::iota(taps.begin(), taps.end(), std::size_t{0});
  return taps;
}

// Which elements of an axis a tap lies on, as remainders of the stride.
std::int64_t remainder_of(const WindowAxis& axis, std::int64_t tap) {
  std::int64_t remainder = (tap * axis.dilation - axis.before) % axis.stride;
  return remainder < 0 ? remainder + axis.stride : remainder;
}

// The windows that an axis's first element of each remainder hears from.
SheetAxis backward_axis(const WindowAxis& axis) {
  std::vector<std::int64_t> taps;
  for (std::int64_t k = 0; k < axis.size; ++k)
    taps.push_back((remainder_of(axis, k) + axis.before - k * axis.dilation) / axis.stride);
  return SheetAxis(axis.places(), 1, std::move(taps));
}

std::vector<std::size_t> taps_on(const WindowAxis& axis, std::int64_t remainder) {
  std::vector<std::size_t> taps;
  for (std::int64_t k = 0; k < axis.size; ++k)
    if (remainder_of(axis, k) == remainder) taps.push_back(static_cast<std::size_t>(k));
  return taps;
}

// How many elements of an axis have a remainder that one of them has.
std::int64_t count_on(const WindowAxis& axis, std::int64_t remainder) {
  return (axis.extent - 1 - remainder) / axis.stride + 1;
}

std::int64_t kernel_size(const Convolution& shape) { return shape.rows.size * shape.columns.size; }

// What both directions have in common.
template <class T>
SlideJob<T> job_over(const Convolution& shape, const T* source, const T* w, T* target) {
  SlideJob<T> job;
  job.batch = shape.batch;
  job.groups = shape.groups;
  job.source = source;
  job.weights = w;
  job.row_step = shape.columns.size;
  job.group_step =
      shape.filters / shape.groups * (shape.channels / shape.groups) * kernel_size(shape);
  job.target = target;
  return job;
}

}  // namespace

SheetAxis forward_axis(const WindowAxis& axis) {
  std::vector<std::int64_t> taps;
  for (std::int64_t k = 0; k < axis.size; ++k) taps.push_back(k * axis.dilation - axis.before);
  return SheetAxis(axis.extent, axis.stride, std::move(taps));
}

template <class T>
void convolve(const Convolution& shape, const T* x, const T* w, const T* b, T* y) {
  SlideJob<T> job = job_over(shape, x, w, y);
  job.channels = shape.channels / shape.groups;
  job.filters = shape.filters / shape.groups;
  job.channel_step = kernel_size(shape);
  job.filter_step = job.channels * job.channel_step;
  job.bias = b;
  job.height = shape.rows.places();
  job.width = shape.columns.places();
  Sheet sheet(forward_axis(shape.rows), forward_axis(shape.columns), job.width);
  slide(job, sheet, {{0, 0, job.height, job.width, all_taps(shape.rows), all_taps(shape.columns)}});
}

// Channels and filters change places.
template <class T>
void convolve_data_gradient(const Convolution& shape, const T* dy, const T* w, T* dx) {
  const WindowAxis &rows = shape.rows, &columns = shape.columns;
  SlideJob<T> job = job_over(shape, dy, w, dx);
  job.channels = shape.filters / shape.groups;
  job.filters = shape.channels / shape.groups;
  job.filter_step = kernel_size(shape);
  job.channel_step = job.filters * job.filter_step;
  job.height = rows.extent;
  job.width = columns.extent;
  job.step_down = rows.stride;
  job.step_across = columns.stride;
  std::vector<SlidePass> passes;
  for (std::int64_t y = 0; y < std::min(rows.stride, rows.extent); ++y)
    for (std::int64_t x = 0; x < std::min(columns.stride, columns.extent); ++x)
      passes.push_back(
          {y, x, count_on(rows, y), count_on(columns, x), taps_on(rows, y), taps_on(columns, x)});
  Sheet sheet(backward_axis(rows), backward_axis(columns), count_on(columns, 0));
  slide(job, sheet, passes);
}

template void convolve(const Convolution&, const float*, const float*, const float*, float*);
template void convolve(const Convolution&, const double*, const double*, const double*, double*);
template void convolve_data_gradient(const Convolution&, const float*, const float*, float*);
template void convolve_data_gradient(const Convolution&, const double*, const double*, double*);

}  // namespace strider::nd
