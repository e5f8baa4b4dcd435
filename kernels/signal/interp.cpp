// interp: piecewise linear interpolation between points in rising order.
#include <strider/nd/error.h>
#include <strider/nd/signal.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace strider::nd {
namespace {

template <class T>
T from_scalar(const Scalar& value) {
  if constexpr (std::is_same_v<T, double>)
    return value.to_double();
  else
    return value.to_complex();
}

// The value on a segment, from its left end, or from its right one where the left gives NaN.
double on_segment(double x, double x0, double y0, double x1, double y1, double slope) {
  double value = slope * (x - x0) + y0;
  if (!std::isnan(value)) return value;
  value = slope * (x - x1) + y1;
  return std::isnan(value) && y0 == y1 ? y0 : value;
}

std::complex<double> on_segment(double x, double x0, std::complex<double> y0, double x1,
                                std::complex<double> y1, std::complex<double> slope) {
  return {on_segment(x, x0, y0.real(), x1, y1.real(), slope.real()),
          on_segment(x, x0, y0.imag(), x1, y1.imag(), slope.imag())};
}

template <class T>
struct Points {
  const double* x;
  const T* y;
  std::int64_t count;
  T left, right;

  T slope(std::int64_t j) const {
    double width = x[j + 1] - x[j];
    if constexpr (std::is_same_v<T, double>) return (y[j + 1] - y[j]) / width;
    T rise = y[j + 1] - y[j];
    return rise * (1.0 / width);
  }

  T at(double where, std::int64_t j) const {
    if (j < 0) return left;
    if (j >= count) return right;
    if (j == count - 1 || x[j] == where) return y[j];
    return on_segment(where, x[j], y[j], x[j + 1], y[j + 1], slope(j));
  }
};

constexpr std::int64_t kFewPoints = 4;  // searched one by one

// The last point that is not beyond `where`; -1 before the first, `count` after the last. Points
// that are NaN count as beyond.
template <class T>
std::int64_t segment_of(const Points<T>& points, double where) {
  const double *first = points.x, *end = first + points.count;
  if (where > end[-1]) return points.count;
  if (where < first[0]) return -1;
  auto reached = [where](double point) { return where >= point; };
  const double* next = points.count <= kFewPoints ? std::find_if_not(first + 1, end, reached)
                                                  : std::partition_point(first, end, reached);
  return next - first - 1;
}

template <class T>
void interpolate(const Points<T>& points, const double* where, std::int64_t count, T* to) {
  for (std::int64_t i = 0; i < count; ++i) {
    double x = where[i];
    to[i] = std::isnan(x) ? T(x) : points.at(x, segment_of(points, x));
  }
}

template <class T>
Array run(const Array& x, const Array& xp, const Array& fp, const Scalar* left,
          const Scalar* right) {
  Array where = x.contiguous(DType::kFloat64), knots = xp.contiguous(DType::kFloat64);
  Array heights = fp.contiguous(dtype_of<T>), result = Array::empty(x.shape(), dtype_of<T>);
  const T* y = heights.as<T>();
  std::int64_t count = knots.size();
  Points<T> points{knots.as<double>(), y, count, left ? from_scalar<T>(*left) : y[0],
                   right ? from_scalar<T>(*right) : y[count - 1]};
  interpolate(points, where.as<double>(), where.size(), result.mutable_as<T>());
  return result;
}

}  // namespace

Array interp(const Array& x, const Array& xp, const Array& fp, const Scalar* left,
             const Scalar* right) {
  if (xp.rank() > 1 || fp.rank() > 1)
    throw Error(ErrorKind::kValue, "object too deep for desired array");
  if (xp.rank() == 0 || fp.rank() == 0)
    throw Error(ErrorKind::kValue, "object of too small depth for desired array");
  if (xp.size() == 0) throw Error(ErrorKind::kValue, "array of sample points is empty");
  if (xp.size() != fp.size())
    throw Error(ErrorKind::kValue, "fp and xp are not of the same length.");
  bool complex = is_complex(fp.dtype()) || (left && is_complex(left->dtype())) ||
                 (right && is_complex(right->dtype()));
  return complex ? run<std::complex<double>>(x, xp, fp, left, right)
                 : run<double>(x, xp, fp, left, right);
}

}  // namespace strider::nd
