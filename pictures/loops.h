// The plug-in's loops over samples, and what they share.
#pragma once

#include <algorithm>
#include <limits>

#include "pictures/pictures.h"

namespace strider::pictures {

// Calls `work` with a sample of the type.
template <class Work>
void with_samples(Sample sample, Work work) {
  switch (sample) {
    case Sample::kByte:
      return work(std::uint8_t{});
    case Sample::kShort:
      return work(std::uint16_t{});
    case Sample::kInt:
      return work(std::int32_t{});
    case Sample::kFloat:
      return work(float{});
  }
}

// The part before the point, at the ends of what T holds where it is beyond them.
template <class T>
T clamp_to(double value) {
  if constexpr (std::numeric_limits<T>::is_integer) {
    constexpr double kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
    if (!(value > kLow)) return std::numeric_limits<T>::min();
    if (value >= kHigh) return std::numeric_limits<T>::max();
  }
  return static_cast<T>(value);
}

// a * b / 255, rounded.
inline std::uint8_t scaled(unsigned a, unsigned b) {
  unsigned product = a * b + 128;
  return static_cast<std::uint8_t>((product + (product >> 8)) >> 8);
}

void resample(const Raster& source, const Raster& target, Window window, const Region& region);
void reduce(const Raster& source, const Raster& target, std::int64_t x_factor,
            std::int64_t y_factor, const Region& region);
void warp(const Raster& source, const Raster& target, const WarpOptions& options);
void convolve(const Raster& source, const Raster& target, std::span<const float> weights,
              float offset);
void box_blur(const Raster& source, const Raster& target, float x_radius, float y_radius,
              int passes);
void rank(const Raster& source, const Raster& target, int size, int place);
void most_common(const Raster& source, const Raster& target, int size);
void look_up(const Raster& source, const Raster& target, std::span<const std::uint8_t> table);
std::vector<std::int64_t> count_samples(const Raster& source, const Raster* mask);
void multiply_alpha(const Raster& source, const Raster& target, bool undo);
void mix(const Raster& below, const Raster& above, const Raster& part, const Raster& target);
void compose(const Raster& below, const Raster& above, const Raster& target);
void dither(const Raster& source, const Raster& target);
void nearest_colours(const Raster& source, const Raster& target,
                     std::span<const std::uint8_t> palette, int stride, bool dither);
Palette quantize(const Raster& source, const Raster& target, Choice choice, int colours,
                 int rounds);

}  // namespace strider::pictures
