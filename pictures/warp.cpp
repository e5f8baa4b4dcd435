// Pictures turned, sheared and bent: for each pixel of the target its place in the source is found,
// and the pixel there is taken, or mixed of its neighbours.
#include <cmath>
#include <cstring>
#include <type_traits>

#include "pictures/loops.h"

namespace strider::pictures {
namespace {

struct Place {
  double x, y;
};

// Where the middle of a pixel comes from.
Place source_place(const WarpOptions& options, std::int64_t column, std::int64_t row) {
  const auto& f = options.factors;
  const double x = static_cast<double>(column) + 0.5, y = static_cast<double>(row) + 0.5;
  switch (options.kind) {
    case Warp::kAffine:
      return {f[0] * x + f[1] * y + f[2], f[3] * x + f[4] * y + f[5]};
    case Warp::kPerspective: {
      const double depth = f[6] * x + f[7] * y + 1;
      return {(f[0] * x + f[1] * y + f[2]) / depth, (f[3] * x + f[4] * y + f[5]) / depth};
    }
    case Warp::kQuad:
      return {f[0] + f[1] * x + f[2] * y + f[3] * x * y, f[4] + f[5] * x + f[6] * y + f[7] * x * y};
  }
  return {};
}

bool inside(const Raster& source, const Place& place) {
  return place.x >= 0 && place.x < static_cast<double>(source.width) && place.y >= 0 &&
         place.y < static_cast<double>(source.height);
}

std::int64_t held(std::int64_t place, std::int64_t size) {
  return std::clamp<std::int64_t>(place, 0, size - 1);
}

// Differences are taken as samples.
template <class T>
double between(T a, T b, double part) {
  return a + (b - a) * part;
}

// Through b and c, by the slopes that a and d give.
template <class T>
double between(T a, T b, T c, T d, double part) {
  const double first = -a + c, second = 2 * (a - b) + c - d, third = -a + b - c + d;
  return b + part * (first + part * (second + part * third));
}

template <class T>
T to_sample(double value, bool cubic) {
  if (cubic && std::is_same_v<T, std::uint8_t>)
    return value <= 0 ? 0 : value >= 255 ? 255 : static_cast<T>(value);
  return clamp_to<T>(value);
}

// The pixel whose middle lies up and left of a place, and how far on from there that is.
struct Middle {
  std::int64_t x, y;
  double x_part, y_part;
};
Middle near_middle(Place place) {
  const double x = std::floor(place.x - 0.5), y = std::floor(place.y - 0.5);
  return {static_cast<std::int64_t>(x), static_cast<std::int64_t>(y), place.x - 0.5 - x,
          place.y - 0.5 - y};
}

template <class T>
void pick_linear(const Raster& source, Place place, T* target) {
  const auto [x, y, x_part, y_part] = near_middle(place);
  const std::int64_t left = held(x, source.width) * source.bands;
  const std::int64_t right = held(x + 1, source.width) * source.bands;
  const T* row = source.row<T>(held(y, source.height));
  const T* below = y + 1 >= 0 && y + 1 < source.height ? source.row<T>(y + 1) : nullptr;
  for (int band = 0; band < source.bands; ++band) {
    const double upper = between(row[left + band], row[right + band], x_part);
    const double lower = below ? between(below[left + band], below[right + band], x_part) : upper;
    target[band] = to_sample<T>(between(upper, lower, y_part), false);
  }
}

template <class T>
void pick_cubic(const Raster& source, Place place, T* target) {
  const auto [x, y, x_part, y_part] = near_middle(place);
  std::int64_t columns[4];
  for (int i = 0; i < 4; ++i) columns[i] = held(x - 1 + i, source.width) * source.bands;
  for (int band = 0; band < source.bands; ++band) {
    double values[4];
    for (int i = 0; i < 4; ++i) {
      const std::int64_t at = y - 1 + i;
      if (i > 0 && (at < 0 || at >= source.height)) {
        values[i] = values[i - 1];
        continue;
      }
      const T* row = source.row<T>(held(at, source.height)) + band;
      values[i] =
          between(row[columns[0]], row[columns[1]], row[columns[2]], row[columns[3]], x_part);
    }
    target[band] = to_sample<T>(between(values[0], values[1], values[2], values[3], y_part), true);
  }
}

template <class T>
void warp_samples(const Raster& source, const Raster& target, const WarpOptions& options) {
  for (std::int64_t y = options.top; y < options.bottom; ++y)
    for (std::int64_t x = options.left; x < options.right; ++x) {
      T* pixel = target.row<T>(y) + x * target.bands;
      const Place place = source_place(options, x - options.left, y - options.top);
      if (!inside(source, place)) {
        if (options.clear) std::fill_n(pixel, target.bands, T{});
        continue;
      }
      if (options.pick == Pick::kLinear)
        pick_linear<T>(source, place, pixel);
      else if (options.pick == Pick::kCubic)
        pick_cubic<T>(source, place, pixel);
      else
        std::copy_n(source.row<T>(static_cast<std::int64_t>(place.y)) +
                        static_cast<std::int64_t>(place.x) * source.bands,
                    source.bands, pixel);
    }
}

std::byte* pixel_of(const Raster& target, std::int64_t x, std::int64_t y) {
  return target.data + static_cast<std::size_t>(y * target.width + x) * target.pixel_size();
}

// A place as a number of pixels; what lies before the first, or is no number, is -1.
std::int64_t whole_place(double place) {
  return place >= 0 ? static_cast<std::int64_t>(std::min(place, 1e15)) : -1;
}

// The columns from `places`, -1 where there is none; pixels of Size bytes.
template <std::size_t Size>
void pick_columns(const std::byte* row, const std::vector<std::int64_t>& places, std::byte* target,
                  bool clear) {
  for (std::int64_t place : places) {
    if (row && place >= 0)
      std::memcpy(target, row + static_cast<std::size_t>(place) * Size, Size);
    else if (clear)
      std::memset(target, 0, Size);
    target += Size;
  }
}

void pick_columns(std::size_t size, const std::byte* row, const std::vector<std::int64_t>& places,
                  std::byte* target, bool clear) {
  if (size == 1) return pick_columns<1>(row, places, target, clear);
  if (size == 2) return pick_columns<2>(row, places, target, clear);
  if (size == 3) return pick_columns<3>(row, places, target, clear);
  pick_columns<4>(row, places, target, clear);
}

// Straight enlarging: places of columns are found once, by adding up.
void scale_nearest(const Raster& source, const Raster& target, const WarpOptions& options) {
  const auto& f = options.factors;
  std::vector<std::int64_t> columns(static_cast<std::size_t>(options.right - options.left));
  double place = f[2] + f[0] * 0.5;
  for (std::int64_t& column : columns) {
    column = whole_place(place);
    if (column >= source.width) column = -1;
    place += f[0];
  }
  place = f[5] + f[4] * 0.5;
  const std::size_t size = source.pixel_size();
  for (std::int64_t y = options.top; y < options.bottom; ++y, place += f[4]) {
    const std::int64_t row = whole_place(place);
    const bool inside = row >= 0 && row < source.height;
    pick_columns(
        size, inside ? source.data + static_cast<std::size_t>(row * source.width) * size : nullptr,
        columns, pixel_of(target, options.left, y), options.clear);
  }
}

constexpr int kPlaces = 16;  // binary, of fixed places

bool fits_fixed(const std::array<double, 8>& f, double x, double y) {
  return std::fabs(x * f[0] + y * f[1] + f[2]) < 32768 &&
         std::fabs(x * f[3] + y * f[4] + f[5]) < 32768;
}

std::int64_t fixed(double value) {
  return static_cast<std::int64_t>(std::floor(value * 65536.0 + 0.5));
}

// Sums of steps along rows and columns, in numbers with 16 binary places or in doubles.
template <std::size_t Size, class Number, class Whole>
void walk_pixels(const Raster& source, const Raster& target, const WarpOptions& options,
                 const std::array<Number, 6>& f, Whole whole) {
  Number row_x = f[2], row_y = f[5];
  const std::int64_t width = source.width, height = source.height;
  for (std::int64_t y = options.top; y < options.bottom; ++y) {
    Number at_x = row_x, at_y = row_y;
    const Number step_x = f[0], step_y = f[3];
    std::byte* pixel = pixel_of(target, options.left, y);
    for (std::int64_t x = options.left; x < options.right; ++x, pixel += Size) {
      const std::int64_t column = whole(at_x), row = whole(at_y);
      if (column >= 0 && column < width && row >= 0 && row < height)
        std::memcpy(pixel, source.data + static_cast<std::size_t>(row * width + column) * Size,
                    Size);
      else if (options.clear)
        std::memset(pixel, 0, Size);
      at_x += step_x;
      at_y += step_y;
    }
    row_x += f[1];
    row_y += f[4];
  }
}

template <class Number, class Whole>
void walk_nearest(const Raster& source, const Raster& target, const WarpOptions& options,
                  const std::array<Number, 6>& f, Whole whole) {
  const std::size_t size = source.pixel_size();
  if (size == 1) return walk_pixels<1>(source, target, options, f, whole);
  if (size == 2) return walk_pixels<2>(source, target, options, f, whole);
  if (size == 3) return walk_pixels<3>(source, target, options, f, whole);
  walk_pixels<4>(source, target, options, f, whole);
}

void affine_nearest(const Raster& source, const Raster& target, const WarpOptions& options) {
  const auto& f = options.factors;
  if (f[1] == 0 && f[3] == 0) return scale_nearest(source, target, options);
  const double width = static_cast<double>(options.right - options.left);
  const double height = static_cast<double>(options.bottom - options.top);
  const double start_x = f[2] + f[0] * 0.5 + f[1] * 0.5, start_y = f[5] + f[3] * 0.5 + f[4] * 0.5;
  const bool small = source.width < 32768 && source.height < 32768;
  if (small && fits_fixed(f, 0, 0) && fits_fixed(f, width, height) && fits_fixed(f, 0, height) &&
      fits_fixed(f, width, 0)) {
    std::array<std::int64_t, 6> steps = {fixed(f[0]), fixed(f[1]), fixed(start_x),
                                         fixed(f[3]), fixed(f[4]), fixed(start_y)};
    return walk_nearest(source, target, options, steps,
                        [](std::int64_t place) { return place >> kPlaces; });
  }
  std::array<double, 6> steps = {f[0], f[1], start_x, f[3], f[4], start_y};
  walk_nearest(source, target, options, steps, whole_place);
}

}  // namespace

void warp(const Raster& source, const Raster& target, const WarpOptions& asked) {
  WarpOptions options = asked;
  options.left = std::max<std::int64_t>(options.left, 0);
  options.top = std::max<std::int64_t>(options.top, 0);
  options.right = std::min(options.right, target.width);
  options.bottom = std::min(options.bottom, target.height);
  if (options.right <= options.left || options.bottom <= options.top) return;
  if (options.kind == Warp::kAffine && options.pick == Pick::kNearest &&
      source.sample != Sample::kShort)
    return affine_nearest(source, target, options);
  with_samples(source.sample, [&]<class T>(T) { warp_samples<T>(source, target, options); });
}

}  // namespace strider::pictures
