// Filters that look at the neighbours of each sample.
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "pictures/loops.h"

namespace strider::pictures {
namespace {

template <class T>
T to_sample(float sum) {
  if constexpr (std::is_same_v<T, float>) return sum;
  return sum <= 0 ? T{} : clamp_to<T>(static_cast<double>(sum));
}

// Rows below come first: pictures are read from their lower left corner.
template <int Side, class T>
void weigh_row(const Raster& source, const Raster& target, std::int64_t y, const float* weights,
               float offset) {
  constexpr int kReach = Side / 2;
  const std::int64_t bands = source.bands, end = (source.width - kReach) * bands;
  T* __restrict result = target.row<T>(y);
  for (std::int64_t x = kReach * bands; x < end; ++x) {
    float sum = offset;
    for (int row = 0; row < Side; ++row) {
      const T* samples = source.row<T>(y + kReach - row) + x - kReach * bands;
      float part = static_cast<float>(samples[0]) * weights[row * Side];
      for (int i = 1; i < Side; ++i)
        part += static_cast<float>(samples[i * bands]) * weights[row * Side + i];
      sum += part;
    }
    result[x] = to_sample<T>(sum);
  }
}

template <class T>
void convolve_samples(const Raster& source, const Raster& target, std::span<const float> weights,
                      float offset) {
  const bool small = weights.size() == 9;
  const std::int64_t reach = small ? 1 : 2;
  std::memcpy(target.data, source.data,
              source.pixel_size() * static_cast<std::size_t>(source.width * source.height));
  if constexpr (!std::is_same_v<T, float>) offset += 0.5F;
  for (std::int64_t y = reach; y < source.height - reach; ++y) {
    if (small)
      weigh_row<3, T>(source, target, y, weights.data(), offset);
    else
      weigh_row<5, T>(source, target, y, weights.data(), offset);
  }
}

// Means of 2 * radius + 1 samples of a line, those at its ends with a fraction of their weight.
struct BlurWeights {
  explicit BlurWeights(float radius)
      : reach(static_cast<std::int64_t>(radius)),
        inner(static_cast<std::uint32_t>(static_cast<float>(1 << 24) / (radius * 2 + 1))),
        outer(((1U << 24) - static_cast<std::uint32_t>(reach * 2 + 1) * inner) / 2) {}
  std::int64_t reach;
  std::uint32_t inner, outer;
};

void blur_line(const std::uint8_t* __restrict source, std::uint8_t* __restrict target,
               std::int64_t count, BlurWeights weights) {
  auto at = [&](std::int64_t place) -> std::uint32_t {
    return source[std::clamp<std::int64_t>(place, 0, count - 1)];
  };
  std::uint32_t sum = 0;
  for (std::int64_t i = -weights.reach; i <= weights.reach; ++i) sum += at(i);
  for (std::int64_t x = 0; x < count; ++x) {
    const std::uint32_t ends = at(x - weights.reach - 1) + at(x + weights.reach + 1);
    target[x] =
        static_cast<std::uint8_t>((sum * weights.inner + ends * weights.outer + (1U << 23)) >> 24);
    sum += at(x + weights.reach + 1) - at(x - weights.reach);
  }
}

// Lines that lie side by side, `lines` of them: sample i of line j is samples[i * step + j].
void blur_lines(std::uint8_t* samples, std::int64_t lines, std::int64_t step, std::int64_t count,
                const BlurWeights& weights, int passes, std::vector<std::uint8_t>& memory) {
  memory.resize(static_cast<std::size_t>(count * (lines + 1)));
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t j = 0; j < lines; ++j) memory[j * count + i] = samples[i * step + j];
  std::uint8_t* spare = memory.data() + lines * count;
  for (std::int64_t j = 0; j < lines; ++j) {
    std::uint8_t *line = memory.data() + j * count, *result = spare;
    for (int pass = 0; pass < passes; ++pass) {
      blur_line(line, result, count, weights);
      std::swap(line, result);
    }
    if (line == spare) std::copy_n(spare, count, memory.data() + j * count);
  }
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t j = 0; j < lines; ++j) samples[i * step + j] = memory[j * count + i];
}

template <class T>
void rank_samples(const Raster& source, const Raster& target, int size, int place) {
  const int reach = size / 2;
  std::vector<T> window(static_cast<std::size_t>(size) * static_cast<std::size_t>(size));
  for (std::int64_t y = 0; y < source.height; ++y)
    for (std::int64_t x = 0; x < source.width; ++x)
      for (int band = 0; band < source.bands; ++band) {
        auto next = window.begin();
        for (std::int64_t row = y - reach; row <= y + reach; ++row) {
          const T* samples =
              source.row<T>(std::clamp<std::int64_t>(row, 0, source.height - 1)) + band;
          for (std::int64_t column = x - reach; column <= x + reach; ++column)
            *next++ = samples[std::clamp<std::int64_t>(column, 0, source.width - 1) * source.bands];
        }
        std::nth_element(window.begin(), window.begin() + place, window.end());
        target.row<T>(y)[x * source.bands + band] = window[static_cast<std::size_t>(place)];
      }
}

// Bytes are counted; the counts move on with the window.
void rank_bytes(const Raster& source, const Raster& target, int size, int place) {
  const int reach = size / 2, bands = source.bands;
  for (int band = 0; band < bands; ++band)
    for (std::int64_t y = 0; y < source.height; ++y) {
      std::array<int, 256> counts{};
      int below = 0, value = 0;  // how many samples are less than `value`
      auto count_column = [&](std::int64_t column, int change) {
        column = std::clamp<std::int64_t>(column, 0, source.width - 1);
        for (std::int64_t row = y - reach; row <= y + reach; ++row) {
          int sample = source.row<std::uint8_t>(
              std::clamp<std::int64_t>(row, 0, source.height - 1))[column * bands + band];
          counts[static_cast<std::size_t>(sample)] += change;
          if (sample < value) below += change;
        }
      };
      for (std::int64_t column = -reach - 1; column < reach; ++column) count_column(column, 1);
      for (std::int64_t x = 0; x < source.width; ++x) {
        count_column(x - reach - 1, -1);
        count_column(x + reach, 1);
        while (below > place) below -= counts[static_cast<std::size_t>(--value)];
        while (below + counts[static_cast<std::size_t>(value)] <= place)
          below += counts[static_cast<std::size_t>(value++)];
        target.row<std::uint8_t>(y)[x * bands + band] = static_cast<std::uint8_t>(value);
      }
    }
}

}  // namespace

void convolve(const Raster& source, const Raster& target, std::span<const float> weights,
              float offset) {
  with_samples(source.sample,
               [&]<class T>(T) { convolve_samples<T>(source, target, weights, offset); });
}

void box_blur(const Raster& source, const Raster& target, float x_radius, float y_radius,
              int passes) {
  std::memcpy(target.data, source.data,
              source.pixel_size() * static_cast<std::size_t>(source.width * source.height));
  const std::int64_t bands = source.bands, row = source.width * bands;
  std::vector<std::uint8_t> memory;
  auto* samples = target.row<std::uint8_t>(0);
  if (x_radius != 0)
    for (std::int64_t y = 0; y < source.height; ++y)
      blur_lines(samples + y * row, bands, bands, source.width, BlurWeights(x_radius), passes,
                 memory);
  constexpr std::int64_t kTogether = 32;  // columns, so that rows are read in pieces
  if (y_radius != 0)
    for (std::int64_t x = 0; x < row; x += kTogether)
      blur_lines(samples + x, std::min(kTogether, row - x), row, source.height,
                 BlurWeights(y_radius), passes, memory);
}

void rank(const Raster& source, const Raster& target, int size, int place) {
  if (source.sample == Sample::kByte) return rank_bytes(source, target, size, place);
  with_samples(source.sample, [&]<class T>(T) { rank_samples<T>(source, target, size, place); });
}

void most_common(const Raster& source, const Raster& target, int size) {
  const int reach = size / 2;
  for (std::int64_t y = 0; y < source.height; ++y)
    for (std::int64_t x = 0; x < source.width; ++x)
      for (int band = 0; band < source.bands; ++band) {
        std::array<int, 256> counts{};
        for (std::int64_t row = std::max<std::int64_t>(0, y - reach);
             row <= std::min(y + reach, source.height - 1); ++row)
          for (std::int64_t column = std::max<std::int64_t>(0, x - reach);
               column <= std::min(x + reach, source.width - 1); ++column)
            ++counts[source.row<std::uint8_t>(row)[column * source.bands + band]];
        const auto most = std::max_element(counts.begin(), counts.end());
        const std::int64_t place = x * source.bands + band;
        target.row<std::uint8_t>(y)[place] = *most > 2
                                                 ? static_cast<std::uint8_t>(most - counts.begin())
                                                 : source.row<std::uint8_t>(y)[place];
      }
}

}  // namespace strider::pictures
