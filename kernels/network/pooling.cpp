// Windows are combined down first, which are whole rows, and then across.
#include "kernels/network/pooling.h"

#include <strider/nd/interrupt.h>
#include <strider/nd/threads.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/backend/cpu/network_rows.h"

namespace strider::nd {
namespace {

// The elements that a window at this place covers.
struct Covered {
  std::int64_t begin, end;
};
Covered covered(const WindowAxis& axis, std::int64_t place) {
  std::int64_t start = place * axis.stride - axis.before;
  return {std::max<std::int64_t>(start, 0), std::min(start + axis.size, axis.extent)};
}

constexpr std::int64_t kLineElements = 2048;  // of rows that are combined across at once

template <class T>
class Pool {
 public:
  explicit Pool(const Pooling& pooling)
      : pooling_(pooling),
        rows_(pooling.rows),
        columns_(pooling.columns),
        height_(rows_.places()),
        width_(columns_.places()),
        maximum_(pooling.kind == PoolKind::kMaximum),
        rows_at_once_(line_size() == width_ * columns_.stride && columns_.size <= columns_.stride
                          ? std::clamp<std::int64_t>(kLineElements / line_size(), 1, height_)
                          : 1) {}

  void forward(const T* x, T* y) const {
    each_plane([&](std::int64_t plane, T* line, T*) {
      const T* from = x + plane * rows_.extent * columns_.extent;
      T* to = y + plane * height_ * width_;
      auto across = maximum_ ? loops_.largest : loops_.sum;
      for (std::int64_t begin = 0; begin < height_; begin += rows_at_once_) {
        std::int64_t count = std::min(rows_at_once_, height_ - begin);
        for (std::int64_t p = 0; p < count; ++p)
          combine_rows(from, begin + p, line + p * line_size());
        across(line, columns_.stride, columns_.size, to, count * width_);
        for (std::int64_t p = begin; p < begin + count; ++p, to += width_)
          if (!maximum_) divide(p, to);
      }
    });
  }

  void backward_average(const T* dy, T* dx) const {
    each_plane([&](std::int64_t plane, T* line, T* rest) {
      const T* from = dy + plane * height_ * width_;
      T* to = clear_plane(dx, plane);
      for (std::int64_t p = 0; p < height_; ++p, from += width_) {
        std::copy_n(from, width_, rest);
        divide(p, rest);
        std::fill_n(line, line_size(), T(0));
        for (std::int64_t k = 0; k < columns_.size; ++k)
          loops_.spread(line + k, columns_.stride, rest, width_);
        Covered rows = covered(rows_, p);
        for (std::int64_t row = rows.begin; row < rows.end; ++row)
          loops_.add(to + row * columns_.extent, line + columns_.before, columns_.extent);
      }
    });
  }

  void backward_maximum(const T* dy, const T* x, const T* y, T* dx) const {
    each_plane([&](std::int64_t plane, T*, T* rest) {
      const T* from = x + plane * rows_.extent * columns_.extent;
      T* to = clear_plane(dx, plane);
      for (std::int64_t p = 0; p < height_; ++p) {
        std::int64_t at = (plane * height_ + p) * width_;
        std::copy_n(dy + at, width_, rest);
        Covered rows = covered(rows_, p);
        for (std::int64_t row = rows.begin; row < rows.end; ++row)
          give_row(from + row * columns_.extent, y + at, rest, to + row * columns_.extent);
      }
    });
  }

 private:
  std::int64_t line_size() const { return columns_.before + columns_.extent + columns_.after; }

  // body(plane, line, rest) with room for rows with what is around them, and for one of results.
  template <class Body>
  void each_plane(Body&& body) const {
    std::int64_t work = (height_ + rows_.extent) * line_size() * 2;
    parallel_for(pooling_.planes, 1 + worth_a_thread(1 << 16) / work,
                 [&](std::int64_t begin, std::int64_t end) {
                   std::vector<T> line(static_cast<std::size_t>(rows_at_once_ * line_size())),
                       rest(static_cast<std::size_t>(width_));
                   for (std::int64_t plane = begin; plane < end; ++plane) {
                     check_interrupt();
                     body(plane, line.data(), rest.data());
                   }
                 });
  }

  T* clear_plane(T* dx, std::int64_t plane) const {
    T* to = dx + plane * rows_.extent * columns_.extent;
    std::fill_n(to, rows_.extent * columns_.extent, T(0));
    return to;
  }

  void combine_rows(const T* plane, std::int64_t place, T* line) const {
    T around = maximum_ ? -std::numeric_limits<T>::infinity() : T(0);
    T* inside = line + columns_.before;
    std::fill(line, inside, around);
    std::fill_n(inside + columns_.extent, columns_.after, around);
    Covered rows = covered(rows_, place);
    std::copy_n(plane + rows.begin * columns_.extent, columns_.extent, inside);
    auto combine = maximum_ ? loops_.larger : loops_.add;
    for (std::int64_t row = rows.begin + 1; row < rows.end; ++row)
      combine(inside, plane + row * columns_.extent, columns_.extent);
  }

  // By how many elements a window has.
  void divide(std::int64_t place, T* row) const {
    bool all = pooling_.kind == PoolKind::kAverage;
    Covered rows = covered(rows_, place);
    for (std::int64_t q = 0; q < width_; ++q) {
      Covered columns = covered(columns_, q);
      std::int64_t count = (rows.end - rows.begin) * (columns.end - columns.begin);
      row[q] /= static_cast<T>(all ? rows_.size * columns_.size : count);
    }
  }

  // Along a row of the image, tap by tap; windows that reach over an end are left out there.
  void give_row(const T* row, const T* y, T* rest, T* to) const {
    for (std::int64_t k = 0; k < columns_.size; ++k) {
      std::int64_t shift = k - columns_.before, stride = columns_.stride;
      std::int64_t begin = shift < 0 ? (-shift + stride - 1) / stride : 0;
      std::int64_t end = shift < columns_.extent ? (columns_.extent - 1 - shift) / stride + 1 : 0;
      end = std::min(end, width_);
      if (begin >= end) continue;
      std::int64_t first = begin * stride + shift;
      loops_.give(row + first, to + first, stride, y + begin, rest + begin, end - begin);
    }
  }

  const Pooling& pooling_;
  const WindowAxis &rows_, &columns_;
  const NetworkRows<T>& loops_ = network_rows<T>();
  std::int64_t height_, width_;
  bool maximum_;
  // Where windows leave nothing of a row over, some rows are one long row: images are narrow.
  std::int64_t rows_at_once_;
};

}  // namespace

template <class T>
void pool_planes(const Pooling& pooling, const T* x, T* y) {
  Pool<T>(pooling).forward(x, y);
}

template <class T>
void pool_planes_gradient(const Pooling& pooling, const T* dy, const T* x, const T* y, T* dx) {
  Pool<T> pool(pooling);
  if (pooling.kind == PoolKind::kMaximum)
    pool.backward_maximum(dy, x, y, dx);
  else
    pool.backward_average(dy, dx);
}

template void pool_planes(const Pooling&, const float*, float*);
template void pool_planes(const Pooling&, const double*, double*);
template void pool_planes_gradient(const Pooling&, const float*, const float*, const float*,
                                   float*);
template void pool_planes_gradient(const Pooling&, const double*, const double*, const double*,
                                   double*);

}  // namespace strider::nd
