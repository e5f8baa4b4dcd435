// Windows over planes. A gradient is gathered: each element looks for the windows that it lies in,
// in their order, so that sums have one order. For maxima, where each window's first one lies is
// found out before; windows that do not overlap are each written by the thread that finds it.
#include "kernels/backend/cuda/precompiled/each.cuh"
#include "kernels/backend/cuda/precompiled/planes.h"

namespace strider::nd::cuda {
namespace {

// Elements of a plane are counted in 32 bits.
struct Axis {
  int extent, size, stride, before, places;

  __device__ int first(int place) const { return max(place * stride - before, 0); }
  __device__ int end(int place) const { return min(place * stride - before + size, extent); }
  // The windows that an element lies in: from the first one to before the end.
  __device__ int first_place(int at) const {
    int beyond = at + before - size;
    return beyond < 0 ? 0 : beyond / stride + 1;
  }
  __device__ int end_place(int at) const { return min((at + before) / stride + 1, places); }
  // The elements from a window to the next, if windows do not overlap: of the first and the last
  // those at the edge, too.
  __device__ int cell_first(int place) const { return place == 0 ? 0 : first(place); }
  __device__ int cell_end(int place) const {
    return place + 1 == places ? extent : min(max((place + 1) * stride - before, 0), extent);
  }
};

struct Windows {
  Axis rows, columns;
  bool whole;  // averages divide by the window's size, else by how much of it is inside
  __device__ double divisor(int row, int column) const {
    if (whole) return static_cast<double>(rows.size) * columns.size;
    return static_cast<double>(rows.end(row) - rows.first(row)) *
           (columns.end(column) - columns.first(column));
  }
};

// Where element i of planes with `width` columns and `height` rows lies.
struct Position {
  std::int64_t plane;
  int row, column;
  __device__ Position(std::int64_t i, int height, int width) {
    std::int64_t line;
    if (i <= 0xffffffffu) {  // which divides faster
      auto narrow = static_cast<std::uint32_t>(i),
           unsigned_width = static_cast<std::uint32_t>(width);
      std::uint32_t lines = narrow / unsigned_width;
      column = static_cast<int>(narrow - lines * unsigned_width);
      std::uint32_t planes = lines / static_cast<std::uint32_t>(height);
      row = static_cast<int>(lines - planes * static_cast<std::uint32_t>(height));
      plane = planes;
      return;
    }
    line = i / width;
    column = static_cast<int>(i - line * width);
    plane = line / height;
    row = static_cast<int>(line - plane * height);
  }
};

// The place in its plane of a window's first maximum. NaN is the largest.
template <class Float>
__device__ int find_maximum(const Windows& windows, const Float* plane, int row, int column) {
  int found = -1;
  Float most = 0;
  for (int y = windows.rows.first(row); y < windows.rows.end(row); ++y) {
    for (int x = windows.columns.first(column); x < windows.columns.end(column); ++x) {
      int at = y * windows.columns.extent + x;
      Float value = plane[at];
      bool more = found < 0 || value > most || (isnan(value) && !isnan(most));
      if (more) found = at, most = value;
    }
  }
  return found;
}

template <class Float>
struct Maximum {
  Windows windows;
  const Float* x;
  Float* y;
  __device__ void operator()(std::int64_t i) const {
    Position at(i, windows.rows.places, windows.columns.places);
    const Float* plane = x + at.plane * windows.rows.extent * windows.columns.extent;
    y[i] = plane[find_maximum(windows, plane, at.row, at.column)];
  }
};

template <class Float>
struct Average {
  Windows windows;
  const Float* x;
  Float* y;
  __device__ void operator()(std::int64_t i) const {
    Position at(i, windows.rows.places, windows.columns.places);
    const Float* plane = x + at.plane * windows.rows.extent * windows.columns.extent;
    Float sum = 0;
    for (int row = windows.rows.first(at.row); row < windows.rows.end(at.row); ++row)
      for (int column = windows.columns.first(at.column); column < windows.columns.end(at.column);
           ++column)
        sum += plane[row * windows.columns.extent + column];
    y[i] = sum / static_cast<Float>(windows.divisor(at.row, at.column));
  }
};

template <class Float>
struct FindMaximum {
  Windows windows;
  const Float* x;
  int* found;
  __device__ void operator()(std::int64_t i) const {
    Position at(i, windows.rows.places, windows.columns.places);
    const Float* plane = x + at.plane * windows.rows.extent * windows.columns.extent;
    found[i] = find_maximum(windows, plane, at.row, at.column);
  }
};

// Calls use(window, row, column) for the windows that an element lies in.
template <class Use>
__device__ void for_windows(const Windows& windows, const Position& at, Use&& use) {
  for (int row = windows.rows.first_place(at.row); row < windows.rows.end_place(at.row); ++row)
    for (int column = windows.columns.first_place(at.column);
         column < windows.columns.end_place(at.column); ++column)
      use((at.plane * windows.rows.places + row) * windows.columns.places + column, row, column);
}

template <class Float>
struct MaximumGradient {
  Windows windows;
  const int* found;
  const Float* dy;
  Float* dx;
  __device__ void operator()(std::int64_t i) const {
    Position at(i, windows.rows.extent, windows.columns.extent);
    int here = at.row * windows.columns.extent + at.column;
    Float sum = 0;
    for_windows(windows, at, [&](std::int64_t window, int, int) {
      if (found[window] == here) sum += dy[window];
    });
    dx[i] = sum;
  }
};

// The same where no element lies in two windows: one window each.
template <class Float>
struct CellGradient {
  Windows windows;
  const Float *x, *dy;
  Float* dx;
  __device__ void operator()(std::int64_t i) const {
    Position at(i, windows.rows.places, windows.columns.places);
    const std::int64_t plane = at.plane * windows.rows.extent * windows.columns.extent;
    const int here = find_maximum(windows, x + plane, at.row, at.column);
    const Float gradient = Float(0) + dy[i];
    for (int row = windows.rows.cell_first(at.row); row < windows.rows.cell_end(at.row); ++row)
      for (int column = windows.columns.cell_first(at.column);
           column < windows.columns.cell_end(at.column); ++column) {
        const int element = row * windows.columns.extent + column;
        dx[plane + element] = element == here ? gradient : Float(0);
      }
  }
};

template <class Float>
struct AverageGradient {
  Windows windows;
  const Float* dy;
  Float* dx;
  __device__ void operator()(std::int64_t i) const {
    Position at(i, windows.rows.extent, windows.columns.extent);
    Float sum = 0;
    for_windows(windows, at, [&](std::int64_t window, int row, int column) {
      sum += dy[window] / static_cast<Float>(windows.divisor(row, column));
    });
    dx[i] = sum;
  }
};

Axis axis_of(const WindowAxis& axis) {
  auto narrow = [](std::int64_t value) { return static_cast<int>(value); };
  return {narrow(axis.extent), narrow(axis.size), narrow(axis.stride), narrow(axis.before),
          narrow(axis.places())};
}

Windows windows_of(const Pooling& pooling) {
  return {axis_of(pooling.rows), axis_of(pooling.columns), pooling.kind == PoolKind::kAverage};
}

std::int64_t count_elements(const Pooling& pooling) {
  return pooling.planes * pooling.rows.extent * pooling.columns.extent;
}

std::int64_t count_windows(const Pooling& pooling) {
  return pooling.planes * pooling.rows.places() * pooling.columns.places();
}

// Windows that do not overlap, with so few elements from one to the next that neighbouring threads
// touch neighbouring memory.
bool has_small_cells(const Pooling& pooling) {
  constexpr std::int64_t kElements = 16;
  auto apart = [](const WindowAxis& axis) { return axis.stride >= axis.size; };
  return apart(pooling.rows) && apart(pooling.columns) &&
         pooling.rows.stride * pooling.columns.stride <= kElements;
}

template <class Float>
void pool(const Queue& queue, const Pooling& pooling, const std::byte* x, std::byte* y) {
  auto* from = reinterpret_cast<const Float*>(x);
  auto* to = reinterpret_cast<Float*>(y);
  std::int64_t count = count_windows(pooling);
  Windows windows = windows_of(pooling);
  if (pooling.kind == PoolKind::kMaximum)
    return for_each(queue, count, Maximum<Float>{windows, from, to});
  for_each(queue, count, Average<Float>{windows, from, to});
}

template <class Float>
void pool_gradient(const Queue& queue, const Pooling& pooling, const std::byte* dy,
                   const std::byte* x, std::byte* dx) {
  auto* from = reinterpret_cast<const Float*>(dy);
  auto* to = reinterpret_cast<Float*>(dx);
  std::int64_t count = count_elements(pooling);
  Windows windows = windows_of(pooling);
  if (pooling.kind != PoolKind::kMaximum)
    return for_each(queue, count, AverageGradient<Float>{windows, from, to});
  std::int64_t found_count = count_windows(pooling);
  if (found_count > 0 && has_small_cells(pooling)) {
    auto* images = reinterpret_cast<const Float*>(x);
    return for_each(queue, found_count, CellGradient<Float>{windows, images, from, to});
  }
  Workspace found(queue.device, static_cast<std::size_t>(found_count) * sizeof(int));
  for_each(queue, found_count,
           FindMaximum<Float>{windows, reinterpret_cast<const Float*>(x), found.as<int>()});
  for_each(queue, count, MaximumGradient<Float>{windows, found.as<int>(), from, to});
}

}  // namespace

void pool_planes(const Queue& queue, DType dtype, const Pooling& pooling, const std::byte* x,
                 std::byte* y) {
  if (dtype == DType::kFloat32) return pool<float>(queue, pooling, x, y);
  pool<double>(queue, pooling, x, y);
}

void pool_planes_gradient(const Queue& queue, DType dtype, const Pooling& pooling,
                          const std::byte* dy, const std::byte* x, std::byte* dx) {
  if (dtype == DType::kFloat32) return pool_gradient<float>(queue, pooling, dy, x, dx);
  pool_gradient<double>(queue, pooling, dy, x, dx);
}

}  // namespace strider::nd::cuda
