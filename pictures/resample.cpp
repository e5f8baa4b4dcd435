// Pictures in other sizes: every pixel of the target is a weighted mean of those that its window
// covers, first along rows, then along columns. Bytes are summed as integers of 22 binary places.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <type_traits>

#include "pictures/loops.h"

namespace strider::pictures {
namespace {

constexpr int kPlaces = 22;

double sinc(double x) {
  return x == 0 ? 1 : std::sin(x * std::numbers::pi) / (x * std::numbers::pi);
}

double window_reach(Window window) {
  switch (window) {
    case Window::kBox:
      return 0.5;
    case Window::kTriangle:
    case Window::kHamming:
      return 1;
    case Window::kCubic:
      return 2;
    case Window::kLanczos:
      return 3;
  }
  return 0;
}

double cubic(double x) {
  constexpr double kSlope = -0.5;
  x = std::fabs(x);
  if (x < 1) return ((kSlope + 2) * x - (kSlope + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * kSlope;
  return 0;
}

double weight_at(Window window, double x) {
  switch (window) {
    case Window::kBox:
      return x > -0.5 && x <= 0.5 ? 1 : 0;
    case Window::kTriangle:
      return std::max(0.0, 1 - std::fabs(x));
    case Window::kHamming:
      if (x == 0) return 1;
      if (std::fabs(x) >= 1) return 0;
      return sinc(x) * (0.54F + 0.46F * std::cos(x * std::numbers::pi));
    case Window::kCubic:
      return cubic(x);
    case Window::kLanczos:
      return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0;
  }
  return 0;
}

// What each place of the target is made of: places of the source from `first` on, and weights.
struct Mixture {
  std::int64_t reach = 0;  // the most weights that a place has
  std::vector<std::int64_t> first, count;
  std::vector<double> weights;
  std::vector<std::int32_t> whole;  // the weights as integers
};

Mixture make_mixture(Window window, std::int64_t source, float low, float high,
                     std::int64_t target) {
  const double scale = static_cast<double>(high - low) / static_cast<double>(target);
  const double stretch = std::max(scale, 1.0);
  const double reach = window_reach(window) * stretch;
  Mixture mixture;
  mixture.reach = static_cast<std::int64_t>(std::ceil(reach)) * 2 + 1;
  const auto size = static_cast<std::size_t>(target);
  mixture.first.resize(size);
  mixture.count.resize(size);
  mixture.weights.resize(size * static_cast<std::size_t>(mixture.reach));
  for (std::int64_t place = 0; place < target; ++place) {
    const double centre = low + (static_cast<double>(place) + 0.5) * scale;
    const double inverse = 1 / stretch;
    auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(centre - reach + 0.5));
    auto last = std::min(source, static_cast<std::int64_t>(centre + reach + 0.5));
    double* weights = mixture.weights.data() + place * mixture.reach;
    double sum = 0;
    const std::int64_t count = std::clamp<std::int64_t>(last - first, 0, mixture.reach);
    for (std::int64_t i = 0; i < count; ++i) {
      weights[i] = weight_at(window, (static_cast<double>(i + first) - centre + 0.5) * inverse);
      sum += weights[i];
    }
    for (std::int64_t i = 0; i < count && sum != 0; ++i) weights[i] /= sum;
    mixture.first[static_cast<std::size_t>(place)] = first;
    mixture.count[static_cast<std::size_t>(place)] = count;
  }
  mixture.whole.resize(mixture.weights.size());
  std::transform(
      mixture.weights.begin(), mixture.weights.end(), mixture.whole.begin(), [](double weight) {
        return static_cast<std::int32_t>((weight < 0 ? -0.5 : 0.5) + weight * (1 << kPlaces));
      });
  return mixture;
}

std::uint8_t to_byte(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kPlaces, 0, 255));
}

template <class T>
T rounded(double sum) {
  if constexpr (std::is_same_v<T, float>) return static_cast<float>(sum);
  double whole = sum >= 0 ? std::floor(sum + 0.5) : -std::floor(std::fabs(sum) + 0.5);
  return clamp_to<T>(whole);
}

// Samples that lie `stride` apart, `count` of them weighed.
template <class T>
T mixed(const T* samples, std::ptrdiff_t stride, const Mixture& mixture, std::size_t place) {
  const std::int64_t count = mixture.count[place];
  const std::size_t start = place * static_cast<std::size_t>(mixture.reach);
  samples += mixture.first[place] * stride;
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    const std::int32_t* weights = mixture.whole.data() + start;
    std::int32_t sum = 1 << (kPlaces - 1);
    for (std::int64_t i = 0; i < count; ++i) sum += samples[i * stride] * weights[i];
    return to_byte(sum);
  } else {
    const double* weights = mixture.weights.data() + start;
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += samples[i * stride] * weights[i];
    return rounded<T>(sum);
  }
}

template <class T, int Bands>
void mix_pixels(const T* source, T* target, std::int64_t width, const Mixture& mixture) {
  for (std::int64_t x = 0; x < width; ++x) {
    const auto place = static_cast<std::size_t>(x);
    const T* samples = source + mixture.first[place] * Bands;
    const std::int64_t count = mixture.count[place];
    const std::int32_t* weights = mixture.whole.data() + place * mixture.reach;
    std::int32_t sums[Bands];
    std::fill_n(sums, Bands, 1 << (kPlaces - 1));
    for (std::int64_t i = 0; i < count; ++i)
      for (int band = 0; band < Bands; ++band) sums[band] += samples[i * Bands + band] * weights[i];
    for (int band = 0; band < Bands; ++band) target[x * Bands + band] = to_byte(sums[band]);
  }
}

template <class T>
void along_rows(const Raster& source, const Raster& target, std::int64_t from,
                const Mixture& mixture) {
  const int bands = source.bands;
  for (std::int64_t y = 0; y < target.height; ++y) {
    const T* row = source.row<T>(y + from);
    T* result = target.row<T>(y);
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      if (bands == 1) mix_pixels<T, 1>(row, result, target.width, mixture);
      if (bands == 2) mix_pixels<T, 2>(row, result, target.width, mixture);
      if (bands == 3) mix_pixels<T, 3>(row, result, target.width, mixture);
      if (bands == 4) mix_pixels<T, 4>(row, result, target.width, mixture);
    } else {
      for (std::int64_t x = 0; x < target.width; ++x)
        for (int band = 0; band < bands; ++band)
          result[x * bands + band] =
              mixed<T>(row + band, bands, mixture, static_cast<std::size_t>(x));
    }
  }
}

// Whole rows are added up, so that neighbouring samples share a vector.
void add_rows(const Raster& source, const Raster& target, std::int64_t from,
              const Mixture& mixture) {
  const std::int64_t size = target.width * target.bands;
  std::vector<std::int32_t> sums(static_cast<std::size_t>(size));
  for (std::int64_t y = 0; y < target.height; ++y) {
    const auto place = static_cast<std::size_t>(y);
    std::fill(sums.begin(), sums.end(), 1 << (kPlaces - 1));
    for (std::int64_t i = 0; i < mixture.count[place]; ++i) {
      const auto* row = source.row<std::uint8_t>(mixture.first[place] + i - from);
      const std::int32_t weight = mixture.whole[place * mixture.reach + i];
      for (std::int64_t x = 0; x < size; ++x) sums[x] += row[x] * weight;
    }
    auto* result = target.row<std::uint8_t>(y);
    for (std::int64_t x = 0; x < size; ++x) result[x] = to_byte(sums[x]);
  }
}

template <class T>
void along_columns(const Raster& source, const Raster& target, std::int64_t from,
                   const Mixture& mixture) {
  const std::int64_t size = target.width * target.bands;
  for (std::int64_t y = 0; y < target.height; ++y)
    for (std::int64_t x = 0; x < size; ++x)
      target.row<T>(y)[x] =
          mixed<T>(source.row<T>(-from) + x, size, mixture, static_cast<std::size_t>(y));
}

template <class T>
void resample_samples(const Raster& source, const Raster& target, Window window,
                      const Region& region) {
  Mixture columns = make_mixture(window, source.width, static_cast<float>(region.left),
                                 static_cast<float>(region.right), target.width);
  Mixture rows = make_mixture(window, source.height, static_cast<float>(region.top),
                              static_cast<float>(region.bottom), target.height);
  const bool across = target.width != source.width || region.left != 0 ||
                      region.right != static_cast<double>(target.width);
  const bool down = target.height != source.height || region.top != 0 ||
                    region.bottom != static_cast<double>(target.height);
  const std::int64_t first = rows.first.front(), last = rows.first.back() + rows.count.back();
  if (!across && !down) {
    std::memcpy(target.data, source.data,
                target.pixel_size() * static_cast<std::size_t>(target.width * target.height));
    return;
  }
  if (across && !down) return along_rows<T>(source, target, 0, columns);
  std::vector<std::byte> memory;
  Raster between = source;
  std::int64_t from = 0;
  if (across) {
    from = first;
    between.width = target.width;
    between.height = last - first;
    memory.resize(target.pixel_size() * static_cast<std::size_t>(target.width * between.height));
    between.data = memory.data();
    along_rows<T>(source, between, from, columns);
  }
  if constexpr (std::is_same_v<T, std::uint8_t>)
    add_rows(between, target, from, rows);
  else
    along_columns<T>(between, target, from, rows);
}

// The mean of the block of the source; blocks of bytes are divided by a multiplication.
template <class T>
void mean_of_block(const Raster& source, T* target, std::int64_t left, std::int64_t top,
                   std::int64_t width, std::int64_t height, bool whole) {
  const auto count = static_cast<std::uint32_t>(width * height);
  for (int band = 0; band < source.bands; ++band) {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
      std::uint32_t sum = count / 2;
      const auto factor = static_cast<std::uint32_t>(4294967296.0 / (256.0 * count));
      for (std::int64_t y = top; y < top + height; ++y)
        for (std::int64_t x = left; x < left + width; ++x)
          sum += source.row<T>(y)[x * source.bands + band];
      target[band] = static_cast<std::uint8_t>(sum * factor >> 24);
    } else {
      // Of whole blocks four neighbours are added as samples, then to the sum.
      double sum = 0;
      auto at = [&](std::int64_t x, std::int64_t y) {
        return source.row<T>(y)[x * source.bands + band];
      };
      for (std::int64_t y = top; !whole && y < top + height; ++y)
        for (std::int64_t x = left; x < left + width; ++x) sum += at(x, y);
      for (std::int64_t y = top; whole && y < top + height; y += 2) {
        const bool two = y + 1 < top + height;
        std::int64_t x = left;
        for (; x + 1 < left + width; x += 2)
          sum += two ? at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)
                     : at(x, y) + at(x + 1, y);
        if (x < left + width) sum += two ? at(x, y) + at(x, y + 1) : at(x, y);
      }
      target[band] = rounded<T>(sum * (1.0 / count));
    }
  }
}

// Rows of whole blocks of bytes are added up together, then their columns.
void reduce_bytes(const Raster& source, const Raster& target, std::int64_t x_factor,
                  std::int64_t y_factor, std::int64_t left, std::int64_t top, std::int64_t columns,
                  std::int64_t rows) {
  const std::int64_t bands = source.bands, size = columns * x_factor * bands;
  const auto count = static_cast<std::uint32_t>(x_factor * y_factor);
  const auto factor = static_cast<std::uint32_t>(4294967296.0 / (256.0 * count));
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(size));
  for (std::int64_t y = 0; y < rows; ++y) {
    std::fill(sums.begin(), sums.end(), 0);
    for (std::int64_t row = 0; row < y_factor; ++row) {
      const auto* samples = source.row<std::uint8_t>(top + y * y_factor + row) + left * bands;
      for (std::int64_t i = 0; i < size; ++i) sums[i] += samples[i];
    }
    auto* result = target.row<std::uint8_t>(y);
    for (std::int64_t x = 0; x < columns; ++x)
      for (std::int64_t band = 0; band < bands; ++band) {
        std::uint32_t sum = count / 2;
        for (std::int64_t i = 0; i < x_factor; ++i) sum += sums[(x * x_factor + i) * bands + band];
        result[x * bands + band] = static_cast<std::uint8_t>(sum * factor >> 24);
      }
  }
}

template <class T>
void reduce_samples(const Raster& source, const Raster& target, std::int64_t x_factor,
                    std::int64_t y_factor, const Region& region) {
  const auto left = static_cast<std::int64_t>(region.left),
             top = static_cast<std::int64_t>(region.top);
  const auto right = static_cast<std::int64_t>(region.right);
  const auto bottom = static_cast<std::int64_t>(region.bottom);
  const std::int64_t whole_columns = (right - left) / x_factor;
  const std::int64_t whole_rows = (bottom - top) / y_factor;
  constexpr bool kBytes = std::is_same_v<T, std::uint8_t>;
  if constexpr (kBytes)
    reduce_bytes(source, target, x_factor, y_factor, left, top, whole_columns, whole_rows);
  for (std::int64_t y = 0; y < target.height; ++y)
    for (std::int64_t x = kBytes && y < whole_rows ? whole_columns : 0; x < target.width; ++x) {
      const std::int64_t start = left + x * x_factor, above = top + y * y_factor;
      const std::int64_t width = std::min(x_factor, right - start);
      const std::int64_t height = std::min(y_factor, bottom - above);
      mean_of_block<T>(source, target.row<T>(y) + x * target.bands, start, above, width, height,
                       width == x_factor && height == y_factor);
    }
}

}  // namespace

void resample(const Raster& source, const Raster& target, Window window, const Region& region) {
  with_samples(source.sample,
               [&]<class T>(T) { resample_samples<T>(source, target, window, region); });
}

void reduce(const Raster& source, const Raster& target, std::int64_t x_factor,
            std::int64_t y_factor, const Region& region) {
  with_samples(source.sample,
               [&]<class T>(T) { reduce_samples<T>(source, target, x_factor, y_factor, region); });
}

}  // namespace strider::pictures
