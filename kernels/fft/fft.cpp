// fft_c2c, fft_r2c, fft_c2r: the lines of an axis, transformed by a device's library or the host.
#include <strider/nd/error.h>
#include <strider/nd/fft.h>
#include <strider/nd/floating_errors.h>
#include <strider/nd/generate.h>
#include <strider/nd/ufunc.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/backend/backend.h"
#include "kernels/core/node.h"
#include "kernels/fft/lines.h"
#include "kernels/graph/placement/placement.h"
#include "kernels/index/arithmetic.h"

namespace strider::nd {
namespace {

void check_length(std::int64_t length) {
  if (length < 1)
    throw Error(ErrorKind::kValue,
                "Invalid number of FFT data points (" + std::to_string(length) + ") specified.");
}

Array axis_last(const Array& array, int axis) {
  std::vector<int> axes;
  for (int k = 0; k < array.rank(); ++k)
    if (k != axis) axes.push_back(k);
  axes.push_back(axis);
  return array.transpose(axes);
}

Array axis_back(const Array& array, int axis) {
  if (axis == array.rank() - 1) return array;
  std::vector<int> axes;
  for (int k = 0; k < array.rank(); ++k)
    axes.push_back(k < axis ? k : k == axis ? array.rank() - 1 : k - 1);
  return array.transpose(axes).copy();
}

bool is_single(DType dtype) {
  return dtype == DType::kFloat16 || dtype == DType::kFloat32 || dtype == DType::kComplex64;
}

// Element types before and after.
std::pair<DType, DType> types_of(const Transform& transform) {
  DType complex = complex_of(transform.real);
  bool from_real = transform.kind == TransformKind::kRealToComplex;
  bool to_real = transform.kind == TransformKind::kComplexToReal;
  return {from_real ? transform.real : complex, to_real ? transform.real : complex};
}

Dims with_last(Dims shape, std::int64_t extent) {
  shape.back() = extent;
  return shape;
}

// The first `count` points of every line.
Array first_points(const Array& lines, std::int64_t count) {
  return lines.view(with_last(lines.shape(), count), lines.strides(), 0);
}

// Lines of exactly the points that a transform reads, packed on the device.
Array exact_lines(const Array& array, const Transform& transform) {
  std::int64_t given = array.shape().back(), wanted = points_given(transform);
  DType dtype = types_of(transform).first;
  bool destroyed = transform.kind == TransformKind::kComplexToReal;
  if (given >= wanted) return first_points(array, wanted).astype(dtype, Order::kC, destroyed);
  Array lines = generate_zeros(with_last(array.shape(), wanted), dtype);
  first_points(lines, given).assign(array);
  return lines;
}

// The ends of a real line's spectrum become real.
void straighten_ends(const Array& lines, std::int64_t length) {
  Array zero = Array::scalar(Scalar(0.0));
  Array imaginary = lines.imag();
  std::int64_t last = lines.shape().back() - 1;
  first_points(imaginary, 1).assign(zero);
  if (length % 2 != 0 || last == 0) return;
  Dims shape = with_last(imaginary.shape(), 1);
  imaginary.view(shape, imaginary.strides(), last * imaginary.strides().back()).assign(zero);
}

// Real and imaginary parts are multiplied each by itself: infinities stay what they are.
Array scaled(const Array& lines, DType real, double factor) {
  if (factor == 1) return lines;
  Array multiplier = Array::scalar(Scalar(factor).as(real));
  if (!is_complex(lines.dtype())) return multiply_elements(lines, multiplier, real);
  Dims shape = lines.shape(), strides = lines.strides();
  shape.push_back(2);
  strides.push_back(item_size(real));
  Array parts = multiply_elements(lines.view(shape, strides, 0, real), multiplier, real);
  return parts.view(lines.shape(), lines.strides(), 0, lines.dtype());
}

Array conjugated_if(bool wanted, const Array& array) { return wanted ? conjugated(array) : array; }

// Lines along the last axis, transformed on a device. Null where its library does not do it.
Array transform_on(Backend& backend, const Array& array, Transform transform, double factor) {
  bool to_real = transform.kind == TransformKind::kComplexToReal;
  bool from_real = transform.kind == TransformKind::kRealToComplex;
  Device& device = *backend.device();
  Array lines = conjugated_if(to_real && transform.forward, exact_lines(array, transform));
  if (to_real) straighten_ends(lines, transform.length);
  auto [from, to] = types_of(transform);
  DeviceWork work;
  Array result = make_on(device, with_last(array.shape(), points_made(transform)), to);
  transform.count = lines.size() / points_given(transform);
  bool conjugate = from_real && !transform.forward;
  if (to_real) transform.forward = false;
  if (from_real) transform.forward = true;
  std::byte* start =
      to_real ? lines.node()->storage->claim(&device) : lines.node()->storage->bytes_on(device);
  std::byte* end = result.node()->storage->bytes_on(device);
  if (!backend.library()->transform(transform, start + lines.node()->offset, end)) return Array();
  return conjugated_if(conjugate, scaled(result, transform.real, factor));
}

// What NumPy's warnings call a transform.
const char* name_of(const Transform& transform) {
  if (transform.kind == TransformKind::kComplexToReal) return "irfft";
  if (transform.kind == TransformKind::kRealToComplex)
    return transform.length % 2 == 0 ? "rfft_n_even" : "rfft_n_odd";
  return transform.forward ? "fft" : "ifft";
}

bool has_infinities_or_nan(const Array& packed) {
  auto any = [&](const auto* numbers, std::int64_t count) {
    return !std::all_of(numbers, numbers + count, [](auto x) { return std::isfinite(x); });
  };
  std::int64_t count = packed.size() * (is_complex(packed.dtype()) ? 2 : 1);
  if (is_single(packed.dtype())) return any(reinterpret_cast<const float*>(packed.data()), count);
  return any(reinterpret_cast<const double*>(packed.data()), count);
}

// Transforms lines on the host. What is worked on beside them raises conditions, too, so these are
// told only where the result shows them.
void transform_watched(const Transform& transform, const LineSheet& sheet, double factor,
                       const Array& result) {
  clear_floating_errors();
  transform_lines(transform, sheet, factor);
  FloatingErrors errors = take_floating_errors();
  if (errors && has_infinities_or_nan(result)) deliver_floating_errors(errors, name_of(transform));
}

Array transform_here(const Array& array, Transform transform, double factor) {
  auto [from, to] = types_of(transform);
  Array lines = array.contiguous(from);
  Array result = Array::empty(with_last(array.shape(), points_made(transform)), to);
  transform.count = result.size() / points_made(transform);
  transform_watched(transform, {lines.data(), result.mutable_data(), lines.shape().back()}, factor,
                    result);
  return result;
}

std::int64_t columns_after(const Array& array, int axis) {
  std::int64_t columns = 1;
  for (int k = axis + 1; k < array.rank(); ++k)
    columns *= array.shape()[static_cast<std::size_t>(k)];
  return columns;
}

// The same of another axis, whose lines stay where they are: columns of planes.
Array transform_columns(const Array& array, Transform transform, int axis, double factor) {
  auto [from, to] = types_of(transform);
  Array planes = array.contiguous(from);
  Dims shape = planes.shape();
  auto at = static_cast<std::size_t>(axis);
  LineSheet sheet{planes.data(), nullptr, shape[at]};
  sheet.columns = columns_after(array, axis);
  shape[at] = points_made(transform);
  Array result = Array::empty(shape, to);
  sheet.to = result.mutable_data();
  transform.count = result.size() / shape[at];
  transform_watched(transform, sheet, factor, result);
  return result;
}

// Whether lines along an axis are columns of planes, which are transformed as they lie.
bool has_columns(const Array& array, const Transform& transform, int axis) {
  constexpr std::int64_t kFew = 4;
  return array.size() > 0 && columns_after(array, axis) >= kFew && transforms_columns(transform);
}

// Calls transform(turned, axis) with the axes outermost first; its result has them back in place.
template <class Transform>
Array as_they_lie(const Array& array, int axis, Transform&& transform) {
  int order[kMaxRank], back[kMaxRank];
  Dims steps = distinct_steps(array.strides());
  order_axes({&steps, 1}, order);
  bool in_order = true;
  for (int i = 0; i < array.rank(); ++i) {
    in_order = in_order && order[i] == i;
    back[order[i]] = i;
  }
  if (in_order) return transform(array, axis);
  std::span<const int> turn(order, static_cast<std::size_t>(array.rank()));
  return transform(array.transpose(turn), back[axis]).transpose(std::span(back, turn.size()));
}

Array transform_lines_of(TransformKind kind, const Array& array, std::int64_t length, int axis,
                         bool forward, double factor) {
  DType real = is_single(array.dtype()) ? DType::kFloat32 : DType::kFloat64;
  Transform transform{kind, real, length, 1, forward};
  Array moved = axis_last(array, axis), result;
  double work = 2 * static_cast<double>(array.size()) * std::log2(static_cast<double>(length) + 1);
  if (Backend* backend = place_library({&array}, work))
    result = transform_on(*backend, moved, transform, factor);
  if (result) return axis_back(result, axis);
  if (has_columns(array, transform, axis)) return transform_columns(array, transform, axis, factor);
  return axis_back(transform_here(moved, transform, factor), axis);
}

Array transform_axis(TransformKind kind, const Array& array, std::int64_t length, int axis,
                     bool forward, double factor) {
  check_length(length);
  return as_they_lie(array, normalize_axis(axis, array.rank()),
                     [&](const Array& turned, int along) {
                       return transform_lines_of(kind, turned, length, along, forward, factor);
                     });
}

}  // namespace

Array fft_c2c(const Array& array, std::int64_t length, int axis, bool forward, double factor) {
  return transform_axis(TransformKind::kComplex, array, length, axis, forward, factor);
}

Array fft_r2c(const Array& array, std::int64_t length, int axis, bool forward, double factor) {
  return transform_axis(TransformKind::kRealToComplex, array, length, axis, forward, factor);
}

Array fft_c2r(const Array& array, std::int64_t length, int axis, bool forward, double factor) {
  return transform_axis(TransformKind::kComplexToReal, array, length, axis, forward, factor);
}

}  // namespace strider::nd
