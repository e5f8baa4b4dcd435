// interp: piecewise linear interpolation between points in rising order.
#include <strider/nd/error.h>
#include <strider/nd/signal.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace strider::nd {
namespace {

constexpr std::int64_t kGrain = 1 << 12;

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
  T left, right;  // of places before the first point and after the last

  T slope(std::int64_t j) const {
    double width = x[j + 1] - x[j];
    if constexpr (std::is_same_v<T, double>) return (y[j + 1] - y[j]) / width;
    T rise = y[j + 1] - y[j];
    return rise * (1.0 / width);
  }

  // `slopes`: of all segments, or null.
  T at(double where, std::int64_t j, const T* slopes) const {
    if (j < 0) return left;
    if (j >= count) return right;
    if (j == count - 1 || x[j] == where) return y[j];
    return on_segment(where, x[j], y[j], x[j + 1], y[j + 1], slopes ? slopes[j] : slope(j));
  }
};

// Finds the last point that is not beyond a place; -1 before the first, `count` after the last.
// Points that are NaN count as beyond. Places that follow one another are mostly near one another,
// so the last find and its neighbours are tried first.
class Finder {
 public:
  Finder(const double* points, std::int64_t count) : points_(points), count_(count) {}

  std::int64_t find(double where) {
    if (where > points_[count_ - 1]) return count_;
    if (where < points_[0]) return -1;
    if (count_ <= kFewPoints) return search_in_order(where);
    if (!reaches(found_, where)) {
      found_ = found_ > 0 && reaches(found_ - 1, where) ? found_ - 1 : search(where);
    } else if (reaches(found_ + 1, where)) {
      found_ = reaches(found_ + 2, where) ? search(where) : found_ + 1;
    }
    return found_;
  }

 private:
  static constexpr std::int64_t kFewPoints = 4;

  bool reaches(std::int64_t j, double where) const { return j < count_ && where >= points_[j]; }
  std::int64_t search_in_order(double where) const {
    std::int64_t j = 1;
    while (reaches(j, where)) ++j;
    return j - 1;
  }
  // Halves without branches: what is looked for is as good as random.
  std::int64_t search(double where) const {
    const double* first = points_;
    std::int64_t left = count_;
    while (left > 1) {
      std::int64_t half = left / 2;
      first += where >= first[half] ? half : 0;
      left -= half;
    }
    return first - points_;
  }

  const double* points_;
  std::int64_t count_;
  std::int64_t found_ = 0;
};

// Slopes that will be needed several times are computed once.
template <class T>
std::vector<T> slopes_of(const Points<T>& points, std::int64_t places) {
  std::vector<T> slopes;
  if (points.count > places) return slopes;
  slopes.reserve(static_cast<std::size_t>(points.count));
  for (std::int64_t j = 0; j + 1 < points.count; ++j) slopes.push_back(points.slope(j));
  return slopes;
}

template <class T>
void interpolate(const Points<T>& points, const double* where, std::int64_t count, T* to) {
  std::vector<T> slopes = slopes_of(points, count);
  bool single = points.count == 1;  // NaNs are neither before it nor after it
  parallel_for(count, worth_a_thread(kGrain), [&](std::int64_t begin, std::int64_t end) {
    Finder finder(points.x, points.count);
    for (std::int64_t i = begin; i < end; ++i) {
      double x = where[i];
      to[i] = std::isnan(x) && !single ? T(x) : points.at(x, finder.find(x), slopes.data());
    }
  });
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
